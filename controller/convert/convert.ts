import { readAnnotations } from "../core/annotations/read.ts"
import { annotationByName } from "../core/annotations/table.ts"
import type { Options } from "../core/options/flags.ts"
import type { LintObjects } from "../lint/objects.ts"
import type { Subject } from "../lint/subject.ts"
import { translated } from "../lint/translated.ts"
import { fieldPath } from "../model/field-path.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { qualifiedName } from "../model/objects/object.ts"
import type { ProblemCode } from "../model/problems/catalogue.ts"
import { distinctBy } from "../support/distinct.ts"
import { getOrMake } from "../support/maps.ts"
import { backendRefOf } from "./backends.ts"
import type { Canary } from "./canaries.ts"
import { type Conversion, type GatewayObject, type Remark, remarksOf } from "./conversion.ts"
import { type Draft, routesOf } from "./drafts.ts"
import { reasonFor } from "./equivalents.ts"
import { at } from "./filters.ts"
import { type GatewayOptions, listenersOf } from "./listeners.ts"
import { routesOfIngress } from "./routes.ts"

// In come Ingresses and what belongs to them, out go objects of the Gateway API that do the same, as far as its standard channel can say it, and a
// remark for everything that it cannot. Routes of an Ingress that keeps requests away
// by what has no equivalent lead nowhere: without them, other routes of the host would get its requests.

export interface ConvertOptions {
  readonly gateway: GatewayOptions
  /** Ingresses are converted that are open to everybody then */
  readonly allowsOpen: boolean
  /** milliseconds since 1970 */
  readonly nowMs: number
}

export function convert(
  { objects }: LintObjects,
  options: Options,
  { gateway, allowsOpen, nowMs }: ConvertOptions,
): Conversion {
  const { subjects, around } = translated(objects, options, nowMs)
  const remarks: Remark[] = [...configMapRemarks(around.configMap)]
  for (const subject of subjects) annotationRemarks(subject, remarks)
  const open = openIngresses(subjects, remarks)
  const isClosed = ({ ingress }: Subject) => !allowsOpen && open.has(qualifiedName(ingress.meta))
  const canaries = subjects.filter((subject) => isCanary(subject) && !isClosed(subject))
  const others = subjects.filter((subject) => !isCanary(subject))
  const listeners = listenersOf(others, gateway, options, remarks)
  const patterns = new Set(subjects.filter(hasPatterns).flatMap(hostsOf))
  const byPath = canariesOf(canaries, others, remarks)
  const context = {
    listeners,
    canaries: (namespace: string, host: string, path: string) =>
      byPath.get(canaryKey(namespace, host, path)) ?? [],
    hasPatterns: (host: string) => patterns.has(host),
  }
  const drafts: Draft[] = []
  const policies = new Map<string, GatewayObject>()
  for (const subject of others) {
    const own = { ...context, isClosed: isClosed(subject) }
    const found = routesOfIngress(subject, own, remarksOf(nameOf(subject), remarks))
    drafts.push(...found.drafts)
    for (const policy of found.policies) {
      const key = qualifiedName(policy.metadata)
      policies.set(key, policies.get(key) ?? policy)
    }
  }
  sharedHosts(drafts, remarks)
  return {
    objects: [...listeners.objects, ...routesOf(drafts), ...policies.values()],
    remarks: distinctBy(remarks, (remark) => JSON.stringify(remark)),
    closed: allowsOpen ? [] : [...open].sort(),
    ingresses: subjects.length,
  }
}

/** By their names; all of them where the ConfigMap keeps requests away. */
function openIngresses(subjects: readonly Subject[], remarks: readonly Remark[]): ReadonlySet<string> {
  const found = remarks.filter(({ kind }) => kind === "open").map(({ object }) => object)
  if (found.some(({ kind }) => kind === "ConfigMap"))
    return new Set(subjects.map(({ ingress }) => qualifiedName(ingress.meta)))
  return new Set(found.map(qualifiedName))
}

/** Source: GRPCRoute, "hostnames". */
function sharedHosts(drafts: readonly Draft[], remarks: Remark[]): void {
  const ofHttp = new Set(
    drafts.filter(({ kind }) => kind === "HTTPRoute").flatMap(({ hostnames }) => hostnames),
  )
  for (const { kind, namespace, name, hostnames } of drafts)
    for (const host of kind === "GRPCRoute" ? hostnames.filter((it) => ofHttp.has(it)) : [])
      remarksOf({ kind: "Ingress", namespace, name }, remarks).add(
        "changed",
        "spec.rules",
        `${host} has routes of HTTP, too: an implementation takes one kind for a host, so give one of them another host`,
      )
}

