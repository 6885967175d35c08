import { closingKeys } from "../../controller/core/annotations/guards.ts"
import { annotationByName } from "../../controller/core/annotations/table.ts"
import { fieldPath, isOfAnnotations } from "../../controller/model/field-path.ts"
import type { Ingress } from "../../controller/model/objects/ingress.ts"
import type { Problem } from "../../controller/model/problem.ts"
import type { ProblemCode } from "../../controller/model/problems/catalogue.ts"
import { type Refusal, refusalBefore } from "./refusals.ts"

/**
 * What a Problem of wick's means to somebody who comes from ingress-nginx. `same`: ingress-nginx comes to the same, though it may not say so.
 * `different`: requests are served, not all as before. `closed`: requests are refused, or reach nothing, that were served. `unread`: it cannot
 * be told, as something was not read. `open`: requests are served that were kept out.
 */
export type Relation = "same" | "different" | "closed" | "unread" | "open"

/** Where in doubt it is not `same`. A new code does not compile without a line here. */
const relations: Readonly<Record<ProblemCode, Relation>> = {
  // what an API server would not have taken in, so that nobody served it
  "type-wrong": "unread",
  "field-missing": "unread",
  "field-unknown": "unread",
  "kind-unknown": "unread",
  "host-in-capitals": "unread",
  "address-bad": "unread",
  "backend-twice": "unread",
  "port-twice": "unread",
  "token-bad": "unread",
  "text-bad": "unread",
  "duration-bad": "unread",
  "filter-twice": "unread",
  "prefix-missing": "unread",
  // objects that ingress-nginx does not know
  "gateway-address": "same",
  "address-unsupported": "same",
  "gateway-parameters": "same",
  "listener-refused": "same",
  "listener-conflict": "same",
  "listener-certificate": "same",
  "authority-unusable": "same",
  "policy-unsupported": "same",
  "policy-conflict": "same",
  "listener-set-refused": "same",
  "reference-not-permitted": "same",
  "route-detached": "same",
  "route-unsupported": "same",
  "backend-kind": "same",
  "backend-without-port": "same",
  "backend-protocol": "same",
  "name-bad": "unread",
  "time-bad": "same",
  "version-retired": "unread",
  "no-object": "unread",
  "kind-not-read": "same",
  "not-yaml": "unread",
  "not-json": "unread",
  "object-twice": "unread",
  "file-unreadable": "unread",
  "manifest-too-large": "unread",
  "watch-failed": "same",
  "directory-gone": "unread",
  "class-missing": "same",
  "configmap-unnamed": "different",
  "namespace-missing": "unread",
  // the ConfigMap
  "value-refused": "different",
  "modsecurity-audit-log": "different",
  "value-cut": "different",
  "value-corrected": "different",
  "own-address": "same",
  "forwarded-headers-open": "same",
  "key-unknown": "same",
  "key-twice": "different",
  "key-without-effect": "different",
  "key-guard-closes": "closed",
  "guard-ignored": "open",
  // annotations
  "annotation-refused": "different",
  "annotation-empty": "same",
  "annotation-changed": "different",
  "annotation-idle": "different",
  "annotation-guard-closes": "closed",
  "modsecurity-rules-refused": "closed",
  "modsecurity-rules-invalid": "closed",
  "modsecurity-absent": "closed",
  "modsecurity-open": "open",
  "snippet-in-part": "different",
  "snippet-not-allowed": "different",
  "snippet-overruled": "same",
  "annotation-unknown": "same",
  "annotation-overridden": "same",
  "annotation-forbidden": "different",
  "annotation-required": "closed",
  "users-left-out": "different",
  "location-refused": "closed",
  "backends-unverified": "closed",
  "reference-missing": "same",
  "reference-forbidden": "closed",
  "custom-headers-refused": "closed",
  "auth-headers-refused": "closed",
  "auth-host-unclear": "closed",
  "fastcgi-refused": "closed",
  "mirror-refused": "different",
  // hosts and paths
  "host-refused": "closed",
  "host-forbidden": "closed",
  "path-refused": "closed",
  "path-taken": "same",
  "host-owned": "different",
  "host-foreign": "closed",
  "pattern-foreign": "closed",
  "resource-backend": "same",
  "service-name-refused": "closed",
  "port-name-refused": "closed",
  "catch-all-disabled": "same",
  "alias-left-out": "different",
  "www-redirect-left-out": "different",
  "bad-pattern": "closed",
  "pattern-unknown": "unread",
  // TLS passthrough: ingress-nginx leaves it out silently
  "passthrough-disabled": "same",
  "passthrough-of-canary": "different",
  "passthrough-of-wildcard": "same",
  "passthrough-without-service": "same",
  "passthrough-without-endpoint": "different",
  "path-passed-by": "same",
  "clients-not-asked": "different",
  // TCP and UDP services: ingress-nginx leaves out the entry as well, or the reload fails for everybody
  "stream-configmap-missing": "same",
  "stream-refused": "same",
  "stream-in-part": "same",
  "stream-without-endpoint": "same",
  "stream-port-taken": "same",
  // listeners of the Gateway API: ingress-nginx has none
  "listener-port-taken": "same",
  // Services: 503 from either
  "backend-unusable": "same",
  "fallback-unusable": "same",
  "auth-service-unusable": "different",
  "default-backend-unusable": "same",
  "address-type": "different",
  "address-refused": "different",
  "name-stale": "unread",
  "backend-name-missing": "same",
  "no-cluster-address": "different",
  // balancing: the first canary is used by either
  "canary-left-out": "same",
  "backend-is-canary": "same",
  "balancing-overruled": "different",
  "balancing-policy-forbidden": "different",
  "balancing-policy-missing": "different",
  "balancing-policy-refused": "different",
  "balancing-policy-faulty": "different",
  "policy-source-unusable": "different",
  "geoip-needed": "closed",
  "geoip-database-missing": "same",
  "geoip-database-refused": "different",
  "geoip-download-failed": "same",
  "affinity-overruled": "different",
  "cookie-path-of-pattern": "different",
  "no-room": "closed",
  "over-share": "closed",
  "reload-waits": "different",
  refused: "closed",
  // certificates: the default one is shown by either
  "secret-missing": "same",
  "secret-refused": "closed",
  "secret-stale": "different",
  "certificate-expiry": "same",
  "certificate-revoked": "same",
  "chain-incomplete": "same",
  "default-certificate-unusable": "same",
  "ocsp-failing": "same",
  "ocsp-impossible": "same",
  "certificate-for-others": "same",
  "certificate-for-every-host": "same",
  "certificate-twice": "different",
  "host-without-certificate": "same",
  "handshake-taken": "same",
  "no-client-authority": "different",
  "client-certificates-taken": "different",
  "client-certificates-foreign": "closed",
  "host-closed": "closed",
}

