import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { expandLists } from "../../../../controller/model/objects/list.ts"
import type { KubernetesObject } from "../../../../controller/model/objects/object.ts"
import { type Parsed, parseObject } from "../../../../controller/model/objects/parse.ts"
import { readIngressStatus } from "../../../../controller/model/objects/status-address.ts"
import { runs } from "../../../support/runs.ts"

const options = { firstSeenMs: () => 1000, origin: "cart.yaml:7" }
const parse = (value: unknown): Parsed => parseObject(value, options)

function object(value: unknown): KubernetesObject {
  const parsed = parse(value)
  if (parsed.kind !== "object") throw new Error(JSON.stringify(parsed))
  return parsed.object
}

/** `field code` of each Problem. */
function findings(value: unknown): readonly string[] {
  return parse(value).problems.map(({ field, code }) => `${field} ${code}`)
}

const networking = "networking.k8s.io/v1"
const metadata = { name: "cart", namespace: "shop" }
const ingress = (spec: unknown, meta: unknown = metadata) => ({
  apiVersion: networking,
  kind: "Ingress",
  metadata: meta,
  spec,
})
const backend = { service: { name: "cart", port: { number: 80 } } }

describe("an Ingress", () => {
  test("is read whole", () => {
    const value = ingress({
      ingressClassName: "nginx",
      defaultBackend: { resource: { kind: "Bucket", name: "b" } },
      rules: [
        { host: "cart.test", http: { paths: [{ path: "/", pathType: "Exact", backend }] } },
        { http: { paths: [{ backend: { service: { name: "cart", port: { name: "http" } } } }] } },
        { host: "bare.test" },
      ],
      tls: [{ hosts: ["cart.test"], secretName: "cert" }, {}],
    })
    expect(parse(value)).toEqual({
      kind: "object",
      problems: [],
      object: {
        kind: "Ingress",
        meta: { namespace: "shop", name: "cart", uid: "", createdMs: 1000, labels: {}, annotations: {} },
        className: "nginx",
        defaultBackend: { kind: "resource" },
        rules: [
          {
            host: "cart.test",
            paths: [
              {
                path: "/",
                pathType: "Exact",
                backend: { kind: "service", name: "cart", port: { kind: "number", number: 80 } },
              },
            ],
          },
          {
            host: "",
            paths: [
              {
                path: "",
                pathType: "ImplementationSpecific",
                backend: { kind: "service", name: "cart", port: { kind: "name", name: "http" } },
              },
            ],
          },
          { host: "bare.test" },
        ],
        tls: [
          { hosts: ["cart.test"], secretName: "cert" },
          { hosts: [], secretName: "" },
        ],
      },
    })
  })

  test("one bad path costs that path alone", () => {
    const value = ingress({
      rules: [
        {
          host: "a.test",
          http: {
            paths: [
              { path: "/good", backend },
              { path: "/bad", pathType: "prefix", backend },
              { path: "/none" },
              { path: 7, backend },
              { path: "/text", backend: { service: { name: "cart", port: { number: "80" } } } },
            ],
          },
        },
        { host: 5, http: { paths: [] } },
        "rule",
      ],
    })
    const parsed = object(value)
    expect(parsed.kind === "Ingress" && parsed.rules).toMatchObject([
      { host: "a.test", paths: [{ path: "/good" }] },
    ])
    expect(findings(value)).toEqual([
      "spec.rules[0].http.paths[1].pathType type-wrong",
      "spec.rules[0].http.paths[2].backend field-missing",
      "spec.rules[0].http.paths[3].path type-wrong",
      "spec.rules[0].http.paths[4].backend.service.port.number type-wrong",
      "spec.rules[1].host type-wrong",
      "spec.rules[2] type-wrong",
    ])
  })

  test("a Problem is a sentence with object, field, what is wrong and where it is written", () => {
    const parsed = parse(ingress({ rules: [{ host: ["a"] }] }))
    expect(parsed.problems).toEqual([
      {
        object: { kind: "Ingress", namespace: "shop", name: "cart" },
        field: "spec.rules[0].host",
        code: "type-wrong",
        message: "Field spec.rules[0].host has to be a text, not a list (cart.yaml:7)",
      },
    ])
  })

  test("a rule whose http section cannot be read is not taken for one without", () => {
    const parsed = object(ingress({ rules: [{ host: "a.test", http: "x" }] }))
    expect(parsed).toMatchObject({ rules: [] })
  })

  test("two ways to name a backend or a port exclude each other", () => {
    const both = { name: "cart", port: { number: 80, name: "http" } }
    expect(findings(ingress({ defaultBackend: { service: both } }))).toEqual([
      "spec.defaultBackend.service.port.name port-twice",
    ])
    expect(findings(ingress({ defaultBackend: { ...backend, resource: {} } }))).toEqual([
      "spec.defaultBackend.resource backend-twice",
    ])
  })
})

