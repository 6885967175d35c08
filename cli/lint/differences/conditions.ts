import { isIP } from "node:net"
import { qualify } from "../../../controller/core/annotations/references.ts"
import { blockedWords, riskyAnnotations } from "../../../controller/core/annotations/rules.ts"
import { annotations } from "../../../controller/core/annotations/table.ts"
import { otherName } from "../../../controller/core/annotations/wanted-hosts.ts"
import { keyOf } from "../../../controller/core/options/configmap.ts"
import { isAbove, type Risk } from "../../../controller/core/options/keys/permissions.ts"
import { fieldPath } from "../../../controller/model/field-path.ts"
import type { Ingress, IngressPath } from "../../../controller/model/objects/ingress.ts"
import { nameOf, qualifiedName } from "../../../controller/model/objects/object.ts"
import type { Service } from "../../../controller/model/objects/service.ts"
import { hasPatterns } from "../patterns.ts"
import type { Evidence, Matcher, Subject } from "../subject.ts"
import { both, either, ingressItself, key, keySays, says, uses } from "./matching.ts"

// What single differences ask for, beyond the words of matching.ts.

/** A path with its host, in lower case. */
interface Place extends IngressPath {
  readonly host: string
}

function pathsLike(isMeant: (path: Place, subject: Subject) => boolean): Matcher {
  return (subject) =>
    subject.ingress.rules.flatMap((rule, at) => {
      const host = rule.host.toLowerCase()
      return (rule.paths ?? []).flatMap((path, index) =>
        isMeant({ ...path, host }, subject)
          ? [{ object: nameOf(subject.ingress), field: fieldOfPath(at, index) }]
          : [],
      )
    })
}

function fieldOfPath(rule: number, path: number): string {
  return fieldPath("spec", "rules", rule, "http", "paths", path, "path")
}

/** An annotation that breaks a rule of the ConfigMap. */
export const breaksRules: Matcher = ({ ingress, around: { settings, options } }) => {
  const rules = { settings, prefix: options.annotationsPrefix }
  const found = [...blockedWords(ingress, rules), ...riskyAnnotations(ingress, rules)]
  return found.map(({ field }): Evidence => ({ object: nameOf(ingress), field }))
}

/** An annotation that the old controller leaves the whole Ingress out for. Snippets that are not allowed it only empties. */
export const leftOutBefore: Matcher = (subject) => {
  const { settings } = subject.around
  const around = { ...subject.around, settings: { ...settings, maxRisk: riskLevelBefore(subject) } }
  return breaksRules({ ...subject, around })
}

/** To the old controller every word is `Low` that it does not know, and all snippets are `Critical`. */
function riskLevelBefore({ around: { configMap, settings } }: Subject): Risk {
  const isSaid = Object.keys(configMap?.data ?? {}).some((key) => key.toLowerCase() === riskKey)
  if (!isSaid) return "high"
  return settings.maxRisk === "parsed" ? "low" : settings.maxRisk
}

const riskKey = keyOf("maxRisk")

/** A snippet that the old controller has no effect for, or no Ingress: it wants both permissions. */
export const withoutPermission: Matcher = (subject) => {
  const { settings } = subject.around
  const isAllowed = settings.allowsSnippetAnnotations && riskLevelBefore(subject) === "critical"
  return isAllowed || isAbove("parsed", settings.maxRisk) ? [] : uses(...parsedSnippets)(subject)
}

/** Rules of ModSecurity look at its requests. */
export const withFirewall: Matcher = (subject) => {
  const own = subject.values.modsecurity.isOn
  if ((own ?? subject.around.settings.enablesModsecurity) !== true) return []
  return own === true ? uses("enable-modsecurity")(subject) : key("enable-modsecurity")(subject)
}

/** The same, and nobody says where what they find is written. */
export const withoutAuditLog: Matcher = (subject) =>
  subject.around.settings.modsecurityAuditLog === "" ? withFirewall(subject) : []

const parsedSnippets = annotations.flatMap(({ name, risk }) => (risk === "parsed" ? [name] : []))

/** The paths of its hosts are regular expressions. */
const writesPatterns = either(
  says("routing", "usesRegex", true),
  says("routing", "rewriteTarget", () => true),
)

export const exactRootBesidePattern = pathsLike(({ pathType, path, host }, { around }) => {
  if (pathType !== "Exact" || path !== "/") return false
  const others = around.byHost.get(host || "_") ?? []
  return others.some(hasPatterns)
})

