import type { Json } from "../../harness/manifests.ts"

// Objects of the Gateway API as short as tests say them.

const version = "gateway.networking.k8s.io/v1"

/** @param name `namespace/name` @param age later objects have higher ones */
export function gatewayObject(kind: string, name: string, spec: Json, age = 0, more: Json = {}): Json {
  const [namespace, short] = name.split("/")
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1) + age * 1000).toISOString()
  return {
    apiVersion: version,
    kind,
    metadata: { namespace, name: short, creationTimestamp, ...(more.metadata as Json) },
    spec,
    ...(more.status !== undefined && { status: more.status }),
  }
}

export const gatewayClass: Json = {
  apiVersion: version,
  kind: "GatewayClass",
  metadata: { name: "wick" },
  spec: { controllerName: "wick.dev/gateway" },
}

/** One whose listeners take routes of all namespaces. */
export function gateway(name: string, listeners: readonly Json[], age = 0, more: Json = {}): Json {
  const open = listeners.map((listener, at) => ({
    name: `l${at}`,
    allowedRoutes: { namespaces: { from: "All" } },
    ...listener,
  }))
  const spec = { gatewayClassName: "wick", listeners: open, ...(more.spec as Json) }
  return gatewayObject("Gateway", name, spec, age, more)
}

/** To a Gateway `namespace/name`; everything goes to one backend. */
export function route(kind: string, name: string, parent: string, more: Json = {}, age = 0): Json {
  const [namespace, short] = parent.split("/")
  const spec = {
    parentRefs: [{ namespace, name: short }],
    rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
    ...more,
  }
  return gatewayObject(kind, name, spec, age)
}

/** @param to kind and name of what may be named */
export function grant(namespace: string, from: readonly [kind: string, namespace: string], to: string): Json {
  const group = to === "Secret" || to === "Service" || to === "ConfigMap" ? "" : version.split("/")[0]
  return gatewayObject("ReferenceGrant", `${namespace}/all`, {
    from: [{ group: "gateway.networking.k8s.io", kind: from[0], namespace: from[1] }],
    to: [{ group, kind: to }],
  })
}
