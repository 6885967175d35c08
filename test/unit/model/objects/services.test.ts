import { describe, expect, test } from "vitest"
import { readIngressStatus } from "../../../../controller/model/objects/status-address.ts"
import { findings, metadata, object } from "./parsed.ts"

describe("Services, EndpointSlices, Pods and Nodes", () => {
  test("a Service", () => {
    const ports = [
      { port: 80 },
      { name: "web", port: 8080, targetPort: "http", protocol: "UDP" },
      { port: 0 },
      { name: "x" },
    ]
    const value = { apiVersion: "v1", kind: "Service", metadata, spec: { ports, clusterIP: "None" } }
    expect(object(value)).toMatchObject({
      type: "ClusterIP",
      clusterIp: "None",
      externalName: "",
      ports: [
        { name: "", port: 80, targetPort: 80, protocol: "TCP" },
        { name: "web", port: 8080, targetPort: "http", protocol: "UDP" },
      ],
    })
    expect(findings(value)).toContain("spec.ports[2].port type-wrong")
    expect(findings(value)).toContain("spec.ports[3].port field-missing")
  })

  const slice = (rest: object) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": "cart" } },
    ...rest,
  })

  test("a slice; what is not ready only when it says so", () => {
    const endpoints = [
      { addresses: ["10.0.0.1"], conditions: { ready: true } },
      { addresses: ["10.0.0.2"], conditions: {} },
      { addresses: ["10.0.0.3"] },
      { addresses: ["10.0.0.4"], conditions: { ready: false } },
      { addresses: ["10.0.0.5"], conditions: { ready: "yes" } },
    ]
    const value = slice({ addressType: "IPv4", ports: [{ port: 80 }, {}], endpoints })
    expect(object(value)).toMatchObject({
      serviceName: "cart",
      ports: [{ name: "", port: 80, protocol: "TCP" }, { name: "" }],
      endpoints: [
        { addresses: ["10.0.0.1"], ready: true, zones: [] },
        { addresses: ["10.0.0.2"], ready: true, zones: [] },
        { addresses: ["10.0.0.3"], ready: true, zones: [] },
        { addresses: ["10.0.0.4"], ready: false, zones: [] },
      ],
    })
    expect(findings(value)).toEqual(["endpoints[4].conditions.ready type-wrong"])
  })

  test("an address of the other family is left out", () => {
    const value = slice({ addressType: "IPv4", endpoints: [{ addresses: ["::1", "10.0.0.1"] }] })
    expect(object(value)).toMatchObject({ endpoints: [{ addresses: ["10.0.0.1"] }] })
    expect(findings(value)).toEqual(["endpoints[0].addresses[0] address-bad"])
  })

  test("zones that endpoints are meant for, and what a Service prefers", () => {
    const endpoints = [
      { addresses: ["10.0.0.1"], hints: { forZones: [{ name: "a" }, { name: "b" }, {}] } },
      { addresses: ["10.0.0.2"], hints: {} },
      { addresses: ["10.0.0.3"], hints: null },
    ]
    const value = slice({ addressType: "IPv4", endpoints })
    expect(object(value)).toMatchObject({
      endpoints: [{ zones: ["a", "b"] }, { zones: [] }, { zones: [] }],
    })
    expect(findings(value)).toEqual(["endpoints[0].hints.forZones[2].name field-missing"])
    const spec = { trafficDistribution: "PreferSameZone" }
    expect(object({ apiVersion: "v1", kind: "Service", metadata, spec })).toMatchObject(spec)
  })

  test("a Pod: its Node, whether it runs, and whether it may be sent requests", () => {
    const pod = (rest: object) => ({ apiVersion: "v1", kind: "Pod", metadata, ...rest })
    const status = (phase: string, ready: string) => ({
      phase,
      conditions: [
        { type: "ContainersReady", status: "True" },
        { type: "Ready", status: ready },
      ],
    })
    expect(object(pod({ spec: { nodeName: "node-1", containers: [5] } }))).toMatchObject({
      nodeName: "node-1",
    })
    const fresh = { nodeName: "", isRunning: false, isReady: false, isLeaving: false }
    expect(object(pod({}))).toMatchObject(fresh)
    expect(object(pod({ status: { phase: "Pending", conditions: null } }))).toMatchObject(fresh)
    const running = { isRunning: true, isReady: true, isLeaving: false }
    expect(object(pod({ status: status("Running", "True") }))).toMatchObject(running)
    expect(object(pod({ status: status("Running", "Unknown") }))).toMatchObject({
      ...running,
      isReady: false,
    })
    for (const phase of ["Succeeded", "Failed"])
      expect(object(pod({ status: { phase } }))).toMatchObject({ isRunning: false, isLeaving: true })
    const deleted = { ...metadata, deletionTimestamp: "2026-01-31T12:00:00Z" }
    const leaving = { ...running, isLeaving: true }
    expect(object(pod({ metadata: deleted, status: status("Running", "True") }))).toMatchObject(leaving)
  })

  test("a Node: its zone and its addresses", () => {
    const labels = { "topology.kubernetes.io/zone": "a" }
    const addresses = [
      { type: "InternalIP", address: "10.0.0.1" },
      { type: "Hostname", address: "node-1" },
    ]
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: "node-1", labels } }
    expect(object({ ...node, status: { addresses: [...addresses, { type: "ExternalIP" }] } })).toMatchObject({
      meta: { namespace: "", name: "node-1", labels },
      addresses,
    })
    expect(object(node)).toMatchObject({ addresses: [] })
  })

  test("where a Service and an Ingress are reached", () => {
    const ingress = [{ ip: "192.0.2.1", ports: [] }, { hostname: "lb.test" }, {}, { ip: 5 }]
    const balancerAddresses = [
      { ip: "192.0.2.1", hostname: "" },
      { ip: "", hostname: "lb.test" },
    ]
    const status = { loadBalancer: { ingress } }
    const value = {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { externalIPs: ["192.0.2.9"] },
      status,
    }
    expect(object(value)).toMatchObject({ externalIps: ["192.0.2.9"], balancerAddresses })
    expect(findings(value)).toEqual(["status.loadBalancer.ingress[3].ip type-wrong"])
    expect(readIngressStatus({ status })).toEqual(balancerAddresses)
  })

  test.each([
    undefined,
    null,
    5,
    {},
    { status: null },
    { status: { loadBalancer: null } },
    { status: { loadBalancer: { ingress: null } } },
    { status: [] },
  ])("no address: %j", (value) => {
    expect(readIngressStatus(value)).toEqual([])
    const service = { apiVersion: "v1", kind: "Service", metadata, spec: { externalIPs: null } }
    expect(object({ ...service, ...(value as object) })).toMatchObject({
      externalIps: [],
      balancerAddresses: [],
    })
  })

  test("addresses of the wrong family, names and garbage are left out", () => {
    const endpoints = [{ addresses: ["::1", "localhost", "10.0.0.1;", "10.0.0.1", 5] }]
    const value = slice({ addressType: "IPv4", endpoints })
    expect(object(value)).toMatchObject({ endpoints: [{ addresses: ["10.0.0.1"] }] })
    expect(findings(value)).toHaveLength(4)
    expect(findings(slice({ endpoints }))).toContain("addressType field-missing")
  })
})
