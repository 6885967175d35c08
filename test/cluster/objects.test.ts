// Objects as a real API server sends them: what its lists say that it was not told, and what it leaves out.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseLabelSelector, selects } from "../../controller/model/objects/label-selector.ts"
import type { KubernetesObject } from "../../controller/model/objects/object.ts"
import { parseObject } from "../../controller/model/objects/parse.ts"
import { readIngressStatus } from "../../controller/model/objects/status-address.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../harness/cluster/client.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  withTls,
} from "../../harness/manifests.ts"

let server: ApiServer
let namespace: string
beforeAll(async () => {
  server = await startApiServer()
  namespace = await server.namespace("objects", { team: "shop" })
})
afterAll(() => server.stop())

/** What becomes of an object that goes to the API server and comes back; it must not be a reason to complain. */
async function throughServer(value: Json): Promise<KubernetesObject> {
  await server.admin.apply(value)
  const { kind, metadata } = value as unknown as ApiObject
  const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
  return parsed(await server.admin.get(kind, name))
}

function parsed(value: unknown): KubernetesObject {
  const result = parseObject(value, { origin: "", firstSeenMs: () => 0 })
  if (result.kind !== "object" || result.problems.length > 0) throw new Error(JSON.stringify(result))
  return result.object
}

function slice(name: string, rest: Json): Json {
  const labels = { "kubernetes.io/service-name": "web" }
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { namespace, name, labels },
    ...rest,
  }
}

describe("what an API server sends", () => {
  test("an Ingress, with the status that somebody wrote", async () => {
    const value = withTls(
      ingress(`${namespace}/one`, ["one.test/ → web:80", "* → web:80"], { a: "b" }),
      "one.test=tls",
      "=",
    )
    expect(await throughServer(value)).toMatchObject({
      kind: "Ingress",
      meta: { namespace, name: "one", uid: expect.stringMatching(/^[-0-9a-f]{36}$/), labels: {} },
      className: "nginx",
      defaultBackend: { kind: "service", name: "web", port: { kind: "number", number: 80 } },
      rules: [{ host: "one.test", paths: [{ path: "/", pathType: "Prefix" }] }],
      tls: [
        { hosts: ["one.test"], secretName: "tls" },
        { hosts: [], secretName: "" },
      ],
    })
    const read = async () => readIngressStatus(await server.admin.get("Ingress", `${namespace}/one`))
    expect(await read()).toEqual([])
    const written = [{ ip: "203.0.113.1" }, { hostname: "lb.test" }]
    await server.admin.patch(
      "Ingress",
      `${namespace}/one`,
      { status: { loadBalancer: { ingress: written } } },
      "status",
    )
    expect(await read()).toEqual([
      { ip: "203.0.113.1", hostname: "" },
      { ip: "", hostname: "lb.test" },
    ])
  })

  test("an Ingress with a resource and one without rules", async () => {
    const resource = { apiGroup: "example.com", kind: "Bucket", name: "static" }
    const rules = [
      { http: { paths: [{ pathType: "ImplementationSpecific", backend: { resource } }] } },
      { host: "two.test" },
    ]
    const bare = { apiVersion: "networking.k8s.io/v1", kind: "Ingress" }
    expect(
      await throughServer({ ...bare, metadata: { namespace, name: "two" }, spec: { rules } }),
    ).toMatchObject({
      rules: [{ host: "", paths: [{ path: "", backend: { kind: "resource" } }] }, { host: "two.test" }],
      tls: [],
    })
  })

  test("Services of every kind", async () => {
    const specOf = (name: string, spec: Json) =>
      throughServer({ apiVersion: "v1", kind: "Service", metadata: { namespace, name }, spec })
    const ports = [{ port: 80 }]
    expect(await throughServer(service(`${namespace}/headless`))).toMatchObject({ clusterIp: "None" })
    expect(await specOf("named", { ports: [{ name: "web", port: 80, targetPort: "http" }] })).toMatchObject({
      type: "ClusterIP",
      clusterIp: expect.stringMatching(/^10\.96\./),
      ports: [{ name: "web", port: 80, targetPort: "http", protocol: "TCP" }],
      balancerAddresses: [],
    })
    expect(await specOf("external", { type: "ExternalName", externalName: "example.com" })).toMatchObject({
      externalName: "example.com",
      clusterIp: "",
      ports: [],
    })
    const balanced = {
      type: "LoadBalancer",
      ports,
      externalIPs: ["198.51.100.1"],
      trafficDistribution: "PreferSameZone",
    }
    expect(await specOf("balanced", balanced)).toMatchObject({
      externalIps: ["198.51.100.1"],
      trafficDistribution: "PreferSameZone",
      ports: [{ name: "", port: 80, targetPort: 80 }],
    })
    const status = { loadBalancer: { ingress: [{ ip: "203.0.113.1", hostname: "lb.test", ipMode: "VIP" }] } }
    await server.admin.patch("Service", `${namespace}/balanced`, { status }, "status")
    expect(parsed(await server.admin.get("Service", `${namespace}/balanced`))).toMatchObject({
      balancerAddresses: [{ ip: "203.0.113.1", hostname: "lb.test" }],
    })
  })

  test("EndpointSlices: null for what is empty, nothing for what was not said", async () => {
    const empty = slice("empty", { addressType: "IPv4", endpoints: [], ports: [] })
    await server.admin.apply(empty)
    expect(await server.admin.get("EndpointSlice", `${namespace}/empty`)).toMatchObject({
      endpoints: null,
      ports: null,
    })
    expect(await throughServer(empty)).toMatchObject({ serviceName: "web", endpoints: [], ports: [] })
    const endpoints = [
      { addresses: ["10.244.0.5"] },
      { addresses: ["10.244.0.6"], conditions: { ready: false, serving: true, terminating: true } },
      { addresses: ["10.244.0.7"], conditions: { serving: true }, hints: { forZones: [{ name: "a" }] } },
      { addresses: ["10.244.0.8"], hints: {} },
    ]
    const ready = (address: string, zones: readonly string[] = []) => ({
      addresses: [address],
      ready: true,
      zones,
    })
    expect(
      await throughServer(slice("four", { addressType: "IPv4", ports: [{ port: 8080 }], endpoints })),
    ).toMatchObject({
      ports: [{ name: "", port: 8080, protocol: "TCP" }],
      endpoints: [
        ready("10.244.0.5"),
        { addresses: ["10.244.0.6"], ready: false },
        ready("10.244.0.7", ["a"]),
        ready("10.244.0.8"),
      ],
    })
    const six = [{ addresses: ["fd00::5"] }]
    expect(
      await throughServer(slice("six", { addressType: "IPv6", ports: [{ port: 8080 }], endpoints: six })),
    ).toMatchObject({
      addressType: "IPv6",
      endpoints: [ready("fd00::5")],
    })
  })

  test("Secrets, ConfigMaps and what belongs to no namespace", async () => {
    const decoded = await throughServer(secret(`${namespace}/s`, { a: "é" }))
    expect(decoded.kind === "Secret" && Object.entries(decoded.data)).toEqual([
      ["a", new TextEncoder().encode("é")],
    ])
    expect(await throughServer({ ...secret(`${namespace}/none`, {}), stringData: undefined })).toMatchObject({
      type: "Opaque",
      data: {},
    })
    expect(await throughServer(settings(`${namespace}/c`, { a: "1" }))).toMatchObject({ data: { a: "1" } })
    expect(await throughServer({ ...settings(`${namespace}/none`, {}), data: undefined })).toMatchObject({
      data: {},
    })
    expect(await throughServer(ingressClass)).toMatchObject({
      controller: "k8s.io/ingress-nginx",
      meta: { namespace: "" },
    })
    expect(parsed(await server.admin.get("Namespace", namespace))).toMatchObject({
      meta: { name: namespace, labels: { team: "shop", "kubernetes.io/metadata.name": namespace } },
    })
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "node-1", labels: { "topology.kubernetes.io/zone": "a" } },
    }
    expect(await throughServer(node)).toMatchObject({ addresses: [], meta: { labels: node.metadata.labels } })
  })

  test("a Pod that waits, and one that runs", async () => {
    const spec = { containers: [{ name: "one", image: "one" }] }
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { namespace, name: "pod" }, spec }
    expect(await throughServer(pod)).toMatchObject({ nodeName: "", isRunning: false, isReady: false })
    const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] }
    await server.admin.patch("Pod", `${namespace}/pod`, { status }, "status")
    expect(parsed(await server.admin.get("Pod", `${namespace}/pod`))).toMatchObject({
      isRunning: true,
      isReady: true,
    })
  })
})

