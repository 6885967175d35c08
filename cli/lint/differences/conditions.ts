import { isIP } from "node:net"
import { blockedWord, riskyAnnotations } from "../../../controller/core/annotations/rules.ts"
import { otherName } from "../../../controller/core/annotations/wanted-hosts.ts"
import { fieldPath } from "../../../controller/model/field-path.ts"
import type { Ingress, IngressPath } from "../../../controller/model/objects/ingress.ts"
import type { Service } from "../../../controller/model/objects/service.ts"
import { type Evidence, type Matcher, nameOf, type Subject } from "../subject.ts"
import { both, either, ingressItself, keySays, says, uses } from "./matching.ts"

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

/** An annotation that the old controller leaves the whole Ingress out for. Snippets that are not allowed it only empties. */
export const aboveRiskLevel: Matcher = ({ ingress, around: { settings, options } }) => {
  const rules = { settings, prefix: options.annotationsPrefix }
  const blocked = Object.entries(ingress.meta.annotations).flatMap(
    ([key, value]) => blockedWord(key, value, rules) ?? [],
  )
  const found = [...blocked, ...riskyAnnotations(ingress, rules)]
  return found.map(({ field }): Evidence => ({ object: nameOf(ingress), field }))
}

function hasPatterns(ingress: Ingress, prefix: string): boolean {
  const { annotations } = ingress.meta
  return (
    /^true$/i.test(annotations[`${prefix}/use-regex`] ?? "") ||
    annotations[`${prefix}/rewrite-target`] !== undefined
  )
}

export const exactRootBesidePattern = pathsLike(({ pathType, path, host }, { around }) => {
  if (pathType !== "Exact" || path !== "/") return false
  const others = around.byHost.get(host || "_") ?? []
  return others.some((other) => hasPatterns(other, around.options.annotationsPrefix))
})

/** Whether a regular expression is expensive cannot be told; those that are have such a form. */
export const nestedRepetition = both(
  uses("use-regex", "rewrite-target"),
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
  const target = subject.annotations.get("rewrite-target")?.value
  const paths = subject.ingress.rules.flatMap((rule) => rule.paths ?? [])
  const isOwn =
    target !== undefined && paths.length > 0 && paths.every(({ path }) => (path || "/") === target)
  return isOwn ? uses("rewrite-target")(subject) : []
}

function serviceOf({ ingress, around }: Subject, { backend }: IngressPath): Service | undefined {
  if (backend.kind !== "service") return undefined
  return around.objects.services.get(`${ingress.meta.namespace}/${backend.name}`)
}

