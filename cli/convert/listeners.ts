import type { Options } from "../../controller/core/options/flags.ts"
import { fieldPath } from "../../controller/model/field-path.ts"
import { gatewayGroup } from "../../controller/model/objects/gateway/names.ts"
import type { Ingress } from "../../controller/model/objects/ingress.ts"
import { qualifiedName } from "../../controller/model/objects/object.ts"
import { checkHost } from "../../controller/support/host-name.ts"
import { compareText } from "../../controller/support/order.ts"
import type { Subject } from "../lint/subject.ts"
import { type GatewayObject, gatewayObject, type Json, type Remark, remarksOf } from "./conversion.ts"

// One Gateway for all Ingresses: a listener for HTTP, one by HTTPS for each host with a certificate, one by TLS for each host that is passed through.
// What no longer fits into it stands in ListenerSets.

export interface GatewayOptions {
  readonly namespace: string
  readonly name: string
  readonly gatewayClass: string
}

/** Where a route is attached to. */
export type ParentRef = Json

export interface Listeners {
  readonly objects: readonly GatewayObject[]
  readonly http: ParentRef
  /** that a handshake for a host of routes gets; undefined: no certificate is for it */
  readonly https: (host: string) => ParentRef | undefined
  readonly passthrough: (host: string) => ParentRef | undefined
  /** whether HTTPS is wanted of a host: an Ingress has it among its `tls`, be it without a certificate of its own */
  readonly isSecured: (host: string) => boolean
}

/** A host with a certificate; `host` is "" for all others. */
interface TlsHost {
  readonly host: string
  /** `undefined`: passed through */
  readonly secret: { readonly namespace: string; readonly name: string } | undefined
}

const maxListeners = 64

export function listenersOf(
  subjects: readonly Subject[],
  gateway: GatewayOptions,
  { defaultSslCertificate, enableSslPassthrough }: Options,
  remarks: Remark[],
): Listeners {
  const hosts = tlsHostsOf(subjects, enableSslPassthrough, remarks, Boolean(defaultSslCertificate))
  const secured = new Set(subjects.flatMap(({ ingress }) => securedBy(ingress)))
  if (defaultSslCertificate) hosts.set("", { host: "", secret: defaultSslCertificate })
  const sorted = [...hosts.values()].sort((a, b) => compareText(a.host, b.host))
  const listeners = [httpListener, ...sorted.map((host) => listenerOf(host, gateway))]
  const own = listeners.slice(0, maxListeners)
  const sets = chunks(listeners.slice(maxListeners), maxListeners).map((part, at) => ({
    name: `${gateway.name}-${at + 2}`,
    part,
  }))
  const refs = new Map([
    ...own.map((it) => [it.name, refTo(it, gateway.name, gateway)] as const),
    ...sets.flatMap(({ name, part }) =>
      part.map(
        (it) => [it.name, { group: gatewayGroup, kind: "ListenerSet", ...refTo(it, name, gateway) }] as const,
      ),
    ),
  ])
  const find = (host: string, isPassed: boolean): ParentRef | undefined => {
    const found = hostFor(host, hosts, isPassed)
    return found && refs.get(nameOf(found))
  }
  return {
    objects: [
      gatewayOf(own, sets.length > 0, gateway),
      ...sets.map(({ name, part }) => listenerSet(name, part, gateway)),
      ...grants(sorted, gateway, sets.length > 0),
    ],
    http: refs.get(httpListener.name) ?? {},
    https: (host) => find(host, false),
    passthrough: (host) => find(host, true),
    isSecured: (host) => secured.has(host) || secured.has(wildcardOver(host)),
  }
}

function tlsHostsOf(
  subjects: readonly Subject[],
  canPass: boolean,
  remarks: Remark[],
  hasDefault: boolean,
): Map<string, TlsHost> {
  const hosts = new Map<string, TlsHost>()
  for (const subject of oldestFirst(subjects)) collect(subject, hosts, { canPass, hasDefault, remarks })
  return hosts
}

/** Whatever hosts its entries name, all of an Ingress with `tls` are led to HTTPS: those without a certificate get the one for all others. */
function securedBy({ tls, rules }: Ingress): readonly string[] {
  if (tls.length === 0) return []
  const hosts = [...rules.map(({ host }) => host), ...tls.flatMap((entry) => entry.hosts)]
  return hosts.map((host) => host.toLowerCase())
}

const wildcardOver = (host: string) => host.replace(/^[^.]*/, "*")

/** The one that a handshake for the host gets; undefined where there is none, or it is of the other kind. */
function hostFor(host: string, hosts: ReadonlyMap<string, TlsHost>, isPassed: boolean): TlsHost | undefined {
  const names = [host, wildcardOver(host), ...(isPassed ? [] : [""])]
  const found = names.map((name) => hosts.get(name)).find((it) => it !== undefined)
  return found !== undefined && (found.secret === undefined) === isPassed ? found : undefined
}

