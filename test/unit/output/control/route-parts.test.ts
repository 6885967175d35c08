import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Host, Route } from "../../../../controller/model/route.ts"
import { halvesOf, routePartsOf } from "../../../../controller/output/control/route-parts.ts"
import { compareText } from "../../../../controller/support/order.ts"
import { host } from "./live.ts"

const [model] = host("shop.test", "a").routes
if (model === undefined) throw new Error("A host has a route")
const route = (path: string, match: Route["match"] = "prefix"): Route => ({ ...model, path, match })

function hostOf(routes: readonly Route[]): Host {
  return { server: "main", host: "shop.test", routes }
}

const ids = (routes: readonly Route[]) => routePartsOf(hostOf(routes)).map(({ id }) => id)
const number = (at: number) => String(at).padStart(5, "0")
const many = (count: number) => Array.from({ length: count }, (_, at) => route(`/app/${number(at)}`))

/** The order of readers (docs/wire.md): bytes, a slash before all others, without slashes at the end. */
function keyOf({ path }: Route): readonly number[] {
  return [...Buffer.from(path.replace(/\/*$/, ""))].map((byte) => (byte === 0x2f ? -1 : byte))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((byte, index) => byte !== b[index])
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -2)
}

/** Different parts of a host: how many parts of `after` `before` does not have. */
function moved(before: readonly Route[], after: readonly Route[]): number {
  const known = new Set(ids(before))
  return ids(after).filter((id) => !known.has(id)).length
}

describe("the parts of a host", () => {
  const path = fc
    .array(fc.string({ unit: fc.constantFrom("a", "b", ".", "é", "\u{1f680}", "\uffff"), maxLength: 2 }), {
      maxLength: 4,
    })
    .map((elements) => `/${elements.join("/")}`)
  const anyRoute = fc
    .tuple(path, fc.constantFrom("exact", "prefix", "regex"))
    .map(([path, match]) => route(path, match))

  test("have all its routes once, patterns in their order, everything else by path", () => {
    fc.assert(
      fc.property(fc.array(anyRoute, { maxLength: 800, size: "max" }), (routes) => {
        const parts = routePartsOf(hostOf(routes))
        const all = parts.flatMap(({ routes }) => routes)
        const patterns = routes.filter(({ match }) => match === "regex")
        expect(all.slice(0, patterns.length)).toEqual(patterns)
        const plain = all.slice(patterns.length)
        expect(plain).toHaveLength(routes.length - patterns.length)
        for (const [at, one] of plain.entries()) {
          const next = plain[at + 1]
          if (next !== undefined) expect(compare(keyOf(one), keyOf(next))).toBeLessThanOrEqual(0)
        }
      }),
      { numRuns: 50 },
    )
  })

  test("keep paths together that differ only by slashes at their ends", () => {
    const routes = many(2000).flatMap(({ path }) => [
      route(path),
      route(path, "exact"),
      route(`${path}/`),
      route(`${path}//`),
    ])
    const parts = routePartsOf(hostOf(routes))
    expect(parts.length).toBeGreaterThan(20)
    for (const { routes } of parts) expect(routes.length % 4).toBe(0)
    for (const part of parts)
      for (const half of halvesOf("shop.test", part)) expect(half.routes.length % 4).toBe(0)
  })

  test("are halved wherever they can be", () => {
    const halves = (...routes: readonly Route[]) =>
      halvesOf("shop.test", { id: "", routes }).map(({ routes }) => routes.map(({ path }) => path))
    const twice = [route("/a"), route("/a", "exact")]
    expect(halves(...twice, route("/b"))).toEqual([["/a", "/a"], ["/b"]])
    expect(halves(...twice, route("/a/"), route("/a//"), route("/b"))).toEqual([
      ["/a", "/a", "/a/", "/a//"],
      ["/b"],
    ])
    expect(halves(route("/0"), ...twice, route("/a/"))).toEqual([["/0"], ["/a", "/a", "/a/"]])
    expect(halves(...twice)).toEqual([["/a", "/a"]])
    expect(halves(route("/a", "regex"), route("/a", "regex"), route("/b", "regex"))).toEqual([
      ["/a", "/a"],
      ["/b"],
    ])
  })

  test("are neither tiny nor large", () => {
    const sizes = routePartsOf(hostOf(many(20_000))).map(({ routes }) => routes.length)
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(16)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256)
    expect(sizes.length).toBeGreaterThan(150)
    expect(sizes.length).toBeLessThan(500)
  })

  test("are short even where routes are long", () => {
    const long = many(1000).map((one) => ({ ...one, rewrite: "x".repeat(4000) }))
    for (const { routes } of routePartsOf(hostOf(long))) expect(routes.length).toBeLessThan(17)
  })

  test("are those of the routes, in whatever order these came, and of their host", () => {
    const routes = many(3000)
    const shuffled = routes.toSorted((a, b) => compareText(a.path.split("").reverse().join(), b.path))
    expect(ids(shuffled)).toEqual(ids(routes))
    const other = routePartsOf({ ...hostOf(routes), host: "other.test" }).map(({ id }) => id)
    expect(other.some((id) => ids(routes).includes(id))).toBe(false)
  })

  test("stay but for one or two when a path is changed, added or removed", () => {
    const routes = many(20_000)
    for (const at of [0, 1, 7777, 19_999]) {
      const changed = routes.with(at, { ...route(`/app/${number(at)}`), backend: "b" })
      expect(moved(routes, changed)).toBe(1)
      expect(moved(routes, [...routes, route(`/app/${number(at)}x`)])).toBeLessThanOrEqual(3)
      expect(moved(routes, routes.toSpliced(at, 1))).toBeLessThanOrEqual(3)
    }
  })

  test("keep routes of one path together, in the order that they came in", () => {
    const split = Array.from({ length: 600 }, (_, n): Route => {
      const conditions = [{ of: "header", name: "x", match: "exact", value: String(n % 300) }] as const
      return { ...route(n < 300 ? "/many" : "/many/"), conditions }
    })
    const routes = [...many(500), ...split]
    const parts = routePartsOf(hostOf(routes)).filter((part) =>
      part.routes.some(({ conditions }) => conditions),
    )
    expect(parts).toHaveLength(1)
    expect(parts[0]?.routes.filter(({ conditions }) => conditions)).toEqual(split)
    expect(halvesOf("a.test", { id: "", routes: split })).toHaveLength(1)
  })

  test("lack paths that no request can have", () => {
    expect(routePartsOf(hostOf([route("/a\0b"), route("/b")])).flatMap(({ routes }) => routes)).toHaveLength(
      1,
    )
  })
})
