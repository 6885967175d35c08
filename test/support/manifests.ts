// Kubernetes objects as tests write them: only what the case is about.

import { stringify } from "yaml"

export type Json = Readonly<Record<string, unknown>>

/** `"shop/cart"` → namespace and name. */
function named(name: string): { namespace: string; name: string } {
  const [namespace = "", rest = ""] = name.split("/")
  return { namespace, name: rest }
}

export const ingressClass: Json = {
  apiVersion: "networking.k8s.io/v1",
  kind: "IngressClass",
  metadata: { name: "nginx" },
  spec: { controller: "k8s.io/ingress-nginx" },
}

/**
 * An Ingress: `ingress("shop/cart", "cart.test/ → cart:80", { "proxy-read-timeout": "5" })`. A rule reads
 * `host/path → service:port`; pathType is Prefix, or Exact after `=` (`cart.test/ =→ cart:80`). Annotations get the usual prefix.
 */
export function ingress(
  name: string,
  rules: string | readonly string[],
  annotations: Readonly<Record<string, string>> = {},
): Json {
  const prefixed = Object.entries(annotations).map(([key, value]) => [
    `nginx.ingress.kubernetes.io/${key}`,
    value,
  ])
  const list = typeof rules === "string" ? [rules] : rules
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { ...named(name), annotations: Object.fromEntries(prefixed) },
    spec: { ingressClassName: "nginx", rules: list.map(ruleOf) },
  }
}

function ruleOf(text: string): Json {
  const [, host = "", path = "/", exact, name = "", port = "80"] =
    /^([^/]*)(\/.*?) (=?)→ ([^:]+):(\w+)$/.exec(text) ?? []
  if (name === "") throw new Error(`Not a rule "host/path → service:port": ${text}`)
  const service = { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } }
  const paths = [{ path, pathType: exact === "=" ? "Exact" : "Prefix", backend: { service } }]
  return host === "" ? { http: { paths } } : { host, http: { paths } }
}

/** A Service with one port; its endpoints stand in a slice. */
export function service(name: string, port = 80): Json {
  const ports = [{ port, targetPort: port, protocol: "TCP" }]
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: named(name),
    spec: { type: "ClusterIP", clusterIP: "None", ports },
  }
}

/** The slice of a Service. All endpoints of a slice have one port, so each endpoint of another port needs a slice of its own: `part` tells them apart. */
export function slice(serviceName: string, addresses: readonly string[], port: number, part = "0"): Json {
  const { namespace, name } = named(serviceName)
  const labels = { "kubernetes.io/service-name": name }
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { namespace, name: `${name}-${part}`, labels },
    addressType: "IPv4",
    ports: [{ port, protocol: "TCP" }],
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  }
}

/** A Service and slices whose endpoints are these loopback ports. */
export function serviceOn(name: string, ports: readonly number[]): Json[] {
  return [service(name), ...ports.map((port) => slice(name, ["127.0.0.1"], port, String(port)))]
}

/** A ConfigMap of settings. */
export function settings(name: string, data: Readonly<Record<string, string>>): Json {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: named(name), data }
}

/** Text of a manifests file: one YAML document for each object. */
export function manifest(...objects: readonly Json[]): string {
  return objects.map((object) => stringify(object)).join("---\n")
}

/** The same as one JSON List, which is quicker to write when there are thousands. */
export function listOf(items: readonly Json[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items })
}
