import type { AnnotationValues } from "../../controller/core/annotations/values.ts"
import { otherName } from "../../controller/core/annotations/wanted-hosts.ts"
import { fieldPath } from "../../controller/model/field-path.ts"
import type { IngressPath } from "../../controller/model/objects/ingress.ts"
import type { Route } from "../../controller/model/route.ts"
import { shown } from "../../controller/model/shown.ts"
import { checkHost } from "../../controller/support/host-name.ts"
import type { Subject } from "../lint/subject.ts"
import { type BackendRef, backendPolicies, backendRefOf } from "./backends.ts"
import type { GatewayObject, Json, Remarks } from "./conversion.ts"
import type { Converting, RouteContext } from "./converting.ts"
import { type Draft, maxHostnames } from "./drafts.ts"
import { at, filtersOf, vhostOf } from "./filters.ts"
import { chunks } from "./listeners.ts"
import { mirrorFilter } from "./mirrors.ts"
import { redirect } from "./redirects.ts"
import { ownRest, remarkHost } from "./rest.ts"
import { draftOf, draftsFor } from "./route-drafts.ts"
import { appRootRule, redirectOfRest, rulesForPath } from "./rules.ts"

export interface IngressRoutes {
  readonly drafts: readonly Draft[]
  readonly policies: readonly GatewayObject[]
}

export function routesOfIngress(subject: Subject, context: RouteContext, remarks: Remarks): IngressRoutes {
  const { values } = subject
  const { isClosed, keepsAnnotations } = context
  if (values.protocol.protocol === "fastcgi" && !isClosed && !keepsAnnotations) {
    remarks.add(
      "left-out",
      at(subject, "backend-protocol"),
      "FastCGI is not spoken: nothing of it was converted",
    )
    return { drafts: [], policies: [] }
  }
  const common = isClosed || keepsAnnotations ? nothing : commonOf(subject, values, remarks)
  const converting = { ...context, ...common, subject, values, remarks }
  const drafts = rulesOf(subject).flatMap((rule) => ofRule(rule, converting))
  const names = drafts.flatMap(({ rules: all }) => all.flatMap(backendNames))
  const policies = keepsAnnotations
    ? []
    : backendPolicies(subject, values, [...new Set(names)].sort(), remarks)
  return { drafts, policies }
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
  /** no rule before it is for this host */
  readonly isFirst: boolean
}

function rulesOf({ ingress }: Subject): readonly Rule[] {
  const { defaultBackend, rules } = ingress
  const own = rules.map(({ host, paths = [] }, at): Rule => {
    const isWhole = paths.some(({ path, pathType }) => (path === "/" || path === "") && pathType !== "Exact")
    const rest = isWhole || defaultBackend === undefined ? [] : [everything(defaultBackend)]
    return {
      host: host.toLowerCase(),
      field: fieldPath("spec", "rules", at),
      paths: [...paths, ...rest],
      isFirst: rules.findIndex((it) => it.host.toLowerCase() === host.toLowerCase()) === at,
    }
  })
  if (rules.length > 0 || defaultBackend === undefined) return own
  return [{ host: "", field: "spec.defaultBackend", paths: [everything(defaultBackend)], isFirst: true }]
}

function everything(backend: IngressPath["backend"]): IngressPath {
  return { path: "/", pathType: "Prefix", backend }
}

function ofRule(rule: Rule, converting: Converting): readonly Draft[] {
  const { host, field } = rule
  const { remarks, subject, values, listeners, served } = converting
  if (host !== "" && checkHost(host) !== undefined) {
    remarks.add("left-out", fieldPath(field, "host"), `${shown(host)} is no host of a route`)
    return []
  }
  const passed = listeners.passthrough(host)
  if (passed !== undefined && !converting.isClosed) return passedThrough(rule, passed, converting)
  const names = [host, ...aliasesOf(values)].filter((name) => name !== "")
  const { appRoot } = values.routing
  const leadsToRoot = appRoot !== undefined && !converting.isClosed && isLedTo(appRoot, served.routes(host))
  const rest = rule.isFirst ? ownRest(host, converting) : undefined
  const rules = [
    ...(leadsToRoot ? [appRootRule(appRoot)] : []),
    ...rule.paths.flatMap((path, index) =>
      rulesForPath(path, host, fieldPath(field, "http", "paths", index), converting),
    ),
    ...(rest?.redirect === undefined || converting.isClosed ? [] : redirectOfRest(converting)),
  ]
  // A host without paths has no route.
  if (rule.isFirst) remarkHost(rule, rest, rules.length > 0, converting)
  const parts = names.length === 0 ? [[]] : chunks(names, maxHostnames)
  const isLed = rest?.httpsRedirect !== undefined
  const main = rules.length === 0 ? [] : parts.flatMap((part) => draftsFor(converting, part, rules, isLed))
  return [...main, ...wwwDrafts(host, subject, converting)]
}

/** Whether `/` of a host leads there: of several Ingresses one is heard. */
function isLedTo(appRoot: string, routes: readonly Route[]): boolean {
  return routes.some(({ path, redirect: to }) => path === "/" && to?.to.endsWith(appRoot))
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
  return [draftOf(converting, "www", { kind: "HTTPRoute", hostnames: [other], parentRefs, rules })]
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
  remarks.addChange(
    "passthrough",
    fieldPath(field, "host"),
    `${host} is not served without TLS from now on: a TLSRoute has connections, no requests`,
  )
  return [draftOf(converting, "tls", { kind: "TLSRoute", hostnames: [host], parentRefs: [ref], rules })]
}

export function backendNames({ backendRefs }: Json): readonly string[] {
  return ((backendRefs ?? []) as readonly BackendRef[]).map(({ name }) => name)
}