describe("metadata", () => {
  test("namespace is default when absent, and none for an IngressClass", () => {
    expect(object(ingress({}, { name: "cart" })).meta.namespace).toBe("default")
    const value = {
      apiVersion: networking,
      kind: "IngressClass",
      metadata: { name: "nginx", namespace: "x" },
      spec: { controller: "c" },
    }
    expect(object(value)).toMatchObject({ controller: "c", meta: { namespace: "" } })
  })

  test("creationTimestamp and uid are honoured", () => {
    const meta = object(
      ingress({}, { ...metadata, uid: "u-1", creationTimestamp: "2026-01-31T12:00:00Z" }),
    ).meta
    expect(meta).toMatchObject({ uid: "u-1", createdMs: Date.UTC(2026, 0, 31, 12) })
  })

  test("a creationTimestamp that is none counts as absent and is a Problem", () => {
    const value = ingress({}, { ...metadata, creationTimestamp: "yesterday" })
    expect(object(value).meta.createdMs).toBe(1000)
    expect(findings(value)).toEqual(["metadata.creationTimestamp time-bad"])
  })

  test.each([
    "",
    "Cart",
    "a/b",
    "../x",
    "a b",
    "a\n",
    "-a",
    "a".repeat(254),
    5,
    null,
  ])("the name %j is refused", (name) => {
    const parsed = parse(ingress({}, { name, namespace: "shop" }))
    expect(parsed.kind).toBe("refused")
    expect(parsed.kind === "refused" && parsed.key).toBeUndefined()
  })

  test("a namespace that is none is refused", () => {
    expect(findings(ingress({}, { name: "cart", namespace: "a.b" }))).toEqual(["metadata.namespace name-bad"])
  })

  test("annotations that are no texts are left out one by one", () => {
    const value = ingress({}, { ...metadata, annotations: { "a/quoted": "5", "a/bare": 5, "a/on": true } })
    expect(object(value).meta.annotations).toEqual({ "a/quoted": "5" })
    expect(findings(value)).toEqual([
      'metadata.annotations["a/bare"] type-wrong',
      'metadata.annotations["a/on"] type-wrong',
    ])
  })
})

describe("which values are ours", () => {
  test.each([
    { apiVersion: "apps/v1", kind: "Deployment", metadata },
    { apiVersion: "traefik.io/v1", kind: "Ingress", metadata },
    { apiVersion: "serving.knative.dev/v1", kind: "Service", metadata },
    { apiVersion: "v1", kind: "constructor", metadata },
  ])("$apiVersion $kind is ignored", (value) => {
    expect(parse(value)).toEqual({ kind: "ignored", problems: [] })
  })

  test.each([
    ["extensions/v1beta1", "Ingress"],
    ["networking.k8s.io/v1beta1", "IngressClass"],
    ["discovery.k8s.io/v1beta1", "EndpointSlice"],
  ])("%s %s is refused with the version to write", (apiVersion, kind) => {
    const namespace = kind === "IngressClass" ? "" : "shop"
    expect(parse({ apiVersion, kind, metadata })).toMatchObject({ key: { kind, namespace, name: "cart" } })
    expect(findings({ apiVersion, kind, metadata })).toEqual(["apiVersion version-retired"])
  })

  test("Endpoints are ignored with a hint", () => {
    const parsed = parse({ apiVersion: "v1", kind: "Endpoints", metadata })
    expect(parsed.kind).toBe("ignored")
    expect(parsed.problems).toMatchObject([
      { code: "kind-not-read", message: expect.stringContaining("write an EndpointSlice") },
    ])
  })

  test.each([
    null,
    5,
    "text",
    [],
    {},
    { kind: "Ingress" },
    { apiVersion: "v1", kind: 5 },
  ])("%j is no object", (value) => {
    expect(findings(value)).toEqual(["cart.yaml:7 no-object"])
  })

  test("an object whose name is known and whose rest is not says whose new version it would have been", () => {
    const parsed = parse(ingress("text"))
    expect(parsed).toMatchObject({
      kind: "refused",
      key: { kind: "Ingress", namespace: "shop", name: "cart" },
    })
  })
})