/** Where the Service is not known it may. */
export const namesTargetPort = both(
  either(says("service-upstream", /^true$/), keySays("service-upstream", /^true$/)),
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
    ? says("load-balance", /^ewma$/)(subject)
    : keySays("load-balance", /^ewma$/)(subject)

export const cookieForSemicolon = both(
  uses("affinity"),
  pathsLike(({ path }) => path.includes(";")),
)

/** nginx's timers are 31-bit milliseconds. */
const maxTimerSeconds = 2_147_483

export const longTimeout: Matcher = (subject) =>
  ["proxy-connect-timeout", "proxy-send-timeout", "proxy-read-timeout"].flatMap((name) => {
    const seconds = Number.parseInt(subject.annotations.get(name)?.value ?? "", 10)
    return seconds > maxTimerSeconds ? uses(name)(subject) : []
  })

const unbounded = /^[+-]?0+$|^-|^(?:1[7-9]|[2-9]\d|\d{3,})$/

export const unboundedTries: Matcher = (subject) =>
  subject.annotations.has("proxy-next-upstream-tries")
    ? says("proxy-next-upstream-tries", unbounded)(subject)
    : keySays("proxy-next-upstream-tries", unbounded)(subject)

const headersOfController =
  /^(?:host|connection|upgrade|proxy|x-request-id|x-real-ip|x-forwarded-(?:for|host|port|proto|scheme)|x-scheme|x-original-forwarded-(?:for|host))$/i

/** Of a ConfigMap that is not known it may. */
export const setsOwnHeaders: Matcher = (subject) => {
  const found = keySays("proxy-set-headers", /./)(subject)
  const { configMap, objects } = subject.around
  const named = configMap && objects.configMaps.get(configMap.data["proxy-set-headers"] ?? "")
  const isOwn = named === undefined || Object.keys(named.data).some((name) => headersOfController.test(name))
  return isOwn ? found : []
}

/** The host is another Ingress's, too, and one of both has the annotation. */
export function sharesHost(name: string): Matcher {
  return (subject) => {
    const { annotationsPrefix } = subject.around.options
    const hosts = new Set(subject.ingress.rules.map(({ host }) => host.toLowerCase() || "_"))
    const all = [...hosts].flatMap((host) => subject.around.byHost.get(host) ?? [])
    const isUsed = all.some(({ meta }) => meta.annotations[`${annotationsPrefix}/${name}`] !== undefined)
    return isUsed && new Set(all).size > 1 ? ingressItself(subject, "spec.rules") : []
  }
}

/** Where the Secret is not known nothing is found: that is said elsewhere. */
export const argon2: Matcher = (subject) => {
  const named = subject.annotations.get("auth-secret")?.value.replaceAll(" ", "") ?? ""
  const name = named.includes("/") ? named : `${subject.ingress.meta.namespace}/${named}`
  const data = subject.around.objects.secrets.get(name)?.data ?? {}
  const isUsed = Object.values(data).some((bytes) => Buffer.from(bytes).includes("$argon2"))
  return isUsed ? uses("auth-secret")(subject) : []
}

export const limitsOrigins = both(says("enable-cors", /^true$/), says("cors-allow-origin", /^(?!\*$)/))

export const slashRedirect = pathsLike(({ path }) => path.length > 1 && path.endsWith("/"))

export const hostListedTwice: Matcher = (subject) => {
  const hosts = subject.ingress.tls.flatMap(({ hosts }) => hosts.map((host) => host.toLowerCase()))
  return new Set(hosts).size < hosts.length ? ingressItself(subject, "spec.tls") : []
}

/** An alias that is not the host of a rule, which would have its requests. */
export const servedAlias: Matcher = (subject) => {
  const names = (subject.annotations.get("server-alias")?.value ?? "").split(",")
  const isServed = names.some((name) => {
    const alias = name.trim().toLowerCase()
    return alias !== "" && !subject.around.byHost.has(alias)
  })
  return isServed ? uses("server-alias")(subject) : []
}

/** Aliases, and the other name of a www redirect. */
export const tlsListsOtherNames: Matcher = (subject) => {
  const { ingress, annotations } = subject
  const rules = ingress.rules.map(({ host }) => host.toLowerCase())
  const aliases = (annotations.get("server-alias")?.value ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
  const redirected = annotations.get("from-to-www-redirect")?.value === "true" ? rules.map(otherName) : []
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
  subject.around.options.enableSslPassthrough ? says("ssl-passthrough", /^true$/)(subject) : []

/** Another namespace has the host longer, and this Ingress writes patterns for it. */
export const foreignPattern = both(
  either(says("use-regex", /^true$/i), uses("rewrite-target")),
  pathsLike(({ host, path }, { ingress, around }) => {
    if (!/[\\^$|?*+()[\]{}]/.test(path)) return false
    const others = around.byHost.get(host || "_") ?? []
    return others.some(
      ({ meta }) => meta.namespace !== ingress.meta.namespace && meta.createdMs <= ingress.meta.createdMs,
    )
  }),
)

/** It is the canary of some of the paths of a Service, and others have none. */
export const dividesService: Matcher = (subject) => {
  const { ingress, around } = subject
  if (says("canary", /^true$/)(subject).length === 0) return []
  const prefix = around.options.annotationsPrefix
  const own = new Set(placesOf(ingress).map(({ place }) => place))
  const mains = around.objects.ingresses
    .filter(({ meta }) => meta.namespace === ingress.meta.namespace)
    .filter(({ meta }) => meta.annotations[`${prefix}/canary`] !== "true")
    .flatMap(placesOf)
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
