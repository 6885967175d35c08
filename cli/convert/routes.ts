import type { AnnotationValues } from "../../controller/core/annotations/values.ts"
import { otherName } from "../../controller/core/annotations/wanted-hosts.ts"
import { fieldPath } from "../../controller/model/field-path.ts"
import type { IngressPath } from "../../controller/model/objects/ingress.ts"
import { shown } from "../../controller/model/shown.ts"
import { distinctBy } from "../../controller/support/distinct.ts"
import { checkHost } from "../../controller/support/host-name.ts"
import type { Subject } from "../lint/subject.ts"
import { type BackendRef, backendPolicies, backendRefOf } from "./backends.ts"
import type { GatewayObject, Json, Remarks } from "./conversion.ts"
import type { Converting, RouteContext } from "./converting.ts"
import { type Draft, maxHostnames } from "./drafts.ts"
import { at, filtersOf, vhostOf } from "./filters.ts"
import { keptAnnotations } from "./kept-annotations.ts"
import { chunks } from "./listeners.ts"
import { mirrorFilter } from "./mirrors.ts"
import { redirect } from "./redirects.ts"
import { appRootRule, isGrpc, rulesForPath } from "./rules.ts"

export interface IngressRoutes {
  readonly drafts: readonly Draft[]
  readonly policies: readonly GatewayObject[]
}

export function routesOfIngress(subject: Subject, context: RouteContext, remarks: Remarks): IngressRoutes {
  const { values } = subject
  if (values.protocol.protocol === "fastcgi" && !context.isClosed) {
    remarks.add(
      "left-out",
      at(subject, "backend-protocol"),
      "FastCGI is not spoken: nothing of it was converted",
    )
    return { drafts: [], policies: [] }
  }
  const common = context.isClosed ? nothing : commonOf(subject, values, remarks)
  const converting = { ...context, ...common, subject, values, remarks }
  const drafts = rulesOf(subject).flatMap((rule) => ofRule(rule, converting))
  const names = drafts.flatMap(({ rules: all }) => all.flatMap(backendNames))
  return { drafts, policies: backendPolicies(subject, values, [...new Set(names)].sort(), remarks) }
}

const nothing = { filters: [], vhost: undefined }

function commonOf(
  subject: Subject,
  values: AnnotationValues,
  remarks: Remarks,
): Pick<Converting, "filters" | "vhost"> {
  const { configMaps } = subject.around.objects
  const filters = filtersOf(subject, values, (name) => configMaps.get(name), remarks)
  return {
    filters: [...filters, ...mirrorFilter(values, subject, remarks)],
    vhost: vhostOf(values, subject, remarks),
  }
}

interface Rule {
  readonly host: string
  readonly field: string
  readonly paths: readonly IngressPath[]
}

function rulesOf({ ingress }: Subject): readonly Rule[] {
  const { defaultBackend, rules } = ingress
  const own = rules.map(({ host, paths = [] }, at): Rule => {
    const isWhole = paths.some(({ path, pathType }) => (path === "/" || path === "") && pathType !== "Exact")
    const rest = isWhole || defaultBackend === undefined ? [] : [everything(defaultBackend)]
    return { host: host.toLowerCase(), field: fieldPath("spec", "rules", at), paths: [...paths, ...rest] }
  })
  if (rules.length > 0 || defaultBackend === undefined) return own
  return [{ host: "", field: "spec.defaultBackend", paths: [everything(defaultBackend)] }]
}

function everything(backend: IngressPath["backend"]): IngressPath {
  return { path: "/", pathType: "Prefix", backend }
}

function ofRule(rule: Rule, converting: Converting): readonly Draft[] {
  const { host, field } = rule
  const { remarks, subject, values, listeners } = converting
  if (host !== "" && checkHost(host) !== undefined) {
    remarks.add("left-out", fieldPath(field, "host"), `${shown(host)} is no host of a route`)
    return []
  }
  const passed = listeners.passthrough(host)
  if (passed !== undefined && !converting.isClosed) return passedThrough(rule, passed, converting)
  const names = [host, ...aliasesOf(values)].filter((name) => name !== "")
  const { appRoot } = values.routing
  const rules = [
    ...(appRoot === undefined || converting.isClosed ? [] : [appRootRule(appRoot)]),
    ...rule.paths.flatMap((path, index) =>
      rulesForPath(path, host, fieldPath(field, "http", "paths", index), converting),
    ),
  ]
  const parts = names.length === 0 ? [[]] : chunks(names, maxHostnames)
  const main = rules.length === 0 ? [] : parts.flatMap((part) => draftsFor(converting, part, rules))
  return [...main, ...wwwDrafts(host, subject, converting)]
}

