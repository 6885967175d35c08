import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { expandLists } from "../../../../controller/model/objects/list.ts"
import { runs } from "../../../support/runs.ts"
import { findings, ingress, metadata, networking, object, parse } from "./parsed.ts"

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
