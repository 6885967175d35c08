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
 * `host/path → service:port`, or `* → service:port` for the default backend; pathType is Prefix, Exact after `=`
 * (`cart.test/ =→ cart:80`), or ImplementationSpecific after `~`; a host alone is a rule without paths.
 * Annotations get the usual prefix unless they have one.
 *
 * @param day its age: the later, the younger; without one it is as old as its file
 */
export function ingress(
  name: string,
  rules: string | readonly string[],
  annotations: Readonly<Record<string, string>> = {},
  day?: number,
): Json {
  const prefixed = Object.entries(annotations).map(([key, value]) => [
    key.includes("/") ? key : `nginx.ingress.kubernetes.io/${key}`,
    value,
  ])
  const all = [rules].flat()
  const fallback = all.find((rule) => rule.startsWith("* "))
  const created =
    day === undefined ? {} : { creationTimestamp: new Date(Date.UTC(2026, 0, day)).toISOString() }
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { ...named(name), ...created, annotations: Object.fromEntries(prefixed) },
    spec: {
      ingressClassName: "nginx",
      ...(fallback !== undefined && {
        defaultBackend: { service: serviceOf(fallback.slice("* → ".length)) },
      }),
      rules: all.filter((rule) => rule !== fallback).map(ruleOf),
    },
  }
}

/** The Ingress with a tls section; each entry reads `host,host=secret`, `host` for the default certificate, or `=secret` without hosts. */
export function withTls(object: Json, ...entries: readonly string[]): Json {
  const tls = entries.map((entry) => {
    const [hosts = "", secretName] = entry.split("=")
    return {
      ...(hosts !== "" && { hosts: hosts.split(",") }),
      ...(secretName !== undefined && { secretName }),
    }
  })
  return { ...object, spec: { ...(object.spec as Json), tls } }
}

const pathTypes: Readonly<Record<string, string>> = {
  "": "Prefix",
  "=": "Exact",
  "~": "ImplementationSpecific",
}

function ruleOf(text: string): Json {
  if (/^[^/ ]+$/.test(text)) return { host: text }
  const [, host = "", path = "/", sign = "", target] = /^([^/]*)(\/.*?) ([=~]?)→ (.+)$/.exec(text) ?? []
  if (target === undefined) throw new Error(`Not a rule "host/path → service:port": ${text}`)
  const backend = { service: serviceOf(target) }
  const paths = [{ path, pathType: pathTypes[sign], backend }]
  return host === "" ? { http: { paths } } : { host, http: { paths } }
}

function serviceOf(text: string): Json {
  const [, name, port = ""] = /^([^:]+):(\w+)$/.exec(text) ?? []
  if (name === undefined) throw new Error(`Not a "service:port": ${text}`)
  return { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } }
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

/** A Secret with these texts. */
export function secret(name: string, data: Readonly<Record<string, string>>): Json {
  return { apiVersion: "v1", kind: "Secret", metadata: named(name), stringData: data }
}

/** Text of a manifests file: one YAML document for each object. */
export function manifest(...objects: readonly Json[]): string {
  return objects.map((object) => stringify(object)).join("---\n")
}

/** The same as one JSON List, which is quicker to write when there are thousands. */
export function listOf(items: readonly Json[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items })
}
