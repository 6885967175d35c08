import type { Backend } from "../../../../controller/model/backend.ts"
import type { Certificate } from "../../../../controller/model/certificate.ts"
import { emptyLive, type Live } from "../../../../controller/model/model.ts"
import type { Host } from "../../../../controller/model/route.ts"
import { SecretText } from "../../../../controller/model/secret-file.ts"
import { compareText } from "../../../../controller/support/order.ts"

export const nothing: Live = emptyLive

/** A backend with one endpoint on each of the ports. */
export function backend(name: string, ...ports: readonly number[]): Backend {
  return { name, loadBalance: "round_robin", endpoints: ports.map((port) => ({ address: "10.0.0.1", port })) }
}

/** A certificate with this id, which stands for its content. */
export function certificate(id: string): Certificate {
  return { id, chain: ["MAMCAQE="], key: new SecretText("S0VZLW9mLXRlc3RzIQ==") }
}

/** A host with one route to the backend, of the Ingress `shop/<host>`. */
export function host(name: string, to: string, location = "location-00000001"): Host {
  const owner = { namespace: "shop", ingressName: name, serviceName: to, servicePort: "80" }
  const route = {
    path: "/",
    match: "prefix",
    location,
    backend: to,
    locationPath: "/",
    overrides: {},
    ...owner,
  } as const
  return { server: "main", host: name, routes: [route] }
}

export function live(backends: readonly Backend[], hosts: readonly Host[]): Live {
  return {
    ...emptyLive,
    backends: backends.toSorted((a, b) => compareText(a.name, b.name)),
    hosts: hosts.toSorted((a, b) => compareText(a.host, b.host)),
  }
}