describe("Services and EndpointSlices", () => {
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

describe("what is kept of an object", () => {
  const annotations = {
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
    "nginx.ingress.kubernetes.io/proxy-body-size": "8m",
    "service.kubernetes.io/topology-mode": "auto",
  }
  const labels = {
    "kubernetes.io/service-name": "cart",
    "topology.kubernetes.io/zone": "a",
    OWNER: "TILLER",
    app: "cart",
  }
  const managedFields = [{ manager: "kubectl", fieldsV1: {} }]

  test.each<[string, string, object, readonly string[], readonly string[]]>([
    [networking, "Ingress", { spec: {} }, [], Object.keys(annotations).slice(1)],
    [networking, "IngressClass", { spec: { controller: "x" } }, [], []],
    ["v1", "Service", { spec: {} }, [], ["service.kubernetes.io/topology-mode"]],
    ["discovery.k8s.io/v1", "EndpointSlice", { addressType: "IPv4" }, [], []],
    ["v1", "Secret", {}, [], []],
    ["v1", "ConfigMap", {}, ["OWNER"], []],
    ["v1", "Namespace", {}, [...Object.keys(labels), "kubernetes.io/metadata.name"], []],
    ["v1", "Pod", {}, Object.keys(labels), []],
    ["v1", "Node", {}, ["topology.kubernetes.io/zone"], []],
  ])("%s %s: labels and annotations that are read", (apiVersion, kind, rest, keptLabels, keptAnnotations) => {
    const everything = { ...metadata, labels, annotations, managedFields }
    const { meta } = object({ apiVersion, kind, metadata: everything, ...rest })
    expect(Object.keys(meta.labels)).toEqual(keptLabels)
    expect(Object.keys(meta.annotations)).toEqual(keptAnnotations)
    expect(meta).not.toHaveProperty("managedFields")
  })

  test("a label that is not kept may still be wrong", () => {
    const value = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...metadata, labels: { app: 5 } },
      spec: {},
    }
    expect(findings(value)).toEqual(['metadata.labels["app"] type-wrong'])
  })

  test("what is empty is the same thing in all", () => {
    const one = object(ingress({}))
    const other = object({ apiVersion: "v1", kind: "Service", metadata, spec: { ports: null } })
    expect(other.meta.labels).toBe(one.meta.labels)
    const lists = [one.kind === "Ingress" && one.tls, other.kind === "Service" && other.externalIps]
    expect(lists[1]).toBe(lists[0])
  })
})

describe("ConfigMaps and Secrets", () => {
  test("a ConfigMap keeps its texts", () => {
    const value = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1", b: 2 } }
    expect(object(value)).toMatchObject({ data: { a: "1" } })
    expect(findings(value)).toEqual(['data["b"] type-wrong'])
  })

  test("a Secret decodes; stringData goes over data; no message repeats a value", () => {
    const data = { a: "aGk=", b: "hunter2!", c: "YQ==" }
    const value = { apiVersion: "v1", kind: "Secret", metadata, data, stringData: { c: "é", d: 12345 } }
    const secret = object(value)
    expect(secret.kind === "Secret" && secret.data).toEqual({
      a: new Uint8Array([104, 105]),
      c: new Uint8Array([0xc3, 0xa9]),
    })
    expect(JSON.stringify(parse(value))).not.toMatch(/hunter2|12345/)
    expect(findings(value)).toEqual(['data["b"] type-wrong', 'stringData["d"] type-wrong'])
  })
})

describe("lists", () => {
  const one = ingress({})
  test("a List, a typed list whose items lean on it, and a list in a list", () => {
    expect([...expandLists({ apiVersion: "v1", kind: "List", items: [one, 5] })]).toEqual([one, 5])
    const { metadata, spec } = one
    expect([
      ...expandLists({ apiVersion: networking, kind: "IngressList", items: [{ metadata, spec }] }),
    ]).toEqual([one])
    const inner = { apiVersion: "v1", kind: "List", items: [one] }
    expect([...expandLists({ ...inner, items: [inner, one] })]).toEqual([one, one])
    expect([...expandLists(one)]).toEqual([one])
  })
})

test("no value whatever makes it throw, and nothing is accepted without a good name", () => {
  const kind = fc.constantFrom("Ingress", "Service", "EndpointSlice", "Secret", "ConfigMap", "IngressClass")
  const apiVersion = fc.constantFrom(networking, "v1", "discovery.k8s.io/v1")
  const field = fc.constantFrom(
    "spec",
    "metadata",
    "rules",
    "http",
    "paths",
    "backend",
    "service",
    "port",
    "data",
    "endpoints",
    "ports",
    "addresses",
    "name",
    "host",
    "labels",
    "__proto__",
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(field, tie("tree"), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(kind, apiVersion, fc.dictionary(field, tree), (kind, apiVersion, rest) => {
      const parsed = parse({ ...rest, kind, apiVersion })
      if (parsed.kind === "object") expect(parsed.object.meta.name).toMatch(/^[a-z0-9][-a-z0-9.]*$/)
    }),
    runs(500),
  )
})