function nameOf({ ingress: { meta } }: Subject) {
  return { kind: "Ingress", namespace: meta.namespace, name: meta.name }
}

/** Annotations of the controller that come to nothing; those of others are theirs. */
function annotationRemarks(subject: Subject, remarks: Remark[]): void {
  const { add } = remarksOf(nameOf(subject), remarks)
  for (const [name] of subject.annotations) {
    const reason = reasonFor(name)
    if (reason !== undefined && !saysNothing(subject, name)) add(reason.kind, at(subject, name), reason.what)
    for (const { code, field, message } of subject.problems)
      if (reason === undefined && unusable.has(code) && field === at(subject, name))
        add("left-out", field, message)
  }
}

/** What of a value cannot be used, and names that nobody knows. */
const unusable: ReadonlySet<ProblemCode> = new Set([
  "annotation-refused",
  "annotation-changed",
  "annotation-unknown",
])

/** What an Ingress has anyway asks for nothing, and neither does what needs another annotation that is not there. */
function saysNothing({ annotations }: Subject, name: string): boolean {
  const value = annotations.get(name)?.value.trim().toLowerCase() ?? ""
  const needed = annotationByName.get(name)?.needs
  if (needed !== undefined && !annotations.has(needed)) return true
  if (name.startsWith("auth-tls-") && annotations.get("auth-tls-verify-client")?.value.trim() === "off")
    return true
  if (name.startsWith("enable-")) return value === "false" || name === "enable-global-auth"
  if (name === "allowlist-source-range") return items(value).includes("0.0.0.0/0")
  return name === "satisfy" && value === "all"
}

function items(list: string): readonly string[] {
  return list.split(",").map((item) => item.trim())
}

function configMapRemarks(configMap: Subject["around"]["configMap"]): readonly Remark[] {
  if (configMap === undefined) return []
  const { namespace, name } = configMap.meta
  const keys = Object.keys(configMap.data).filter((key) => !read.has(key))
  return keys.map((key) => ({
    kind: guards.test(key) ? "open" : "left-out",
    object: { kind: "ConfigMap", namespace, name },
    field: fieldPath("data", [key]),
    what: "Settings of all hosts are up to the implementation",
  }))
}

/** Keys that keep requests away from every host. */
const guards = /^(?:global-auth-url|(?:white|allow|deny)list-source-range|block-.*|enable-modsecurity)$/

/** Keys that routes depend on. */
const read = new Set(["ssl-redirect", "force-ssl-redirect", "http-redirect-code"])

/** A path of a canary takes its share where another Ingress has the same path. */
function canariesOf(subjects: readonly Subject[], others: readonly Subject[], remarks: Remark[]) {
  const byPath = new Map<string, Canary[]>()
  const known = new Set(others.flatMap(({ ingress }) => pathKeys(ingress)))
  for (const subject of subjects) {
    const { ingress, around } = subject
    const { values } = readAnnotations(ingress, around.options.annotationsPrefix)
    ingress.rules.forEach(({ host, paths = [] }, rule) => {
      paths.forEach((path, index) => {
        const backend = backendRefOf(path.backend, ingress.meta.namespace, around.objects.services)
        const { add } = remarksOf(nameOf(subject), remarks)
        const at = fieldPath("spec", "rules", rule, "http", "paths", index)
        const key = canaryKey(ingress.meta.namespace, host, path.path)
        if (!known.has(key))
          add("left-out", at, "No other Ingress has this path: a canary serves nobody then")
        else if ("because" in backend) add("left-out", at, `${backend.because}: the canary was left out`)
        else
          getOrMake(byPath, key, () => []).push({
            values: values.canary,
            backend,
          })
      })
    })
  }
  return byPath
}

function pathKeys({ meta, rules }: Ingress): readonly string[] {
  return rules.flatMap(({ host, paths = [] }) =>
    paths.map(({ path }) => canaryKey(meta.namespace, host, path)),
  )
}

function canaryKey(namespace: string, host: string, path: string): string {
  return `${namespace} ${host.toLowerCase()}${path || "/"}`
}

function isCanary({ annotations }: Subject): boolean {
  return annotations.get("canary")?.value.trim() === "true"
}

function hasPatterns({ annotations }: Subject): boolean {
  return annotations.get("use-regex")?.value.trim() === "true" || annotations.has("rewrite-target")
}

function hostsOf({ ingress }: Subject): readonly string[] {
  return ingress.rules.map(({ host }) => host.toLowerCase())
}
