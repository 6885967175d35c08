import { describe, expect, test } from "vitest"
import {
  ingress,
  options,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../../harness/objects.ts"

const objects = [service("shop/cart", "80"), slice("shop/cart", ["10.0.0.1"], "8080")]

/** Matches and paths of the routes of one.test. */
function routes(rules: readonly string[], annotations: Record<string, string> = {}): string[] {
  const input = snapshot(...objects, ingress("shop/one", rules, annotations))
  const { hosts } = translate(input, settings, options).model.live
  return (hosts.find(({ host }) => host === "one.test")?.routes ?? []).map(
    ({ match, path }) => `${match} ${path}`,
  )
}

describe("the order of patterns", () => {
  const regex = { "use-regex": "true" }

  test("is by length, then by text downwards", () => {
    const rules = ["/a", "/bb", "/aa", "/ccc", "/"].map((path) => `one.test${path} → cart:80`)
    expect(routes(rules, regex)).toEqual(["regex /ccc", "regex /bb", "regex /aa", "regex /a", "regex /"])
  })

  test("counts bytes, as ingress-nginx does", () => {
    expect(routes(["one.test/ä → cart:80", "one.test/bb → cart:80"], regex).slice(0, 2)).toEqual([
      "regex /ä",
      "regex /bb",
    ])
  })
})

describe("where one path is a pattern", () => {
  test("others are split at their end, unless somebody has exactly that", () => {
    const rules = ["one.test/x → cart:80", "Exact one.test/y → cart:80", "one.test/y → cart:80"]
    const rewritten = ["one.test/long(.*) → cart:80", ...rules]
    const plain = snapshot(
      ...objects,
      ingress("shop/one", rules),
      ingress("shop/two", rewritten[0] ?? "", { "rewrite-target": "/$1" }, 1),
    )
    const { hosts } = translate(plain, settings, options).model.live
    expect(hosts[1]?.routes.map(({ path }) => path)).toEqual(["/long(.*)", "/y", "/y/", "/x/", "/x", "/"])
  })

  test("an exact / is the only one that stays exact", () => {
    const rules = ["Exact one.test/ → cart:80", "Exact one.test/a → cart:80"]
    expect(routes(rules, { "rewrite-target": "/app" })).toEqual(["regex /a", "regex /", "exact /"])
    expect(routes(["one.test/ → cart:80", ...rules], { "use-regex": "true" })).toEqual([
      "regex /a",
      "regex /",
      "exact /",
    ])
  })

  test("a pattern that stands there twice is there once", () => {
    const rules = ["Exact one.test/a → cart:80", "one.test/a → cart:80"]
    expect(routes(rules, { "use-regex": "true" })).toEqual(["regex /a", "regex /"])
  })
})

test("a path that ends with a slash is not split", () => {
  const input = snapshot(
    ...objects,
    ingress("shop/one", "one.test/x/ → cart:80"),
    ingress("shop/two", "one.test/p → cart:80", { "use-regex": "true" }, 1),
  )
  const { hosts } = translate(input, settings, options).model.live
  expect(hosts[1]?.routes.map(({ path }) => path)).toEqual(["/x/", "/p", "/"])
})

test("app-root comes before everything, in the place of an exact /", () => {
  const rules = ["Exact one.test/ → cart:80", "one.test/a → cart:80"]
  expect(routes(rules, { "app-root": "/start" })).toEqual(["exact /", "prefix /", "prefix /a"])
  expect(routes(rules, { "app-root": "/start", "use-regex": "true" })).toEqual([
    "exact /",
    "regex /a",
    "regex /",
  ])
})
