import { expect, test } from "vitest"
import { placesOf } from "../../../../controller/core/gateway/placement.ts"
import type { GatewayOptions } from "../../../../controller/core/options/translation.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import type { Gateway } from "../../../../controller/model/objects/gateway/gateway.ts"
import type { KubernetesObject } from "../../../../controller/model/objects/object.ts"
import { parseObject } from "../../../../controller/model/objects/parse.ts"
import type { Service } from "../../../../controller/model/objects/service.ts"
import { type Json, service } from "../../../../harness/manifests.ts"

function parsed<O extends KubernetesObject>(object: Json): O {
  const result = parseObject(object, { firstSeenMs: () => 0, origin: "" })
  if (result.kind !== "object") throw new Error(JSON.stringify(result))
  return result.object as O
}

function gateway(name: string): Gateway {
  const metadata = { namespace: "shop", name }
  const listeners = [{ name: "http", port: 80, protocol: "HTTP" }]
  const apiVersion = "gateway.networking.k8s.io/v1"
  return parsed({
    apiVersion,
    kind: "Gateway",
    metadata,
    spec: { gatewayClassName: "edge", listeners },
  })
}

const byServices: GatewayOptions = {
  controllerName: "wick.dev/gateway",
  addresses: [],
  ports: { namespace: "wick", name: "ports" },
  usual: { httpPort: 8080, httpsPort: 8443 },
  published: [],
}

function configMap(name: string, data: Json): [string, ConfigMap] {
  const [namespace, short] = name.split("/")
  const metadata = { namespace, name: short }
  return [name, parsed<ConfigMap>({ apiVersion: "v1", kind: "ConfigMap", metadata, data })]
}

function placeOf(
  own: Gateway,
  configMaps: readonly [string, ConfigMap][],
  services: readonly Service[] = [],
) {
  const objects = {
    configMaps: new Map(configMaps),
    services: new Map(services.map((it) => [`shop/${it.meta.name}`, it])),
  }
  return placesOf([own], byServices, objects, () => false).get(own)
}

const recorded = configMap("wick/ports", { "shop.web": "80=20007" })

test("the record says which port is whose; the Service says where that is reached, and no port", () => {
  const made = parsed<Service>({
    ...service("shop/web-wick", 80),
    spec: { type: "LoadBalancer", ports: [{ port: 80, targetPort: 20_001 }] },
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }, { hostname: "lb.test" }] } },
  })
  const place = placeOf(gateway("web"), [recorded], [made])
  expect(place?.portOf(80)).toBe(20_007)
  expect(place?.portOf(81)).toBeUndefined()
  expect(place?.published).toEqual([
    { type: "IPAddress", value: "192.0.2.9" },
    { type: "Hostname", value: "lb.test" },
  ])
  expect(place?.unprogrammed).toBeUndefined()
})

test("without a load balancer the Service is reached in the cluster", () => {
  const made = parsed<Service>({
    ...service("shop/web-wick", 80),
    spec: { type: "NodePort", clusterIP: "10.96.0.7", ports: [{ port: 80 }] },
  })
  expect(placeOf(gateway("web"), [recorded], [made])?.published).toEqual([
    { type: "IPAddress", value: "10.96.0.7" },
  ])
})

test("on the ports of Ingresses 80 and 443 are those that clients reach as these", () => {
  const none = { configMaps: new Map(), services: new Map() }
  const own = gateway("web")
  const place = placesOf([own], byServices, none, () => true).get(own)
  expect([80, 443, 8000].map((port) => place?.portOf(port))).toEqual([8080, 8443, 8000])
})
