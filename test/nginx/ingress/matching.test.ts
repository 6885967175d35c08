// Host and path to location, end to end; the rules one by one are tested in nginx/routes.
import { afterAll, beforeAll, expect, test } from "vitest"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { rawRequest } from "./support/raw.ts"

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    locations: `${answering("one", "one $proxy_upstream_name")} ${answering("two", "two $proxy_upstream_name")}`,
  })
})
afterAll(() => ingress[Symbol.asyncDispose]())

test("a host is found whatever its case and port, and only by its own name", async () => {
  await ingress.route("shop.test", [{ location: "one", backend: "shop" }])
  expect(await ingress.ask("shop.test")).toBe("one shop")
  expect(await ingress.ask("SHOP.test:8080")).toBe("one shop")
  expect(await ingress.ask("shop.test.")).toBe("one shop")
  expect(await ingress.ask("www.shop.test")).toBe("404")
})

test("an exact host beats a wildcard, and a wildcard beats the rest", async () => {
  await ingress.route("_", [{ location: "two", backend: "rest" }])
  await ingress.route("*.wild.test", [{ location: "one", backend: "wild" }])
  await ingress.route("a.wild.test", [{ location: "one", backend: "exact" }])
  expect(await ingress.ask("a.wild.test")).toBe("one exact")
  expect(await ingress.ask("b.wild.test")).toBe("one wild")
  expect(await ingress.ask("a.b.wild.test")).toBe("two rest")
  expect(await ingress.ask("*.wild.test")).toBe("two rest")
  await ingress.route("_", undefined)
  expect(await ingress.ask("a.b.wild.test")).toBe("404")
})

test("a path finds its route: exact first, then the longest prefix by elements", async () => {
  await ingress.route("paths.test", [
    { path: "/", location: "one", backend: "root" },
    { path: "/foo", location: "two", backend: "foo" },
    { path: "/foo", match: "exact", location: "one", backend: "exact" },
    { path: "/foo/bar", location: "two", backend: "bar" },
  ])
  const table = {
    "/": "one root",
    "/foo": "one exact",
    "/foo/": "two foo",
    "/foobar": "one root",
    "/foo/bar": "two bar",
    "/foo/bar/x?y=/z": "two bar",
    "/foo/barx": "two foo",
    "/%66oo": "one exact",
    "//foo///bar/": "two bar",
    "/foo/x/../baz": "two foo",
    // A backend could take it for what lies below /foo/bar.
    "/foo/bar/../baz": "400",
    "/FOO": "one root",
  }
  for (const [path, answer] of Object.entries(table))
    expect([path, await ingress.ask("paths.test", path)]).toEqual([path, answer])
})

test("a host without a route for the path answers 404", async () => {
  await ingress.route("narrow.test", [{ path: "/only", location: "one" }])
  expect(await ingress.ask("narrow.test", "/only/x")).toBe("one backend")
  expect(await ingress.ask("narrow.test", "/else")).toBe("404")
})

test("a request without Host is served by the record of every other host", async () => {
  await ingress.route("_", [{ location: "two", backend: "rest" }])
  expect(await rawRequest(ingress.port, "GET /x HTTP/1.0\r\n\r\n")).toMatch(/two rest$/)
})
