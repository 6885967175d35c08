// The objects of the Gateway API that do what one Ingress does.
import type { GatewayOptions } from "../../controller/core/options/translation.ts"
import type { GatewayObjects } from "../../controller/model/gateway-objects.ts"
import type { Json } from "../../harness/manifests.ts"
import { changesOf, optionsOf, storeWith } from "../../harness/translation.ts"

const controllerName = "wick.dev/gateway"

const object = (kind: string, name: string, spec: Json): Json => ({
  ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
  metadata: kind === "GatewayClass" ? { name } : { namespace: "shop", name },
})

/** A Gateway with one HTTPRoute for the host, whose rule leads to the Service `shop/web`. @param port that of Ingresses */
export function gatewayOf(host: string, rule: Json, port: number): GatewayObjects {
  const store = storeWith(optionsOf([]))
  const listeners = [{ name: "web", port, protocol: "HTTP" }]
  const rules = [{ backendRefs: [{ name: "web", port: 80 }], ...rule }]
  const objects = [
    object("GatewayClass", "wick", { controllerName }),
    object("Gateway", "edge", { gatewayClassName: "wick", listeners }),
    object("HTTPRoute", "web", { parentRefs: [{ name: "edge" }], hostnames: [host], rules }),
  ]
  for (const one of objects) store.apply(changesOf(one, "bench"))
  return store.snapshot().gateway
}

/** Gateways are on all addresses of the machine, at the ports of Ingresses, too. */
export function gatewayOptions(httpPort: number, httpsPort: number): GatewayOptions {
  return { controllerName, addresses: [], usual: { httpPort, httpsPort }, published: [] }
}
