import { defaultSettings } from "../controller/core/options/configmap.ts"
import type { Settings } from "../controller/core/options/settings.ts"
import type { TranslateOptions } from "../controller/core/options/translation.ts"
import { type Translation, Translator } from "../controller/core/translate/translate.ts"
import { type Facts, noFacts } from "../controller/model/facts.ts"
import { noGatewayObjects } from "../controller/model/gateway-objects.ts"
import type { ConfigMap } from "../controller/model/objects/config-map.ts"
import type { EndpointSlice } from "../controller/model/objects/endpoint-slice.ts"
import type {
  Ingress,
  IngressBackend,
  IngressPath,
  IngressRule,
} from "../controller/model/objects/ingress.ts"
import type { Meta } from "../controller/model/objects/meta.ts"
import { qualifiedName } from "../controller/model/objects/object.ts"
import type { Secret } from "../controller/model/objects/secret.ts"
import type { Service, ServicePort } from "../controller/model/objects/service.ts"
import { SecretText } from "../controller/model/secret-file.ts"
import type { Snapshot } from "../controller/model/snapshot.ts"
import type { KeyPair, TlsSecretState } from "../controller/model/tls-secret.ts"

// Objects in a few words each, for tests of the middle.

export const options: TranslateOptions = {
  annotationsPrefix: "nginx.ingress.kubernetes.io",
  disableCatchAll: false,
  endpoints: { allowLoopback: false, ownPorts: new Set([10246, 8181, 10254]), ownAddresses: new Set() },
  ownNamespace: "",
  disableSvcExternalName: false,
  passesTls: false,
  geoEditions: ["GeoLite2-City", "GeoLite2-ASN"],
  modsecurityFiles: "/etc/wick/modsecurity",
  ports: { httpPort: 80, httpsPort: 443, statusPort: 10246, defaultServerPort: 8181 },
  streams: { reserved: [] },
}

export const settings: Settings = defaultSettings

/** `name` is `namespace/name`. */
export function meta(name: string, annotations: Record<string, string> = {}, createdMs = 0): Meta {
  const [namespace = "", short = ""] = name.split("/", 2)
  return { namespace, name: short, uid: `uid-of-${name}`, createdMs, labels: {}, annotations }
}

/**
 * An Ingress: each rule is `[Exact ]host/path → service:port`, without host for every other host, without arrow for a rule without http
 * section, or `* → service:port` for the default backend. Annotations go without prefix, but for our own.
 */
export function ingress(
  name: string,
  rules: string | readonly string[],
  annotations: Readonly<Record<string, string>> = {},
  createdMs = 0,
): Ingress {
  const prefixed = Object.entries(annotations).map(([key, value]) => [
    key.includes("/") ? key : `${options.annotationsPrefix}/${key}`,
    value,
  ])
  const all = [rules].flat()
  const fallback = all.find((rule) => rule.startsWith("* "))
  return {
    kind: "Ingress",
    meta: meta(name, Object.fromEntries(prefixed), createdMs),
    ...(fallback !== undefined && { defaultBackend: backend(fallback.slice("* → ".length)) }),
    rules: all.filter((rule) => rule !== fallback).map(toRule),
    tls: [],
  }
}

function toRule(text: string): IngressRule {
  const pathType: IngressPath["pathType"] = text.startsWith("Exact ") ? "Exact" : "Prefix"
  const [place = "", target] = text.replace("Exact ", "").split(" → ", 2)
  const slash = place.includes("/") ? place.indexOf("/") : place.length
  const host = place.slice(0, slash)
  if (target === undefined) return { host }
  return { host, paths: [{ path: place.slice(slash), pathType, backend: backend(target) }] }
}

function backend(text: string): IngressBackend {
  const [name = "", port = ""] = text.split(":", 2)
  const isNumber = /^\d+$/.test(port)
  if (port === "") return { kind: "service", name, port: { kind: "none" } }
  return {
    kind: "service",
    name,
    port: isNumber ? { kind: "number", number: Number(port) } : { kind: "name", name: port },
  }
}

/** A Service; each port is `[name:]port[>targetPort]`, TCP. */
export function service(name: string, ...ports: readonly string[]): Service {
  return {
    kind: "Service",
    meta: meta(name),
    type: "ClusterIP",
    clusterIp: "10.96.0.1",
    externalName: "",
    trafficDistribution: "",
    externalIps: [],
    balancerAddresses: [],
    ports: ports.map(toPort),
  }
}

