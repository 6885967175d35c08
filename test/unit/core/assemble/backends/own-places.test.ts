// Whatever address an object gives: wick's own ports are nobody's backend, in whichever way they are reached.
import { describe, expect, test } from "vitest"
import { OwnPlaces } from "../../../../../controller/core/assemble/backends/own-places.ts"
import { defaultSettings } from "../../../../../controller/core/options/configmap.ts"
import { translate, translateOptions } from "../../../../../controller/core/translate/translate.ts"
import { noFacts } from "../../../../../controller/model/facts.ts"
import { judgeEndpoint } from "../../../../../controller/support/judge-endpoint.ts"
import { ingress, ingressClass, type Json } from "../../../../../harness/manifests.ts"
import { changesOf, optionsOf, storeWith } from "../../../../../harness/translation.ts"

const own = new Set(["10.0.0.1", "2001:db8::1"])
const options = optionsOf([])
const translation = translateOptions(options, own, "wick")

const slice = (service: string, addresses: readonly string[], ports: readonly Json[]): Json => {
  const [namespace = "", name = ""] = service.split("/")
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { namespace, name, labels: { "kubernetes.io/service-name": name } },
    addressType: addresses[0]?.includes(":") ? "IPv6" : "IPv4",
    ports,
    endpoints: addresses.map((address) => ({ addresses: [address] })),
  }
}

const service = (name: string, spec: Json): Json => {
  const [namespace = "", plain = ""] = name.split("/")
  return { apiVersion: "v1", kind: "Service", metadata: { namespace, name: plain }, spec }
}

const metrics = [
  service("wick/metrics", {
    type: "NodePort",
    clusterIP: "10.96.0.9",
    externalIPs: ["203.0.113.5"],
    ports: [
      { name: "metrics", port: 9000, targetPort: "metrics", nodePort: 31000 },
      { name: "http", port: 80, targetPort: "http", nodePort: 31001 },
    ],
  }),
  slice(
    "wick/metrics",
    ["10.0.0.1", "10.0.0.2"],
    [
      { name: "metrics", port: 10_254, protocol: "TCP" },
      { name: "http", port: 80, protocol: "TCP" },
    ],
  ),
  {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "one" },
    status: { addresses: [{ type: "InternalIP", address: "192.0.2.1" }] },
  },
]

function snapshotOf(...objects: readonly Json[]) {
  const store = storeWith(options)
  store.apply(objects.flatMap((object) => changesOf(object, "objects.yaml:1")))
  return store.snapshot()
}

const rules = new OwnPlaces(translation).rules(snapshotOf(...metrics))
const judge = (address: string, port: number) => judgeEndpoint(address, port, rules).kind

describe("each way to one of wick's own ports is refused", () => {
  test.each([
    ["this Pod", "10.0.0.1", 10_254],
    ["this Pod, by IPv6", "2001:db8:0:0::1", 10_254],
    ["this Pod, as a mapped address", "::ffff:127.0.0.1", 10_254],
    ["another replica", "10.0.0.2", 10_254],
    ["another replica's status", "10.0.0.2", 10_246],
    ["the Service", "10.96.0.9", 9000],
    ["the Service, from outside", "203.0.113.5", 9000],
    ["every node", "192.0.2.1", 31_000],
    ["the Service's port for requests, which would go in circles", "10.96.0.9", 80],
    ["the port of nodes for requests", "192.0.2.1", 31_001],
  ])("%s", (_, address, port) => {
    expect(judge(address, port)).toBe("refused")
  })

  test.each([
    ["another port of a replica", "10.0.0.2", 8080],
    ["somebody else's port of that number", "10.0.0.3", 10_254],
  ])("%s is not", (_, address, port) => {
    expect(judge(address, port)).toBe("usable")
  })
})

test("what a slice of another namespace says of wick's address makes nobody else's addresses wick's own", () => {
  const forged = slice("shop/forged", ["10.0.0.1", "10.0.0.9"], [{ port: 10_254, protocol: "TCP" }])
  const rules = new OwnPlaces(translation).rules(snapshotOf(...metrics, forged))
  expect(judgeEndpoint("10.0.0.9", 10_254, rules).kind).toBe("usable")
})

