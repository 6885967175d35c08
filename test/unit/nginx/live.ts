import type { Backend } from "../../../controller/model/backend.ts"
import type { Live } from "../../../controller/model/model.ts"
import type { Host } from "../../../controller/model/route.ts"

export const nothing: Live = { backends: [], hosts: [] }

/** A backend with one endpoint on each of the ports. */
export function backend(name: string, ...ports: readonly number[]): Backend {
  return { name, loadBalance: "round_robin", endpoints: ports.map((port) => ({ address: "10.0.0.1", port })) }
}

/** A host with one route to the backend, of the Ingress `shop/<host>`. */
export function host(name: string, to: string, policy = "policy-00000001"): Host {
  const owner = { namespace: "shop", ingressName: name, serviceName: to, servicePort: "80" }
  const route = {
    path: "/",
    match: "prefix",
    policy,
    backend: to,
    locationPath: "/",
    overrides: {},
    ...owner,
  } as const
  return { server: "main", host: name, routes: [route] }
}

export function live(backends: readonly Backend[], hosts: readonly Host[]): Live {
  return {
    backends: backends.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    hosts: hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1)),
  }
}