function toPort(text: string): ServicePort {
  const [, name = "", port = "", target = port] = /^(?:([^:]*):)?(\d+)(?:>(.+))?$/.exec(text) ?? []
  return {
    name,
    port: Number(port),
    targetPort: /^\d+$/.test(target) ? Number(target) : target,
    protocol: "TCP",
  }
}

/** A slice of the Service `name` with ready endpoints; each port is `[name:]port`, TCP. */
export function slice(
  name: string,
  addresses: readonly string[],
  ...ports: readonly string[]
): EndpointSlice {
  return {
    kind: "EndpointSlice",
    meta: meta(`${name}-slice`),
    serviceName: meta(name).name,
    addressType: "IPv4",
    ports: ports.map(toPort).map((port) => ({ name: port.name, port: port.port, protocol: "TCP" })),
    endpoints: addresses.map((address) => ({ addresses: [address], ready: true, zones: [] })),
  }
}

/** A Secret with texts. */
export function secret(name: string, data: Readonly<Record<string, string>>): Secret {
  const bytes = Object.entries(data).map(([key, text]) => [key, new TextEncoder().encode(text)])
  return { kind: "Secret", meta: meta(name), type: "kubernetes.io/tls", data: Object.fromEntries(bytes) }
}

/** An object that routing depends on. */
export type Part = Ingress | Service | EndpointSlice | ConfigMap | KnownSecret

/** What is known of a Secret, without its data. */
interface KnownSecret {
  readonly kind: "Secret"
  readonly meta: Meta
  readonly state: TlsSecretState
}

/** A Secret with a certificate for these names, or one that cannot be used. */
export function tlsSecret(
  name: string,
  pair?: { readonly names: readonly string[]; readonly keyType?: string },
): KnownSecret {
  const state: TlsSecretState = pair
    ? { kind: "usable", secret: { pair: keyPair(pair.names, pair.keyType) } }
    : { kind: "refused", reason: "it is bad" }
  return { kind: "Secret", meta: meta(name), state }
}

/** A Secret with the certificate of an authority. @param authority what has the same name is the same */
export function authoritySecret(name: string, authority: string): KnownSecret {
  const secret = { authority: { id: `id-of-${authority}`, certificates: ["MAA="], crls: [] } }
  return { kind: "Secret", meta: meta(name), state: { kind: "usable", secret } }
}

function keyPair(names: readonly string[], keyType = "rsa"): KeyPair {
  const id = `id-of-${names.join("-").replaceAll(/[^a-z-]/g, "_")}-${keyType}`
  return { certificate: { id, chain: ["MAA="], key: new SecretText("MAA=") }, names, notAfterMs: 0, keyType }
}

/** What a pass is given. */
export type World = Snapshot & Partial<Facts>

/** One pass over objects and what is known beside them, which nothing is remembered of. */
export function translate(world: World, own: Settings, options: TranslateOptions): Translation {
  return passOf(new Translator(options), world, own)
}

/** One of the passes of a translator. */
export function passOf(translator: Translator, world: World, own: Settings): Translation {
  return translator.translate(world, { ...noFacts, ...world }, own)
}

export function snapshot(...objects: readonly Part[]): World {
  const services = objects.filter((object) => object.kind === "Service")
  const slices = objects.filter((object) => object.kind === "EndpointSlice")
  const known = objects.filter((object) => object.kind === "Secret")
  const configMaps = objects.filter((object) => object.kind === "ConfigMap")
  return {
    ingresses: objects.filter((object) => object.kind === "Ingress"),
    services: new Map(services.map((object) => [`${object.meta.namespace}/${object.meta.name}`, object])),
    endpointSlices: Map.groupBy(slices, (object) => `${object.meta.namespace}/${object.serviceName}`),
    secrets: new Map(),
    tlsSecrets: new Map(known.map(({ meta: { namespace, name }, state }) => [`${namespace}/${name}`, state])),
    configMaps: new Map(configMaps.map((object) => [qualifiedName(object.meta), object])),
    pods: new Map(),
    nodes: new Map(),
    gateway: noGatewayObjects,
    problems: [],
  }
}
