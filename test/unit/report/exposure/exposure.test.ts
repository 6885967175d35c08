import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { OwnedKey, OwnedObjects } from "../../../../controller/input/provider/owned-objects.ts"
import { noGatewayObjects } from "../../../../controller/model/gateway-objects.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import type { Gateway } from "../../../../controller/model/objects/gateway/gateway.ts"
import type { GatewayClass } from "../../../../controller/model/objects/gateway/gateway-class.ts"
import type { KubernetesObject } from "../../../../controller/model/objects/object.ts"
import { parseObject } from "../../../../controller/model/objects/parse.ts"
import type { Pod } from "../../../../controller/model/objects/pod.ts"
import { Exposure } from "../../../../controller/report/exposure/exposure.ts"
import type { Json } from "../../../../harness/manifests.ts"
import { FakeLeadership } from "../status/statuses.ts"

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

function parsed<O extends KubernetesObject>(object: Json): O {
  const result = parseObject(object, { firstSeenMs: () => 0, origin: "" })
  if (result.kind !== "object") throw new Error(JSON.stringify(result))
  return result.object as O
}

const apiVersion = "gateway.networking.k8s.io/v1"
const edge = parsed<GatewayClass>({
  apiVersion,
  kind: "GatewayClass",
  metadata: { name: "edge" },
  spec: { controllerName: "wick.dev/gateway" },
})

function gateway(name: string, ports: readonly number[], more: Json = {}, status: Json = {}): Gateway {
  const listeners = ports.map((port) => ({ name: `p${port}`, port, protocol: port === 53 ? "UDP" : "HTTP" }))
  const metadata = { namespace: "shop", name, uid: `uid-${name}` }
  return parsed({
    apiVersion,
    kind: "Gateway",
    metadata,
    spec: { gatewayClassName: "edge", listeners, ...more },
    status,
  })
}

function pod(name: string, ip: string, ready = "True"): Pod {
  const status = { phase: "Running", podIP: ip, conditions: [{ type: "Ready", status: ready }] }
  const metadata = { namespace: "wick", name, labels: { app: "wick" } }
  return parsed({ apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName: "node-1" }, status })
}

/** The objects of a cluster that are ours, which come back as they were written. */
class Cluster implements OwnedObjects {
  readonly objects = new Map<string, Json>()
  readonly writes: string[] = []

  get seen(): ReadonlyMap<string, unknown> {
    const ours = ({ metadata }: Json) =>
      (metadata as { labels?: Json }).labels?.["app.kubernetes.io/managed-by"]
    return new Map(
      [...this.objects].filter(([key, it]) => !key.startsWith("ConfigMap") && ours(it) === "wick"),
    )
  }

  async update({ kind, namespace, name }: OwnedKey, change: (found: unknown) => unknown): Promise<void> {
    const key = `${kind} ${namespace}/${name}`
    const changed = change(this.objects.get(key)) as Json | undefined
    if (changed === undefined) return
    this.writes.push(key)
    this.objects.set(key, changed)
  }

  async remove({ kind, namespace, name }: OwnedKey): Promise<void> {
    this.writes.push(`-${kind} ${namespace}/${name}`)
    this.objects.delete(`${kind} ${namespace}/${name}`)
  }
}

const record = { namespace: "wick", name: "leader-gateway-ports" }

class World {
  readonly cluster = new Cluster()
  readonly leadership = new FakeLeadership()
  readonly lines: string[] = []
  gateways: readonly Gateway[] = []
  pods: readonly Pod[] = [pod("wick-0", "10.0.0.7")]
  readonly exposure: Exposure

  constructor({ haveServices = true } = {}) {
    this.exposure = new Exposure({
      options: {
        gatewayPortRange: { first: 20_000, last: 20_010 },
        gatewayControllerName: "wick.dev/gateway",
      },
      ports: haveServices ? record : undefined,
      reserved: new Set([20_001]),
      pod: { namespace: "wick", name: "wick-0" },
      snapshot: () => ({
        gateway: {
          ...noGatewayObjects,
          classes: new Map([["edge", edge]]),
          gateways: new Map(this.gateways.map((it) => [`shop/${it.meta.name}`, it])),
        },
        configMaps: this.#configMaps(),
        pods: new Map(this.pods.map((it) => [`wick/${it.meta.name}`, it])),
      }),
      owned: this.cluster,
      leadership: this.leadership,
      failed: (error) => expect.unreachable(String(error)),
      log: { info() {}, warn: (...line: readonly unknown[]) => void this.lines.push(JSON.stringify(line)) },
    })
  }

  /** @returns what was written when everything has come to rest */
  async settled(): Promise<readonly string[]> {
    this.exposure.changed()
    await vi.advanceTimersByTimeAsync(100)
    return this.cluster.writes.splice(0)
  }

  object(key: string): Json {
    const found = this.cluster.objects.get(key)
    if (found === undefined) throw new Error(`There is no ${key}`)
    return found
  }

