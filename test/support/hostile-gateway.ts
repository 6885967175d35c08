// Objects of the Gateway API with every field that takes a text, and the texts that are put there.
import type { Json } from "../../harness/manifests.ts"
import { gateway, gatewayClass, gatewayObject, grant, route } from "./gateway-objects.ts"

const ref = (kind: string, name: string) => ({ group: "", kind, namespace: "shop", name })
const web = { group: "", kind: "Service", namespace: "shop", name: "web", port: 80 }
const edits = {
  set: [{ name: "X-Set", value: "a" }],
  add: [{ name: "X-Add", value: "a" }],
  remove: ["X-Remove"],
}
const replaced = { type: "ReplacePrefixMatch", replacePrefixMatch: "/new" }
const filters = [
  { type: "RequestHeaderModifier", requestHeaderModifier: edits },
  { type: "ResponseHeaderModifier", responseHeaderModifier: edits },
  { type: "RequestMirror", requestMirror: { backendRef: web } },
]
const cors = {
  ...{ allowOrigins: ["https://shop.test"], allowMethods: ["GET"] },
  ...{ allowHeaders: ["X-A"], exposeHeaders: ["X-B"] },
}
const values = [{ type: "Exact", name: "X-A", value: "a" }]
const matches = [
  { path: { type: "PathPrefix", value: "/a" }, headers: values, queryParams: values, method: "GET" },
]
const rules = [
  {
    ...{ name: "all", matches, timeouts: { request: "10s", backendRequest: "5s" } },
    filters: [
      ...filters,
      { type: "URLRewrite", urlRewrite: { hostname: "own.test", path: replaced } },
      { type: "CORS", cors },
    ],
    backendRefs: [{ ...web, filters }],
  },
  {
    matches,
    filters: [
      {
        type: "RequestRedirect",
        requestRedirect: { scheme: "https", hostname: "to.test", path: replaced },
      },
    ],
  },
  { matches: [{ path: { type: "RegularExpression", value: "/p" } }], backendRefs: [web] },
  {
    filters: [
      {
        type: "ExternalAuth",
        externalAuth: {
          ...{ protocol: "HTTP", backendRef: web },
          http: { path: "/check", allowedHeaders: ["Cookie"], allowedResponseHeaders: ["X-User"] },
        },
      },
    ],
    backendRefs: [web],
  },
]
const parent = {
  parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", namespace: "shop", name: "edge" }],
}
const named = { ...parent, hostnames: ["shop.test"] }
const stream = { rules: [{ name: "all", backendRefs: [web] }] }
const validation = { validation: { caCertificateRefs: [ref("Secret", "pair")], mode: "AllowValidOnly" } }
const tls = { certificateRefs: [ref("Secret", "pair")] }
const kinds = [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute" }]
const selector = { matchLabels: { team: "a" } }

/** Ports of the listeners. */
export interface HostilePorts {
  readonly http: number
  readonly https: number
  readonly tls: number
  readonly stream: number
  readonly more: number
}

export const usualPorts: HostilePorts = { http: 80, https: 443, tls: 444, stream: 9000, more: 81 }

/** By kind; all of them are served as they are. */
export const hostileObjects = (ports: HostilePorts): Readonly<Record<string, Json>> => ({
  GatewayClass: gatewayClass,
  Gateway: gateway(
    "shop/edge",
    [
      { name: "web", hostname: "*.test", port: ports.http, protocol: "HTTP" },
      {
        ...{ name: "tls", hostname: "*.test", port: ports.https, protocol: "HTTPS", tls },
        allowedRoutes: { namespaces: { from: "Selector", selector }, kinds },
      },
      { name: "pass", hostname: "*.test", port: ports.tls, protocol: "TLS", tls: { mode: "Passthrough" } },
      { name: "tcp", port: ports.stream, protocol: "TCP" },
      { name: "udp", port: ports.stream, protocol: "UDP" },
    ],
    0,
    {
      spec: {
        addresses: [{ type: "IPAddress", value: "10.9.0.1" }],
        infrastructure: { labels: { a: "b" }, annotations: { a: "b" } },
        tls: { backend: { clientCertificateRef: ref("Secret", "pair") }, frontend: { default: validation } },
        allowedListeners: { namespaces: { from: "Same" } },
      },
    },
  ),
  ListenerSet: gatewayObject("ListenerSet", "shop/more", {
    parentRef: { name: "edge", kind: "Gateway", group: "gateway.networking.k8s.io" },
    listeners: [{ name: "more", hostname: "more.test", port: ports.more, protocol: "HTTP" }],
  }),
  HTTPRoute: route("HTTPRoute", "shop/web", "shop/edge", { ...named, rules }),
  GRPCRoute: route("GRPCRoute", "shop/grpc", "shop/edge", {
    ...named,
    rules: [
      {
        matches: [{ method: { type: "Exact", service: "a.B", method: "C" }, headers: values }],
        ...{ filters, backendRefs: [web] },
      },
    ],
  }),
  TLSRoute: route("TLSRoute", "shop/tls", "shop/edge", { ...named, ...stream }),
  TCPRoute: route("TCPRoute", "shop/tcp", "shop/edge", { ...parent, ...stream }),
  UDPRoute: route("UDPRoute", "shop/udp", "shop/edge", { ...parent, ...stream }),
  BackendTLSPolicy: gatewayObject("BackendTLSPolicy", "shop/web", {
    targetRefs: [{ group: "", kind: "Service", name: "web", sectionName: "http" }],
    validation: { hostname: "own.test", caCertificateRefs: [{ group: "", kind: "Secret", name: "pair" }] },
  }),
  ReferenceGrant: grant("shop", ["HTTPRoute", "shop"], "Service"),
})

/** Where strings stand, as keys of one after the other; keys that users choose are named by what they are in. */
export function places(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value === "string") return [at]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => places(item, [...at, key]))
}

export function withText(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === key ? withText(item, rest, text) : item))
  const record = value as Json
  return { ...record, [key]: withText(record[key], rest, text) }
}