describe("a selector of labels", () => {
  const keys = ["a", "in", "example.com/a", "a/b/c"]
  const values = ["", "b", "5", "in", "9223372036854775808", "é"]
  const objects: readonly Readonly<Record<string, string>>[] = [
    { a: "b" },
    { a: "5", in: "in" },
    { a: "" },
    { "example.com/a": "10", b: "9223372036854775807" },
  ]
  const names = objects.map((_, at) => `labelled-${at}`)
  const forms = [
    (key: string, value: string) => `${key}=${value}`,
    (key: string, value: string) => `${key} != ${value}`,
    (key: string, value: string) => `${key} in (${value},b)`,
    (key: string, value: string) => `${key} notin (${value},,)`,
    (key: string, value: string) => `${key}>${value}`,
    (key: string, value: string) => `${key}<${value}`,
    (key: string, value: string) => `!${key},${value}`,
    (key: string, value: string) => `${key} ${value}`,
  ]
  const odd = [
    "",
    " ",
    ",",
    "a,",
    ",a",
    "a,,b",
    "a in ()",
    "a in (",
    "a in (,)",
    "a in b",
    "a=(b)",
    "!!a",
    "a===b",
    "a>=5",
    "(a)",
    "a=b)",
  ]

  test("is taken, refused and understood as there", async () => {
    await server.admin.apply(
      ...objects.map((labels, at) => ({
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: names[at], labels },
      })),
    )
    const texts = [
      ...odd,
      ...keys.flatMap((key) => values.flatMap((value) => forms.map((form) => form(key, value)))),
    ]
    const differing = await Promise.all(
      texts.map(async (text) => [text, await answerOf(text), ownAnswerTo(text)]),
    )
    expect(differing.filter(([, theirs, own]) => theirs !== own)).toEqual([])
  })

  /** Names of what is selected; `refused` when it is no selector. */
  async function answerOf(labelSelector: string): Promise<string> {
    const found = await server.admin.list("Namespace", "", { labelSelector }).catch(() => undefined)
    return (
      found
        ?.map(({ metadata }) => metadata.name)
        .filter((name) => names.includes(name))
        .sort()
        .join() ?? "refused"
    )
  }

  function ownAnswerTo(text: string): string {
    const selector = parseLabelSelector(text)
    if (selector.kind === "refused") return "refused"
    return names
      .filter((name, at) => selects(selector.value, { ...objects[at], "kubernetes.io/metadata.name": name }))
      .join()
  }
})
