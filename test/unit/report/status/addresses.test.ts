import { describe, expect, test } from "vitest"
import { type AddressOptions, addressesOf } from "../../../../controller/report/status/addresses.ts"
import type { Json } from "../../../../harness/manifests.ts"
import { balancer, clusterOf, node, pod } from "./cluster.ts"

const defaults: AddressOptions = {
  publishService: undefined,
  publishStatusAddress: [],
  reportNodeInternalIpAddress: false,
  pod: { namespace: "ingress", name: "wick-0" },
}

/** Each address as `ip`, `hostname` or `ip hostname`; or why they are not known. */
function found(objects: readonly Json[], options: Partial<AddressOptions>): readonly string[] | string {
  const result = addressesOf(clusterOf(...objects), { ...defaults, ...options })
  if (result.kind === "unknown") return result.reason
  return result.addresses.map(({ ip, hostname }) => [ip, hostname].filter((text) => text !== "").join(" "))
}

describe("of --publish-status-address", () => {
  test.each([
    [
      ["192.0.2.2", "192.0.2.1"],
      ["192.0.2.1", "192.0.2.2"],
    ],
    [
      ["lb.test", "192.0.2.1", "2001:db8::1", "a.test"],
      ["192.0.2.1", "2001:db8::1", "a.test", "lb.test"],
    ],
    [["192.0.2.1", "192.0.2.1"], ["192.0.2.1"]],
  ])("%j are %j, whatever else there is", (publishStatusAddress, addresses) => {
    const objects = [pod("wick-0"), node("node-1", "ExternalIP 198.51.100.1")]
    expect(found(objects, { publishStatusAddress })).toEqual(addresses)
  })
})

describe("of the Service of --publish-service", () => {
  const publishService = { namespace: "ingress", name: "lb" }
  const assigned = (...ingress: Json[]) => ({ loadBalancer: { ingress } })
  const clusterIP = "10.96.0.9"
  const externalIPs = ["192.0.2.9", "192.0.2.8"]

  test.each<[string, Json, Json, readonly string[]]>([
    ["ExternalName: the name", { type: "ExternalName", externalName: "lb.test" }, {}, ["lb.test"]],
    ["ExternalName with a final dot", { type: "ExternalName", externalName: "lb.test." }, {}, ["lb.test"]],
    ["ExternalName that is an IP", { type: "ExternalName", externalName: "192.0.2.1" }, {}, ["192.0.2.1"]],
    ["ClusterIP: the IP alone", { type: "ClusterIP", clusterIP, externalIPs }, {}, [clusterIP]],
    ["ClusterIP of IPv6", { type: "ClusterIP", clusterIP: "fd00::9" }, {}, ["fd00::9"]],
    [
      "ClusterIP of both families: the first",
      { type: "ClusterIP", clusterIP, clusterIPs: [clusterIP, "fd00::9"] },
      {},
      [clusterIP],
    ],
    ["ClusterIP without an IP", { type: "ClusterIP", clusterIP: "None" }, {}, []],
    ["NodePort: external IPs", { type: "NodePort", clusterIP, externalIPs }, {}, ["192.0.2.8", "192.0.2.9"]],
    ["NodePort without external IPs: the IP", { type: "NodePort", clusterIP }, {}, [clusterIP]],
    [
      "LoadBalancer: what it was given",
      { type: "LoadBalancer", clusterIP },
      assigned({ ip: "2001:db8::7" }, { ip: "192.0.2.7" }, { hostname: "lb.test" }),
      ["192.0.2.7", "2001:db8::7", "lb.test"],
    ],
    [
      "LoadBalancer: an IP and a name together stay together",
      { type: "LoadBalancer", clusterIP },
      assigned({ ip: "192.0.2.7", hostname: "lb.test" }),
      ["192.0.2.7 lb.test"],
    ],
    [
      "LoadBalancer with external IPs: both, each once",
      { type: "LoadBalancer", clusterIP, externalIPs },
      assigned({ ip: "192.0.2.8", hostname: "lb.test" }),
      ["192.0.2.9", "192.0.2.8 lb.test"],
    ],
    ["LoadBalancer that is given nothing yet", { type: "LoadBalancer", clusterIP }, {}, []],
  ])("%s", (_, spec, status, addresses) => {
    const objects = [balancer(spec, status), pod("wick-0"), node("node-1", "ExternalIP 198.51.100.1")]
    expect(found(objects, { publishService })).toEqual(addresses)
  })

  test("are not known while it is not there", () => {
    const objects = [pod("wick-0"), node("node-1", "ExternalIP 198.51.100.1")]
    expect(found(objects, { publishService })).toBe('there is no Service "ingress/lb"')
  })
})

describe("of Nodes", () => {
  const nodes = [
    node("node-1", "InternalIP 10.0.0.1", "ExternalIP 192.0.2.1", "ExternalIP 192.0.2.101"),
    node("node-2", "Hostname two", "InternalIP 10.0.0.2", "InternalIP fd00::2"),
    node("node-3", "ExternalIP 192.0.2.3"),
    node("node-4", "Hostname four"),
  ]
  const replicas = [pod("wick-0"), pod("wick-1", { on: "node-2" })]

  test("that replicas run on: external, internal where there is no external", () => {
    expect(found([...nodes, ...replicas], {})).toEqual(["10.0.0.2", "192.0.2.1"])
  })

  test("are internal ones alone with --report-node-internal-ip-address", () => {
    const options = { reportNodeInternalIpAddress: true }
    expect(found([...nodes, ...replicas], options)).toEqual(["10.0.0.1", "10.0.0.2"])
    const third = pod("wick-2", { on: "node-3" })
    expect(found([...nodes, ...replicas, third], options)).toEqual(["10.0.0.1", "10.0.0.2"])
  })

  test("count once, however many replicas run there", () => {
    expect(found([...nodes, pod("wick-0"), pod("wick-1")], {})).toEqual(["192.0.2.1"])
  })

  test.each([
    ["is not ready", pod("wick-1", { on: "node-3", ready: "False" })],
    ["has not started", pod("wick-1", { on: "node-3", phase: "Pending" })],
    ["has ended", pod("wick-1", { on: "node-3", phase: "Failed" })],
    ["has other labels", pod("wick-1", { on: "node-3", labels: { app: "shop" } })],
    ["is of another namespace", pod("wick-1", { on: "node-3", namespace: "other" })],
    ["is on a Node without addresses", pod("wick-1", { on: "node-4" })],
  ])("do not count for a Pod that %s", (_, other) => {
    expect(found([...nodes, pod("wick-0"), other], {})).toEqual(["192.0.2.1"])
  })

  test.each([
    ["own Pod", [...nodes, pod("wick-1")], 'there is no Pod "ingress/wick-0"'],
    [
      "Node of a ready replica",
      [...nodes, pod("wick-0"), pod("wick-1", { on: "node-5" })],
      'there is no Node "node-5"',
    ],
    ["ready replica", [...nodes, pod("wick-0", { ready: "False" })], "no replica is ready"],
    ["address", [...nodes, pod("wick-0", { on: "node-4" })], "the Nodes of the replicas have no addresses"],
  ])("are not known without: %s", (_, objects, reason) => {
    expect(found(objects, {})).toBe(reason)
  })
})
