// The objects of gateway-api-bench (github.com/howardjohn/gateway-api-bench): one Gateway with routes of its own namespace and of others.
import { podPort } from "../../harness/cluster/pods.ts"
import { type Json, service, slice } from "../../harness/manifests.ts"

export const namespace = "bench"

/** Those that workloads are in. */
const workloadNamespaces = 50

/** Every address of pods has it. */
export const workloadPort = podPort + 1

const namespaceNamed = (name: string): Json => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })

const object = (kind: string, name: string, spec: Json): Json => ({
  ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
  metadata: kind === "GatewayClass" ? { name } : { namespace, name },
})

/** A Gateway that all namespaces may use. */
export function gatewayAt(port: number): readonly Json[] {
  const allowedRoutes = { namespaces: { from: "All" } }
  return [
    ...[namespace, ...namespacesOfWorkloads()].map(namespaceNamed),
    object("GatewayClass", "wick", { controllerName: "wick.dev/gateway" }),
    object("Gateway", "edge", {
      gatewayClassName: "wick",
      listeners: [{ name: "web", port, protocol: "HTTP", allowedRoutes }],
    }),
  ]
}

function namespacesOfWorkloads(): readonly string[] {
  return Array.from({ length: workloadNamespaces }, (_, nth) => `workload-${nth}`)
}

const set = (type: string, value: string) => {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`
  return { type, [field]: { set: [{ name: "x-set", value }] } }
}

export function hostOf(nth: number): string {
  return `${nth}-route.example.com`
}

/** As the benchmark has it: edits of headers in both directions, and a rule whose backend does not exist. */
export function route(nth: number): Json {
  return object("HTTPRoute", `route-${nth}`, {
    parentRefs: [{ name: "edge" }],
    hostnames: [hostOf(nth)],
    rules: [
      {
        filters: [set("RequestHeaderModifier", "request"), set("ResponseHeaderModifier", "response")],
        backendRefs: [{ name: "one", port: podPort }],
      },
      {
        matches: [{ path: { type: "PathPrefix", value: "/invalid" } }],
        backendRefs: [{ name: "nobody", port: 80 }],
      },
    ],
  })
}

/** Its backend and a header of its responses say the same. */
export function toggled(to: string): Json {
  return object("HTTPRoute", "toggled", {
    parentRefs: [{ name: "edge" }],
    hostnames: ["toggled.example.com"],
    rules: [{ filters: [set("ResponseHeaderModifier", to)], backendRefs: [{ name: to, port: podPort }] }],
  })
}

export function hostOfWorkload(nth: number): string {
  return `${nth}-workload.example.com`
}

/** A route with a Service and a pod of its own, in one of the namespaces of workloads. */
export function workload(nth: number): readonly Json[] {
  const own = `workload-${nth % workloadNamespaces}`
  const parentRefs = [{ name: "edge", namespace }]
  const rules = [{ backendRefs: [{ name: `web-${nth}`, port: workloadPort }] }]
  const spec = { parentRefs, hostnames: [hostOfWorkload(nth)], rules }
  const address = `10.244.${100 + Math.floor(nth / 250)}.${1 + (nth % 250)}`
  return [
    service(`${own}/web-${nth}`, workloadPort),
    slice(`${own}/web-${nth}`, [address], workloadPort),
    { ...object("HTTPRoute", `route-${nth}`, spec), metadata: { namespace: own, name: `route-${nth}` } },
  ]
}
