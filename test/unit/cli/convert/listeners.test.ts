import { describe, expect, test } from "vitest"
import { ingress, type Json, withTls } from "../../../../harness/manifests.ts"
import { conversionOf } from "../../../support/conversions.ts"

describe("listeners", () => {
  test("one for each host with a certificate, which the Gateway may read", () => {
    const { objects } = conversionOf([
      withTls(ingress("a/a", "a.test/ → app:80"), "a.test,*.a.test=cert"),
      withTls(ingress("edge/b", "b.test/ → app:80"), "b.test=own"),
    ])
    const [first, grant] = objects
    expect((first?.spec.listeners as Json[]).map(({ name, protocol, tls }) => [name, protocol, tls])).toEqual(
      [
        ["http", "HTTP", undefined],
        [
          "wildcard-https-a.test",
          "HTTPS",
          { mode: "Terminate", certificateRefs: [{ namespace: "a", name: "cert" }] },
        ],
        ["https-a.test", "HTTPS", { mode: "Terminate", certificateRefs: [{ namespace: "a", name: "cert" }] }],
        ["https-b.test", "HTTPS", { mode: "Terminate", certificateRefs: [{ name: "own" }] }],
      ],
    )
    expect(grant).toMatchObject({
      kind: "ReferenceGrant",
      metadata: { namespace: "a" },
      spec: { from: [{ kind: "Gateway", namespace: "edge" }], to: [{ kind: "Secret", name: "cert" }] },
    })
  })

  test("what a Gateway has no room for stands in a ListenerSet, and routes find it there", () => {
    const all = Array.from({ length: 70 }, (_, at) =>
      withTls(ingress(`a/i${at}`, `h${at}.test/ → app:80`, { "ssl-redirect": "false" }), `h${at}.test=cert`),
    )
    const { objects } = conversionOf(all)
    const [gate, set] = objects
    expect([gate, set].map((it) => (it?.spec.listeners as Json[]).length)).toEqual([64, 7])
    expect(set).toMatchObject({ kind: "ListenerSet", metadata: { namespace: "edge", name: "main-2" } })
    const refs = objects.flatMap(({ kind, spec }) =>
      kind === "HTTPRoute" ? (spec.parentRefs as Json[]) : [],
    )
    expect(refs.filter(({ kind }) => kind === "ListenerSet")).toHaveLength(7)
  })

  test("a wildcard and a host that is called like its listener have two", () => {
    const { objects } = conversionOf([
      withTls(ingress("a/a", ["*.a.test/ → app:80", "any.a.test/ → app:80"]), "*.a.test,any.a.test=cert"),
    ])
    const names = (objects[0]?.spec.listeners as Json[]).map(({ name }) => name)
    expect(names).toEqual(["http", "wildcard-https-a.test", "https-any.a.test"])
    expect(new Set(names).size).toBe(3)
  })

  test("a certificate of another namespace is another one, whatever both are called", () => {
    const { remarks } = conversionOf([
      withTls(ingress("a/a", "a.test/x → app:80", {}, 1), "a.test=btls"),
      withTls(ingress("ab/b", "a.test/y → app:80", {}, 2), "a.test=tls"),
    ])
    expect(remarks).toMatchObject([
      { object: { name: "b" }, what: "a.test has the certificate a/btls already" },
    ])
  })

  test("none for a host that is none, passed through or not", () => {
    const rule = ingress("a/a", "a_b..test/ → app:443", { "ssl-passthrough": "true" })
    const { objects } = conversionOf([rule], ["--enable-ssl-passthrough"])
    expect((objects[0]?.spec.listeners as Json[]).map(({ name }) => name)).toEqual(["http"])
  })

  test("TLS that is passed through", () => {
    const rule = ingress("a/a", "a.test/ → app:443", { "ssl-passthrough": "true" })
    const { objects } = conversionOf([rule], ["--enable-ssl-passthrough"])
    expect(objects.map(({ kind }) => kind)).toEqual(["Gateway", "TLSRoute"])
    expect(objects[1]).toMatchObject({
      spec: { hostnames: ["a.test"], rules: [{ backendRefs: [{ name: "app", port: 443 }] }] },
    })
  })
})

describe("with a certificate for all other hosts", () => {
  const flags = ["--default-ssl-certificate=edge/default"]
  const placesOf = (rule: Json) =>
    conversionOf([rule], flags)
      .objects.filter(({ kind }) => kind === "HTTPRoute")
      .map(({ metadata: { name }, spec }) => [
        name,
        (spec.parentRefs as readonly Json[]).map(({ sectionName }) => sectionName),
      ])

  test("a host without TLS of its own is served by HTTPS, too, and not led there", () => {
    expect(placesOf(ingress("a/a", "a.test/ → app:80"))).toEqual([["a", ["http", "https"]]])
  })

  test.each(["a.test=", "b.test=cert"])("a host of an Ingress with TLS is led there: %s", (tls) => {
    expect(placesOf(withTls(ingress("a/a", "a.test/ → app:80"), tls))).toEqual([
      ["a", ["https"]],
      ["a-redirect", ["http"]],
    ])
  })
})