/** What a Problem says of objects that were not among those that were read: in a cluster they do not exist, a directory may lack them. */
const missing: ReadonlySet<ProblemCode> = new Set(["reference-missing", "auth-service-unusable"])

/**
 * @param isComplete all objects that there are were read
 * @param ingress which it concerns, if it is about one
 */
export function relationOf(problem: Problem, isComplete: boolean, ingress?: Ingress): Relation {
  const { code, field, message } = problem
  if (sameIn[code]?.test(message)) return "same"
  if (code === "reference-forbidden" && forbidden.has(annotationIn(field))) return "same"
  if (code === "secret-refused" && !isOfAnnotations(field)) return "same"
  if (refusedBefore[code]?.test(message)) return "different"
  if (missing.has(code) && !isComplete) return "unread"
  if (code === "annotation-refused") return ofRefused(problem, ingress)
  if (code === "value-refused" && closingFields.has(field)) return "closed"
  return relations[code]
}

/** Nobody was let in before, with another status. */
const refusedBefore: Readonly<Partial<Record<ProblemCode, RegExp>>> = {
  "path-refused": /nginx resolves in requests/,
  "secret-refused": /it holds no user/,
}

/** That it is refused now says nothing of what it came to before. */
function ofRefused(problem: Problem, ingress: Ingress | undefined): Relation {
  const doesClose = annotationByName.get(annotationIn(problem.field))?.whenRefused !== undefined
  const before = ingress && refusalBefore(problem, ingress)
  if (before !== undefined) return outcomes[before][doesClose ? "closed" : "served"]
  return doesClose ? "closed" : "different"
}

/** Of a value that ingress-nginx refused: what wick closes for it, and what it serves without it. */
const outcomes: Readonly<Record<Refusal, { readonly closed: Relation; readonly served: Relation }>> = {
  "left-out": { closed: "different", served: "different" },
  denied: { closed: "same", served: "open" },
  ignored: { closed: "closed", served: "same" },
  // until then it was served as before
  "stops-all": { closed: "closed", served: "different" },
}

/** What ingress-nginx reads of the own namespace only, unless it is allowed. */
const forbidden: ReadonlySet<string> = new Set([
  "auth-proxy-set-headers",
  "auth-secret",
  "auth-tls-secret",
  "proxy-ssl-secret",
])

/** What ingress-nginx does likewise, of Problems that mean a difference elsewhere. */
const sameIn: Readonly<Partial<Record<ProblemCode, RegExp>>> = {
  // names are looked up by a controller, not here
  "mirror-refused": /DNS has not answered yet/,
  // the host of a rule wins over other names, and what refers to what is not there is passed over
  "www-redirect-left-out": /is the host of a rule itself$|: only a host without wildcard/,
  "alias-left-out": /is the host of a rule$|: the aliases are those of Ingress/,
  "annotation-idle": /^(?!Annotation "opentelemetry-).*: it has no effect$/,
  "annotation-refused": /annotation "auth-secret" is missing/,
  "annotation-changed": /; HTTP is used instead$/,
  "auth-service-unusable": /DNS has not answered yet/,
  "custom-headers-refused": /^(?!.*holds more than)/s,
  "no-cluster-address": /; its pods are used$/,
  "secret-refused": /key "auth" is missing/,
}

/** Of keys without a good value before. */
const closingFields: ReadonlySet<string> = new Set(
  closingKeys
    .filter((name) => name !== "admission-hosts" && name !== "auth-namespaces")
    .map((name) => fieldPath("data", [name])),
)

/** @param field as `metadata.annotations["prefix/name"]` @returns "" where it is another one */
function annotationIn(field: string): string {
  return /\/([^/"]+)"\]$/.exec(field)?.[1] ?? ""
}

const order: readonly Relation[] = ["same", "different", "unread", "closed", "open"]

/** Below 0 when the first weighs less. */
export function compareRelations(a: Relation = "same", b: Relation = "same"): number {
  return order.indexOf(a) - order.indexOf(b)
}

/** The one that weighs most: `same`, when there is none. */
export function worst(relations: readonly Relation[]): Relation {
  return order[Math.max(0, ...relations.map((relation) => order.indexOf(relation)))] ?? "same"
}