function draft(
  { subject, keepsAnnotations }: Converting,
  suffix: string,
  rest: Pick<Draft, "kind" | "hostnames" | "parentRefs" | "rules">,
): Draft {
  const { namespace, name } = subject.ingress.meta
  const isProxied = suffix === ""
  const annotations = keepsAnnotations && isProxied ? keptAnnotations(subject) : undefined
  return { namespace, name, suffix, ...(annotations && { annotations }), ...rest }
}

/**
 * By HTTP it is redirected where HTTPS is wanted of the host, or the Ingress says so in any case.
 *
 * @param hostnames none: all hosts
 */
function draftsFor(
  converting: Converting,
  hostnames: readonly string[],
  rules: readonly Json[],
): readonly Draft[] {
  const { values, listeners, subject } = converting
  const { settings } = subject.around
  const [host = ""] = hostnames
  const hosts = hostnames.length === 0 ? [""] : hostnames
  const secure = hosts.map((name) => listeners.https(name)).filter((ref) => ref !== undefined)
  const isForced = values.routing.forceSslRedirect ?? settings.forceSslRedirect
  const isWanted =
    secure.length > 0 &&
    hosts.some(listeners.isSecured) &&
    (values.routing.sslRedirect ?? settings.sslRedirect)
  const kind = isGrpc(values) && !converting.isClosed ? "GRPCRoute" : "HTTPRoute"
  if ((!isForced && !isWanted) || kind === "GRPCRoute")
    return [draft(converting, "", { kind, hostnames, parentRefs: [listeners.http, ...secure], rules })]
  const toHttps = redirect({ scheme: "https", statusCode: settings.httpRedirectCode })
  const redirects = rules.map(({ matches }) => ({ matches, filters: [toHttps] }))
  const own =
    secure.length === 0 ? [] : [draft(converting, "", { kind, hostnames, parentRefs: secure, rules })]
  if (secure.length === 0)
    converting.remarks.add(
      "left-out",
      at(subject, "force-ssl-redirect"),
      `${host === "" ? "Other hosts have" : `${host} has`} no certificate, so that nothing is served by HTTPS`,
    )
  return [
    ...own,
    draft(converting, "redirect", {
      kind: "HTTPRoute",
      hostnames,
      parentRefs: [listeners.http],
      rules: withoutRepeated(redirects),
    }),
  ]
}

function withoutRepeated(rules: readonly Json[]): readonly Json[] {
  return distinctBy(rules, (rule) => JSON.stringify(rule))
}

function aliasesOf({ routing }: AnnotationValues): readonly string[] {
  return routing.aliases ?? []
}

/** The other name leads to the host of the rule. */
function wwwDrafts(host: string, subject: Subject, converting: Converting): readonly Draft[] {
  const { values, listeners } = converting
  if (values.routing.redirectsWww !== true || host === "" || host.startsWith("*.")) return []
  const other = otherName(host)
  const to = redirect({ hostname: host, statusCode: subject.around.settings.httpRedirectCode })
  const parentRefs = [listeners.http, ...[listeners.https(other)].filter((ref) => ref !== undefined)]
  const rules = [{ matches: [{ path: { type: "PathPrefix", value: "/" } }], filters: [to] }]
  return [draft(converting, "www", { kind: "HTTPRoute", hostnames: [other], parentRefs, rules })]
}

/** What is passed through leads to the backend of `/`, or the first one. */
function passedThrough({ host, field, paths }: Rule, ref: Json, converting: Converting): readonly Draft[] {
  const { subject, remarks } = converting
  const path = paths.find((it) => it.path === "/") ?? paths[0]
  if (path === undefined) return []
  const backend = backendRefOf(path.backend, subject.ingress.meta.namespace, subject.around.objects.services)
  if ("because" in backend) {
    remarks.add("left-out", fieldPath(field, "http"), `${backend.because}: the host was left out`)
    return []
  }
  const rules = [{ backendRefs: [{ ...backend }] }]
  return [draft(converting, "tls", { kind: "TLSRoute", hostnames: [host], parentRefs: [ref], rules })]
}

function backendNames({ backendRefs }: Json): readonly string[] {
  return ((backendRefs ?? []) as readonly BackendRef[]).map(({ name }) => name)
}
