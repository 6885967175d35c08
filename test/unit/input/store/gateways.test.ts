import { describe, expect, test } from "vitest"
import { referencesIn } from "../../../../controller/core/annotations/references.ts"
import { Gateways } from "../../../../controller/input/store/gateway.ts"
import { References } from "../../../../controller/input/store/references.ts"
import {
  type LabelSelector,
  parseLabelSelector,
} from "../../../../controller/model/objects/label-selector.ts"
import type { Namespace } from "../../../../controller/model/objects/namespace.ts"
import type { GatewayApiObject } from "../../../../controller/model/objects/object.ts"
import { parseObject } from "../../../../controller/model/objects/parse.ts"
import type { Json } from "../../../../harness/manifests.ts"

const apiVersion = "gateway.networking.k8s.io/v1"

function parsed(kind: string, name: string, spec: Json, annotations: Json = {}): GatewayApiObject {
  const metadata = { namespace: "shop", name, annotations }
  const result = parseObject({ apiVersion, kind, metadata, spec }, { firstSeenMs: () => 0, origin: "" })
  if (result.kind !== "object") throw new Error(JSON.stringify(result))
  return result.object as GatewayApiObject
}

const classOf = (controllerName: string) => parsed("GatewayClass", "edge", { controllerName })
const tls = { certificateRefs: [{ name: "pair" }] }
const listener = { name: "https", port: 443, protocol: "HTTPS", tls }
const gateway = parsed("Gateway", "web", { gatewayClassName: "edge", listeners: [listener] })
const set = parsed("ListenerSet", "more", {
  parentRef: { name: "web" },
  listeners: [{ ...listener, tls: { certificateRefs: [{ name: "other", namespace: "certs" }] } }],
})

function world(watchNamespaceSelector?: LabelSelector) {
  const references = new References(() => {})
  const gateways = new Gateways(
    {
      gatewayControllerName: "wick.dev/gateway",
      watchNamespaceSelector,
      referencesOf: (object) => referencesIn(object, "nginx.ingress.kubernetes.io"),
    },
    references,
  )
  const shelves: Readonly<Record<string, { put(name: string, value: never): boolean }>> = gateways.shelves
  const put = (object: GatewayApiObject) =>
    shelves[object.kind]?.put(`shop/${object.meta.name}`, object as never)
  const putClass = (object: GatewayApiObject | undefined) =>
    gateways.shelves.GatewayClass.put("edge", object as never)
  const named = (kind: "Secret" | "Service" | "ConfigMap") => [...references.names(kind)].sort()
  return { gateways, put, putClass, named }
}

describe("what is named", () => {
  test("by Gateways and ListenerSets counts while their class is ours, whatever comes first", () => {
    const { gateways, put, putClass, named } = world()
    put(set)
    put(gateway)
    expect(named("Secret")).toEqual([])
    putClass(classOf("wick.dev/gateway"))
    expect(named("Secret")).toEqual(["certs/other", "shop/pair"])
    putClass(classOf("other.test/gateway"))
    expect(named("Secret")).toEqual([])
    putClass(classOf("wick.dev/gateway"))
    gateways.shelves.Gateway.put("shop/web", undefined)
    expect(named("Secret")).toEqual([])
    put(gateway)
    gateways.shelves.ListenerSet.put("shop/more", undefined)
    expect(named("Secret")).toEqual(["shop/pair"])
  })

  test("by routes are Services, those of their filters, and what their annotations name", () => {
    const { put, named } = world()
    const backend = (name: string) => ({ name, port: 80 })
    const mirror = { type: "RequestMirror", requestMirror: { backendRef: backend("copy") } }
    const rules = [{ filters: [mirror], backendRefs: [{ ...backend("cart"), filters: [mirror] }] }]
    const annotations = { "nginx.ingress.kubernetes.io/auth-secret": "users" }
    put(parsed("HTTPRoute", "cart", { rules }, annotations))
    put(parsed("TCPRoute", "db", { rules: [{ backendRefs: [{ ...backend("db"), namespace: "data" }] }] }))
    expect(named("Service")).toEqual(["data/db", "shop/cart", "shop/copy"])
    expect(named("Secret")).toEqual(["shop/users"])
    put(parsed("HTTPRoute", "cart", { rules: [] }))
    expect(named("Service")).toEqual(["data/db"])
    expect(named("Secret")).toEqual([])
  })

  test("by policies are Services and ConfigMaps; what is of other groups is nobody's business", () => {
    const { put, named } = world()
    const validation = {
      hostname: "cart.test",
      caCertificateRefs: [
        { group: "", kind: "ConfigMap", name: "roots" },
        { group: "other.test", kind: "ConfigMap", name: "foreign" },
      ],
    }
    put(
      parsed("BackendTLSPolicy", "tls", {
        targetRefs: [{ group: "", kind: "Service", name: "cart" }],
        validation,
      }),
    )
    expect(named("Service")).toEqual(["shop/cart"])
    expect(named("ConfigMap")).toEqual(["shop/roots"])
  })
})

describe("with --watch-namespace-selector", () => {
  const namespace = (labels: Json): Namespace => {
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels } }
    const result = parseObject(object, { firstSeenMs: () => 0, origin: "" })
    if (result.kind !== "object" || result.object.kind !== "Namespace") throw new Error("It should be one")
    return result.object
  }

  test("Gateways and routes are those of namespaces with such labels, as long as they have them", () => {
    const selector = parseLabelSelector("team=shop")
    if (selector.kind !== "value") throw new Error(selector.reason)
    const { gateways, put } = world(selector.value)
    put(gateway)
    put(parsed("HTTPRoute", "cart", { rules: [] }))
    const sizes = () => [gateways.view().gateways.size, gateways.view().httpRoutes.size]
    expect(sizes()).toEqual([0, 0])
    expect(gateways.putNamespace("shop", namespace({ team: "shop" }))).toBe(true)
    expect(sizes()).toEqual([1, 1])
    expect(gateways.view()).toBe(gateways.view())
    gateways.putNamespace("shop", namespace({ team: "other" }))
    expect(sizes()).toEqual([0, 0])
  })
})