  #configMaps(): ReadonlyMap<string, ConfigMap> {
    const all = [...this.cluster.objects].filter(([key]) => key.startsWith("ConfigMap "))
    return new Map(
      all.map(([key, found]) => [
        key.slice("ConfigMap ".length),
        parsed<ConfigMap>({ apiVersion: "v1", kind: "ConfigMap", ...found }),
      ]),
    )
  }
}

describe("a Gateway of its own Service", () => {
  test("has its ports, and what leads to replicas by ports of ours, written by the leader, once", async () => {
    const world = new World()
    world.gateways = [gateway("web", [80, 53])]
    expect(await world.settled()).toEqual([])
    world.leadership.begin()
    const keys = [
      "ConfigMap wick/leader-gateway-ports",
      "Service shop/web-wick",
      "EndpointSlice shop/web-wick-ipv4",
    ]
    expect(await world.settled()).toEqual(keys)
    expect(await world.settled()).toEqual([])
    expect(world.object(keys[0] ?? "").data).toEqual({ "shop.web": "53=20000,80=20002" })
    expect(world.object("Service shop/web-wick")).toMatchObject({
      metadata: {
        labels: { "gateway.networking.k8s.io/gateway-name": "web" },
        ownerReferences: [{ kind: "Gateway", name: "web", uid: "uid-web" }],
      },
      spec: {
        type: "LoadBalancer",
        ports: [
          { name: "udp-53", port: 53, protocol: "UDP", targetPort: 20_000 },
          { name: "tcp-80", port: 80, protocol: "TCP", targetPort: 20_002 },
        ],
      },
    })
    expect(world.object("EndpointSlice shop/web-wick-ipv4")).toMatchObject({
      metadata: { labels: { "kubernetes.io/service-name": "web-wick" } },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.0.0.7"], conditions: { ready: true }, nodeName: "node-1" }],
      ports: [
        { name: "udp-53", port: 20_000 },
        { name: "tcp-80", port: 20_002 },
      ],
    })
  })

  test("loses labels and annotations that it asks for no more, and keeps those of others", async () => {
    const world = new World()
    world.leadership.begin()
    const infrastructure = { labels: { team: "a", tier: "b" }, annotations: { "lb.test/kind": "internal" } }
    world.gateways = [gateway("web", [80], { infrastructure })]
    await world.settled()
    const service = world.object("Service shop/web-wick")
    const { labels, annotations, ...metadata } = service.metadata as Json
    world.cluster.objects.set("Service shop/web-wick", {
      ...service,
      metadata: {
        ...metadata,
        labels: { ...(labels as Json), other: "c" },
        annotations: { ...(annotations as Json), "other.test/of": "others" },
      },
    })
    expect(await world.settled()).toEqual([])
    world.gateways = [gateway("web", [80], { infrastructure: { labels: { tier: "b" } } })]
    expect(await world.settled()).toEqual(["Service shop/web-wick"])
    const after = world.object("Service shop/web-wick").metadata as Json
    expect(after.labels).toEqual({
      "app.kubernetes.io/managed-by": "wick",
      "gateway.networking.k8s.io/gateway-name": "web",
      tier: "b",
      other: "c",
    })
    expect(after.annotations).toMatchObject({ "other.test/of": "others" })
    expect(after.annotations).not.toHaveProperty("lb.test/kind")
    world.gateways = [gateway("web", [80])]
    expect(await world.settled()).toEqual(["Service shop/web-wick"])
    const last = world.object("Service shop/web-wick").metadata as Json
    expect(last.labels).not.toHaveProperty("tier")
    expect(last.annotations).toEqual({
      "other.test/of": "others",
      "wick.dev/gateway-controller": "wick.dev/gateway",
    })
    expect(await world.settled()).toEqual([])
  })

  test("has the labels, annotations and address that it asks for", async () => {
    const world = new World()
    world.leadership.begin()
    const infrastructure = { labels: { team: "a" }, annotations: { "lb.test/kind": "internal" } }
    world.gateways = [gateway("web", [80], { infrastructure, addresses: [{ value: "192.0.2.9" }] })]
    await world.settled()
    expect(world.object("Service shop/web-wick")).toMatchObject({
      metadata: { labels: { team: "a" }, annotations: { "lb.test/kind": "internal" } },
      spec: { loadBalancerIP: "192.0.2.9" },
    })
  })

  test("is of the type that its parameters say; on the ports of Ingresses it has none", async () => {
    const world = new World()
    world.leadership.begin()
    const parametersRef = { group: "", kind: "ConfigMap", name: "web" }
    world.gateways = [gateway("web", [80], { infrastructure: { parametersRef } })]
    const say = (data: Json) =>
      world.cluster.objects.set("ConfigMap shop/web", { metadata: { namespace: "shop", name: "web" }, data })
    say({ "service-type": "NodePort", "load-balancer-class": "a.test/b" })
    await world.settled()
    expect(world.object("Service shop/web-wick").spec).toEqual({
      type: "NodePort",
      ports: [{ name: "tcp-80", port: 80, protocol: "TCP", targetPort: 20_000 }],
    })
    say({ placement: "shared" })
    expect(await world.settled()).toContain("-Service shop/web-wick")
  })

  test("has UDP beside TCP for HTTPS, if its parameters say http3", async () => {
    const world = new World()
    world.leadership.begin()
    const parametersRef = { group: "", kind: "ConfigMap", name: "web" }
    const listeners = [
      { name: "plain", port: 80, protocol: "HTTP" },
      { name: "tls", port: 443, protocol: "HTTPS" },
    ]
    world.gateways = [gateway("web", [], { infrastructure: { parametersRef }, listeners })]
    world.cluster.objects.set("ConfigMap shop/web", {
      metadata: { namespace: "shop", name: "web" },
      data: { http3: "true" },
    })
    await world.settled()
    expect(world.object("Service shop/web-wick").spec).toMatchObject({
      ports: [
        { name: "tcp-80", protocol: "TCP" },
        { name: "tcp-443", protocol: "TCP", targetPort: 20_002 },
        { name: "udp-443", protocol: "UDP", targetPort: 20_002 },
      ],
    })
  })

  test("follows replicas, and leaves what others have added", async () => {
    const world = new World()
    world.leadership.begin()
    world.gateways = [gateway("web", [80])]
    await world.settled()
    const service = world.object("Service shop/web-wick")
    const spec = service.spec as { ports: readonly Json[] }
    const ports = spec.ports.map((port) => ({ ...port, nodePort: 31_000 }))
    world.cluster.objects.set("Service shop/web-wick", {
      ...service,
      spec: { ...spec, clusterIP: "10.96.0.9", ports },
    })
    world.pods = [pod("wick-0", "10.0.0.7"), pod("wick-1", "10.0.0.8", "False")]
    expect(await world.settled()).toEqual(["EndpointSlice shop/web-wick-ipv4"])
    expect(world.object("EndpointSlice shop/web-wick-ipv4").endpoints).toMatchObject([
      { conditions: { ready: true } },
      { addresses: ["10.0.0.8"], conditions: { ready: false } },
    ])
    world.gateways = [gateway("web", [80, 443])]
    await world.settled()
    expect(world.object("Service shop/web-wick").spec).toMatchObject({
      clusterIP: "10.96.0.9",
      ports: [{ port: 80, nodePort: 31_000 }, { port: 443 }],
    })
  })

  test("has nothing any more when it is gone, or another controller's", async () => {
    const world = new World()
    world.leadership.begin()
    world.gateways = [gateway("web", [80])]
    await world.settled()
    world.gateways = [gateway("web", [80], { gatewayClassName: "other" })]
    expect(await world.settled()).toEqual([
      "ConfigMap wick/leader-gateway-ports",
      "-Service shop/web-wick",
      "-EndpointSlice shop/web-wick-ipv4",
    ])
  })

  test("is no business of another wick in the cluster", async () => {
    const world = new World()
    world.leadership.begin()
    const others = {
      metadata: {
        namespace: "shop",
        name: "theirs-wick",
        labels: { "app.kubernetes.io/managed-by": "wick" },
        annotations: { "wick.dev/gateway-controller": "example.test/gateway" },
      },
    }
    world.cluster.objects.set("Service shop/theirs-wick", others)
    world.gateways = [gateway("web", [80])]
    await world.settled()
    expect(world.object("Service shop/theirs-wick")).toBe(others)
  })

  test("does not take over what is somebody else's, and says so once", async () => {
    const world = new World()
    world.leadership.begin()
    world.cluster.objects.set("Service shop/web-wick", {
      metadata: { namespace: "shop", name: "web-wick" },
      spec: {},
    })
    world.gateways = [gateway("web", [80]), gateway("api", [80])]
    await world.settled()
    await vi.advanceTimersByTimeAsync(5000)
    expect(world.lines).toHaveLength(1)
    expect(world.lines[0]).toContain("there is one that is not wick's")
    expect(world.object("Service shop/web-wick").spec).toEqual({})
    expect(world.object("Service shop/api-wick").spec).toMatchObject({ type: "LoadBalancer" })
  })
})

test("a Gateway on an address of this machine has a Service without one, which leads there", async () => {
  const world = new World({ haveServices: false })
  world.leadership.begin()
  world.gateways = [gateway("web", [80], {}, { addresses: [{ type: "IPAddress", value: "192.0.2.1" }] })]
  expect(await world.settled()).toEqual(["Service shop/web-wick", "EndpointSlice shop/web-wick-ipv4"])
  expect(world.object("Service shop/web-wick").spec).toMatchObject({ type: "ClusterIP", clusterIP: "None" })
  expect(world.object("EndpointSlice shop/web-wick-ipv4")).toMatchObject({
    endpoints: [{ addresses: ["192.0.2.1"] }],
    ports: [{ port: 80 }],
  })
})