/** Whether a regular expression is expensive cannot be told; those that are have such a form. */
export const nestedRepetition = both(
  writesPatterns,
  pathsLike(({ path }) => hasNestedRepetition(path)),
)

/** As `[*+}][^()]*\)[*+{]` would say it, but in linear time: the webhook is asked by anybody. */
function hasNestedRepetition(path: string): boolean {
  const pieces = path.split(/([()])/)
  return pieces.some(
    (piece, at) => /[*+}]/.test(piece) && pieces[at + 1] === ")" && /^[*+{]/.test(pieces[at + 2] ?? ""),
  )
}

export const ownHealthPath = pathsLike(
  ({ host, path }, { around }) =>
    host === "" && [around.options.healthCheckPath, "/nginx_status"].some((own) => path.startsWith(own)),
)

export const rewritesToOwnPath: Matcher = (subject) => {
  const paths = subject.ingress.rules.flatMap((rule) => rule.paths ?? [])
  const isOwn = (target: string) => paths.length > 0 && paths.every(({ path }) => (path || "/") === target)
  return says("routing", "rewriteTarget", isOwn)(subject)
}

function serviceOf({ ingress, around }: Subject, { backend }: IngressPath): Service | undefined {
  if (backend.kind !== "service") return undefined
  return around.objects.services.get(`${ingress.meta.namespace}/${backend.name}`)
}

/** Where the Service is not known it may. */
export const namesTargetPort = both(
  either(says("balancing", "serviceUpstream", true), keySays("serviceUpstream", true)),
  pathsLike((path, subject) => {
    const service = serviceOf(subject, path)
    if (path.backend.kind !== "service" || path.backend.port.kind !== "number") return false
    const { number } = path.backend.port
    return service === undefined || !service.ports.some(({ port }) => port === number)
  }),
)

/** As ingress-nginx names backends. */
export function shortBackendName(namespace: string, { backend }: IngressPath): string | undefined {
  if (backend.kind !== "service") return undefined
  const { name, port } = backend
  const portName = port.kind === "number" ? String(port.number) : port.kind === "name" ? port.name : ""
  return `${namespace}-${name}-${portName}`
}

export const sharesBackendName = pathsLike((path, { ingress, around }) => {
  const name = shortBackendName(ingress.meta.namespace, path)
  return name !== undefined && around.sharedBackendNames.has(name)
})

export const externalNameIsAddress = pathsLike(
  (path, subject) => isIP(serviceOf(subject, path)?.externalName ?? "") !== 0,
)

/** By the annotation, or where it says nothing by the ConfigMap. */
export const ewma: Matcher = (subject) =>
  subject.annotations.has("load-balance")
    ? says("balancing", "loadBalance", "ewma")(subject)
    : keySays("loadBalance", "ewma")(subject)

export const cookieForSemicolon = both(
  uses("affinity"),
  pathsLike(({ path }) => path.includes(";")),
)

const isUnbounded = (tries: number) => tries === 0 || tries > 16

export const unboundedTries: Matcher = (subject) =>
  subject.annotations.has("proxy-next-upstream-tries")
    ? says("route", "proxyNextUpstreamTries", isUnbounded)(subject)
    : keySays("proxyNextUpstreamTries", isUnbounded)(subject)

const headersOfController =
  /^(?:host|connection|upgrade|proxy|x-request-id|x-real-ip|x-forwarded-(?:for|host|port|proto|scheme)|x-scheme|x-original-forwarded-(?:for|host))$/i

/** Of a ConfigMap that is not known it may. */
export const setsOwnHeaders: Matcher = (subject) => {
  const found = key("proxy-set-headers")(subject)
  const { configMap, objects } = subject.around
  const named = configMap && objects.configMaps.get(configMap.data["proxy-set-headers"] ?? "")
  const isOwn = named === undefined || Object.keys(named.data).some((name) => headersOfController.test(name))
  return isOwn ? found : []
}

/** The host is another Ingress's, too, and one of both has the annotation. */
export function sharesHost(name: string): Matcher {
  return (subject) => {
    const hosts = new Set(subject.ingress.rules.map(({ host }) => host.toLowerCase() || "_"))
    const all = [...hosts].flatMap((host) => subject.around.byHost.get(host) ?? [])
    const isUsed = all.some(({ annotations }) => annotations.has(name))
    return isUsed && new Set(all).size > 1 ? ingressItself(subject, "spec.rules") : []
  }
}

