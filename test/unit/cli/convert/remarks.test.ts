import { describe, expect, test } from "vitest"
import { converted, reasonFor } from "../../../../cli/convert/equivalents.ts"
import { annotations as known } from "../../../../controller/core/annotations/table.ts"
import { ingress, type Json, settings } from "../../../../harness/manifests.ts"
import { conversionOf } from "../../../support/conversions.ts"

const app = [{ name: "app", port: 80 }]

describe("what has no equivalent", () => {
  test("is said of each annotation", () => {
    const { remarks } = conversionOf([
      ingress("a/a", "a.test/ → app:80", { "limit-rps": "5", affinity: "cookie" }),
    ])
    expect(remarks.map(({ kind, field }) => [kind, /\/([^"]*)"/.exec(field)?.[1]])).toEqual([
      ["left-out", "limit-rps"],
      ["left-out", "affinity"],
    ])
  })

  test.each([
    ["auth-url", "https://auth.test/"],
    ["whitelist-source-range", "10.0.0.0/8"],
    ["whitelist-source-range", ""],
    ["denylist-source-range", ""],
    ["auth-tls-secret", "a/ca"],
  ])("closes an Ingress that would be open, whatever other routes of its host there are: %s", (name, value) => {
    const rule = ingress("a/a", "a.test/ → app:80", { [name]: value })
    const { closed, objects, remarks } = conversionOf([rule])
    expect(closed).toEqual(["a/a"])
    expect(objects[1]?.spec.rules).toEqual([{ matches: [{ path: { type: "PathPrefix", value: "/" } }] }])
    expect(remarks).toMatchObject([{ kind: "open" }])
    expect(conversionOf([rule], [], { allowsOpen: true }).objects[1]?.spec.rules).toMatchObject([
      { backendRefs: app },
    ])
  })

  test("closes all of them, where it is said for every host", () => {
    const objects = [
      ingress("a/a", "a.test/ → app:80"),
      settings("edge/settings", { "global-auth-url": "https://auth.test/" }),
    ]
    expect(conversionOf(objects).closed).toEqual(["a/a"])
  })

  test("is said of values that cannot be used, and of names that nobody knows", () => {
    const annotations = { "permanent-redirect": "https://new.test$request_uri", rewrite: "/" }
    const { remarks } = conversionOf([ingress("a/a", "a.test/ → app:80", annotations)])
    expect(remarks.map(({ kind, what }) => [kind, what.slice(0, 10)])).toEqual([
      ["left-out", "Cannot use"],
      ["left-out", "Annotation"],
    ])
  })

  test("nothing is said of what asks for nothing", () => {
    const annotations = {
      "cors-max-age": "5",
      "auth-realm": "a",
      "enable-access-log": "true",
      "whitelist-source-range": "0.0.0.0/0",
    }
    const { remarks } = conversionOf([ingress("a/a", "a.test/ → app:80", annotations)])
    expect(remarks.map(({ field }) => /\/([^"]*)"/.exec(field)?.[1])).toEqual(["enable-access-log"])
  })

  test("every annotation is converted, or has its sentence", () => {
    const names = known.map(({ name }) => name)
    expect(names.filter((name) => !converted.has(name) && reasonFor(name) === undefined)).toEqual([])
    expect([...converted].filter((name) => !names.includes(name))).toEqual([])
  })
})

describe("a host that asks for certificates of clients", () => {
  const guarded = ingress("a/guarded", "a.test/private → app:80", { "auth-tls-secret": "a/clients" })
  const alias = { "server-alias": "b.test" }
  const beside: readonly Json[] = [
    ingress("b/same", "a.test/open → app:80"),
    ingress("b/case", "A.TEST/open → app:80"),
    ingress("b/alias", "c.test/ → app:80", { "server-alias": "a.test" }),
    ingress("b/www", "www.a.test/ → app:80", { "from-to-www-redirect": "true" }),
    ingress("b/canary", "a.test/private → app:80", { canary: "true", "canary-weight": "100" }),
  ]

  test.each(
    beside.map((one) => [(one.metadata as { name: string }).name, one] as const),
  )("closes its other Ingresses, too: %s", (name, other) => {
    const { closed, remarks } = conversionOf([guarded, other])
    expect(closed).toEqual(["a/guarded", `b/${name}`])
    expect(remarks).toContainEqual(
      expect.objectContaining({ kind: "open", object: expect.objectContaining({ name }) }),
    )
    expect(conversionOf([guarded, other], [], { allowsOpen: true }).closed).toEqual([])
  })

  test("by an alias as well", () => {
    const other = ingress("b/other", "b.test/ → app:80")
    const own = ingress("a/guarded", "a.test/ → app:80", { "auth-tls-secret": "a/clients", ...alias })
    expect(conversionOf([own, other]).closed).toEqual(["a/guarded", "b/other"])
  })

  test("closes none of other hosts", () => {
    expect(conversionOf([guarded, ingress("b/other", ["b.test/ → app:80", "* → app:80"])]).closed).toEqual([
      "a/guarded",
    ])
  })
})