test("rules are the same object as long as they say the same, and follow a replica that comes", () => {
  const places = new OwnPlaces(translation)
  const before = places.rules(snapshotOf(...metrics))
  expect(places.rules(snapshotOf(...metrics))).toBe(before)
  const scaled = slice("wick/metrics", ["10.0.0.1", "10.0.0.3"], [{ name: "metrics", port: 10_254 }])
  const after = places.rules(snapshotOf(...metrics.filter(({ kind }) => kind !== "EndpointSlice"), scaled))
  expect(judgeEndpoint("10.0.0.3", 10_254, after).kind).toBe("refused")
  expect(judgeEndpoint("10.0.0.2", 10_254, after).kind).toBe("usable")
})

test("the ports of TCP and UDP services are wick's own as long as there are such services", () => {
  const places = new OwnPlaces(translation)
  const opened = places.rules(snapshotOf(...metrics), [{ port: 5432 }])
  expect(places.rules(snapshotOf(...metrics), [{ port: 5432 }])).toBe(opened)
  const kinds = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map((ip) => judgeEndpoint(ip, 5432, opened).kind)
  expect(kinds).toEqual(["refused", "refused", "usable"])
  const closed = places.rules(snapshotOf(...metrics))
  expect(judgeEndpoint("10.0.0.1", 5432, closed).kind).toBe("usable")
})

/** Every way in which an object names somebody whom nginx connects to. */
const ways: Readonly<Record<string, (address: string, port: number) => readonly Json[]>> = {
  "an endpoint": (address, port) => [
    ingress("shop/app", "app.test/ → app:80"),
    service("shop/app", { ports: [{ port: 80 }] }),
    slice("shop/app", [address], [{ port, protocol: "TCP" }]),
  ],
  "an ExternalName": (_, port) => [
    ingress("shop/app", `app.test/ → app:${port}`),
    service("shop/app", { type: "ExternalName", externalName: "own.test" }),
  ],
  "a Service's own address": (address, port) => [
    ingress("shop/app", `app.test/ → app:${port}`, { "service-upstream": "true" }),
    service("shop/app", { clusterIP: address, ports: [{ port }] }),
  ],
  "an authentication service": (address, port) => [
    ingress("shop/app", "app.test/ → app:80", { "auth-url": `http://${address}:${port}/` }),
  ],
  "an authentication service by name": (_, port) => [
    ingress("shop/app", "app.test/ → app:80", { "auth-url": `http://own.test:${port}/` }),
  ],
  "a mirror": (address, port) => [
    ingress("shop/app", "app.test/ → app:80", { "mirror-target": `http://${address}:${port}/` }),
  ],
  "a mirror by name": (_, port) => [
    ingress("shop/app", "app.test/ → app:80", { "mirror-target": `http://own.test:${port}/` }),
  ],
  "an error backend": (address, port) => [
    ingress("shop/app", "app.test/ → app:80", { "default-backend": "errors", "custom-http-errors": "503" }),
    service("shop/errors", { ports: [{ port: 80 }] }),
    slice("shop/errors", [address], [{ port, protocol: "TCP" }]),
  ],
}

describe.each(Object.entries(ways))("%s", (_, objectsOf) => {
  test.each([
    ["169.254.169.254", 80],
    ["10.0.0.1", 10_254],
    ["10.0.0.2", 10_254],
    ["10.96.0.9", 9000],
    ["192.0.2.1", 31_000],
    ["127.0.0.1", 8080],
  ])("never leads to %s:%i", (address, port) => {
    const objects = snapshotOf(ingressClass, ...metrics, ...objectsOf(address, port))
    const names = new Map([["own.test", { kind: "found", addresses: [address] } as const]])
    const { model } = translate(objects, { ...noFacts, names }, defaultSettings, translation)
    const places = model.live.backends.flatMap(({ endpoints }) =>
      endpoints.map((it) => `${it.address} ${it.port}`),
    )
    expect(places).not.toContain(`${address} ${port}`)
  })

  test("leads to others", () => {
    const objects = snapshotOf(ingressClass, ...metrics, ...objectsOf("10.0.7.7", 8080))
    const names = new Map([["own.test", { kind: "found", addresses: ["10.0.7.7"] } as const]])
    const { model } = translate(objects, { ...noFacts, names }, defaultSettings, translation)
    const places = model.live.backends.flatMap(({ endpoints }) =>
      endpoints.map((it) => `${it.address} ${it.port}`),
    )
    expect(places).toContain("10.0.7.7 8080")
  })
})