/** Where the Secret is not known nothing is found: that is said elsewhere. */
export const argon2: Matcher = (subject) => {
  const { objects } = subject.around
  const hasArgon2 = (reference: string) => {
    const name = qualifiedName(qualify(reference, subject.ingress.meta.namespace))
    const values = Object.values(objects.secrets.get(name)?.data ?? {})
    return values.some((bytes) => Buffer.from(bytes).includes("$argon2"))
  }
  return says("access", "authSecret", hasArgon2)(subject)
}

export const limitsOrigins = both(
  says("cors", "isEnabled", true),
  says("cors", "origins", (origins) => !origins.includes("*")),
)

export const slashRedirect = pathsLike(({ path }) => path.length > 1 && path.endsWith("/"))

export const hostListedTwice: Matcher = (subject) => {
  const hosts = subject.ingress.tls.flatMap(({ hosts }) => hosts.map((host) => host.toLowerCase()))
  return new Set(hosts).size < hosts.length ? ingressItself(subject, "spec.tls") : []
}

/** An alias that is not the host of a rule, which would have its requests. */
export const servedAlias: Matcher = (subject) =>
  says("routing", "aliases", (names) => names.some((name) => !subject.around.byHost.has(name)))(subject)

/** Aliases, and the other name of a www redirect. */
export const tlsListsOtherNames: Matcher = (subject) => {
  const { ingress, values } = subject
  const { aliases = [], redirectsWww = false } = values.routing
  const rules = ingress.rules.map(({ host }) => host.toLowerCase())
  const redirected = redirectsWww ? rules.map(otherName) : []
  const others = new Set([...aliases, ...redirected].filter((name) => !rules.includes(name)))
  const isListed = ingress.tls.some(({ hosts }) => hosts.some((host) => others.has(host.toLowerCase())))
  return isListed ? ingressItself(subject, "spec.tls") : []
}

export const wildcardHost: Matcher = (subject) =>
  subject.ingress.rules.some(({ host }) => host.startsWith("*.")) ? ingressItself(subject, "spec.rules") : []

export const onlyDefaultBackend: Matcher = (subject) => {
  const { defaultBackend, rules } = subject.ingress
  return defaultBackend !== undefined && rules.length === 0
    ? ingressItself(subject, "spec.defaultBackend")
    : []
}

export const passesTls: Matcher = (subject) =>
  subject.around.options.enableSslPassthrough ? says("routing", "passesTls", true)(subject) : []

/** Another namespace has the host longer, and this Ingress writes patterns for it. */
export const foreignPattern = both(
  writesPatterns,
  pathsLike(({ host, path }, { ingress, around }) => {
    if (!/[\\^$|?*+()[\]{}]/.test(path)) return false
    const others = around.byHost.get(host || "_") ?? []
    return others.some(
      ({ ingress: { meta } }) =>
        meta.namespace !== ingress.meta.namespace && meta.createdMs <= ingress.meta.createdMs,
    )
  }),
)

/** It is the canary of some of the paths of a Service, and others have none. */
export const dividesService: Matcher = (subject) => {
  const { ingress, around, values } = subject
  if (values.canary.isCanary !== true) return []
  const own = new Set(placesOf(ingress).map(({ place }) => place))
  const mains = around.ingresses
    .filter((other) => other.ingress.meta.namespace === ingress.meta.namespace)
    .filter(({ values }) => values.canary.isCanary !== true)
    .flatMap((other) => placesOf(other.ingress))
  const primaries = new Set(mains.flatMap(({ place, service }) => (own.has(place) ? [service] : [])))
  const isDivided = mains.some(({ place, service }) => primaries.has(service) && !own.has(place))
  return isDivided ? ingressItself(subject, "spec.rules") : []
}

/** Host, path and type in one, and the Service behind it. */
function placesOf({ meta, rules }: Ingress): readonly { readonly place: string; readonly service: string }[] {
  return rules.flatMap(({ host, paths = [] }) =>
    paths.flatMap((path) => {
      const service = shortBackendName(meta.namespace, path)
      const isExact = path.pathType === "Exact"
      const place = `${host.toLowerCase()} ${path.path || "/"} ${isExact}`
      return service === undefined ? [] : [{ place, service }]
    }),
  )
}

/** Error pages, by the annotation or else the ConfigMap, for one of these codes. */
export function errorCodes(isMeant: (code: number) => boolean): Matcher {
  const has = (codes: readonly number[]) => codes.some(isMeant)
  return either(says("errors", "codes", has), keySays("errorCodes", has))
}