/** @param name of the Gateway or ListenerSet */
function refTo({ name: sectionName }: Listener, name: string, { namespace }: GatewayOptions): ParentRef {
  return { namespace, name, sectionName }
}

function gatewayOf(listeners: readonly Listener[], hasSets: boolean, gateway: GatewayOptions): GatewayObject {
  return gatewayObject("Gateway", gateway.namespace, gateway.name, {
    gatewayClassName: gateway.gatewayClass,
    ...(hasSets && { allowedListeners: { namespaces: { from: "Same" } } }),
    listeners,
  })
}

function listenerSet(name: string, listeners: readonly Listener[], gateway: GatewayOptions): GatewayObject {
  const parentRef = { name: gateway.name }
  return gatewayObject("ListenerSet", gateway.namespace, name, { parentRef, listeners })
}

type Listener = Json & { readonly name: string }

const fromAll = { namespaces: { from: "All" } }
const httpListener: Listener = { name: "http", port: 80, protocol: "HTTP", allowedRoutes: fromAll }

function listenerOf(host: TlsHost, gateway: GatewayOptions): Listener {
  const { secret } = host
  return {
    name: nameOf(host),
    port: 443,
    protocol: secret === undefined ? "TLS" : "HTTPS",
    ...(host.host !== "" && { hostname: host.host }),
    tls: secret === undefined ? { mode: "Passthrough" } : terminating(secret, gateway),
    allowedRoutes: fromAll,
  }
}

function terminating({ namespace, name }: NonNullable<TlsHost["secret"]>, gateway: GatewayOptions): Json {
  const isOwn = namespace === gateway.namespace
  return { mode: "Terminate", certificateRefs: [{ name, ...(!isOwn && { namespace }) }] }
}

/** Of a wildcard it is one that no other host's is, whatever that is called. */
function nameOf({ host, secret }: TlsHost): string {
  const protocol = secret === undefined ? "tls" : "https"
  if (host.startsWith("*.")) return `wildcard-${protocol}-${host.slice("*.".length)}`
  return host === "" ? protocol : `${protocol}-${host}`
}

interface Collecting {
  readonly canPass: boolean
  /** there is a certificate for all others */
  readonly hasDefault: boolean
  readonly remarks: Remark[]
}

/** Of several Ingresses the oldest decides about a host. */
function collect(
  { ingress, values }: Subject,
  hosts: Map<string, TlsHost>,
  { canPass, hasDefault, remarks }: Collecting,
): void {
  const { namespace, name } = ingress.meta
  const { add } = remarksOf({ kind: "Ingress", namespace, name }, remarks)
  const rules = ingress.rules.map(({ host }) => host.toLowerCase()).filter((host) => host !== "")
  const isPassed = canPass && values.routing.passesTls === true
  for (const host of isPassed ? rules.filter((it) => checkHost(it) === undefined) : [])
    hosts.set(host, { host, secret: undefined })
  ingress.tls.forEach(({ hosts: written, secretName }, at) => {
    const field = fieldPath("spec", "tls", at)
    for (const host of written.length > 0 ? written.map((it) => it.toLowerCase()) : rules) {
      const secret = { namespace, name: secretName }
      const known = hosts.get(host)
      if (checkHost(host) !== undefined)
        add("left-out", field, `${JSON.stringify(host)} is no host of a listener`)
      else if (secretName === "") {
        if (!hasDefault) add("left-out", field, `${host} has no certificate of its own: a listener needs one`)
      } else if (known === undefined) hosts.set(host, { host, secret })
      else if (known.secret !== undefined && qualifiedName(known.secret) !== qualifiedName(secret))
        add("left-out", field, `${host} has the certificate ${qualifiedName(known.secret)} already`)
    }
  })
}

function oldestFirst(subjects: readonly Subject[]): readonly Subject[] {
  return [...subjects].sort((a, b) => a.ingress.meta.createdMs - b.ingress.meta.createdMs)
}

/** Secrets of other namespaces may be used. */
function grants(
  hosts: readonly TlsHost[],
  gateway: GatewayOptions,
  hasSets: boolean,
): readonly GatewayObject[] {
  const secrets = hosts.flatMap(({ secret }) =>
    secret && secret.namespace !== gateway.namespace ? [secret] : [],
  )
  const kinds = hasSets ? ["Gateway", "ListenerSet"] : ["Gateway"]
  const from = kinds.map((kind) => ({ group: gatewayGroup, kind, namespace: gateway.namespace }))
  return [...Map.groupBy(secrets, ({ namespace }) => namespace)].flatMap(([namespace, all]) => {
    const names = [...new Set(all.map(({ name }) => name))].sort(compareText)
    return chunks(names, maxGranted).map((part, at) => {
      const to = part.map((name) => ({ group: "", kind: "Secret", name }))
      const name = at === 0 ? `${gateway.name}-certificates` : `${gateway.name}-certificates-${at + 1}`
      return gatewayObject("ReferenceGrant", namespace, name, { from, to })
    })
  })
}

const maxGranted = 16

export function chunks<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
}
