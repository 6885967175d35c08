import { expect, test } from "vitest"
import type { RouteInForce } from "../../../controller/inspect/in-force.ts"
import { notTaken } from "../../../controller/inspect/reasons.ts"

const route = (match: RouteInForce["match"], path: string): RouteInForce => ({
  path,
  match,
  location: "location-default",
  backend: "shop-web-80",
})

const root = route("prefix", "/")
const cart = route("prefix", "/cart")
const items = route("exact", "/cart/items")
const number = route("regex", "/cart/[0-9]+")
const any = route("regex", "/cart/.*")
const host = { server: "main", host: "shop.test", routes: [items, number, any, root, cart] }

const reasons = (taken: RouteInForce | undefined, path: string) =>
  notTaken(host, taken, path).map((other) => `${other.route.match} ${other.route.path} ${other.why}`)

test("beside an exact path", () => {
  expect(reasons(items, "/cart/items")).toEqual([
    "regex /cart/[0-9]+ an exact path comes first",
    "regex /cart/.* an exact path comes first",
    "prefix / an exact path comes first",
    "prefix /cart an exact path comes first",
  ])
})

test("beside the first regular expression that matches", () => {
  expect(reasons(number, "/cart/7")).toEqual([
    "regex /cart/.* comes later among the regular expressions",
    "prefix / regular expressions come first",
    "prefix /cart regular expressions come first",
    "exact /cart/items is another path",
  ])
  expect(reasons(any, "/cart/x")).toContain("regex /cart/[0-9]+ does not match")
})

test("beside the longest prefix", () => {
  expect(reasons(cart, "/cart")).toEqual([
    "prefix / is shorter",
    "exact /cart/items is another path",
    "regex /cart/[0-9]+ does not match",
    "regex /cart/.* does not match",
  ])
  expect(reasons(root, "/cartoon")).toContain("prefix /cart does not begin the path")
})

test("of two routes with one path the first one counts", () => {
  const second = route("exact", "/cart/items")
  const both = { ...host, routes: [items, second] }
  expect(notTaken(both, items, "/cart/items")).toEqual([
    { route: second, why: "an earlier route has this path", isRival: true },
  ])
})

test("beside what snippets have", () => {
  const final = route("string_prefix_final", "/cart")
  const start = route("string_prefix", "/ca")
  const anywhere = route("pattern_any_case", "cart")
  const all = { ...host, routes: [number, anywhere, root, start, final] }
  expect(notTaken(all, final, "/cartoon").map(({ route: { path }, why }) => `${path} ${why}`)).toEqual([
    "/cart/[0-9]+ a prefix that is final comes first",
    "cart a prefix that is final comes first",
    "/ is shorter",
    "/ca is shorter",
  ])
  expect(notTaken(all, number, "/cart/7").map(({ route: { path }, why }) => `${path} ${why}`)).toEqual([
    "cart comes later among the regular expressions",
    "/ regular expressions come first",
    "/ca regular expressions come first",
    "/cart regular expressions come first",
  ])
  const inner = { ...route("pattern", "x$"), within: "/cart" }
  expect(notTaken({ ...all, routes: [inner, root] }, root, "/x")).toEqual([
    { route: inner, why: 'stands within the location "/cart"', isRival: false },
  ])
  expect(notTaken(all, start, "/cat")).toContainEqual({
    route: final,
    why: "does not begin the path",
    isRival: false,
  })
})
