// Routes with conditions, posted: which of them a request finds, and what conditions may cost. The order is tested in nginx/routes.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { backend, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"

let plane: Plane
let backends: Backends
const names = ["one", "two", "three", "plain"] as const

beforeAll(async () => {
  backends = await startBackends(...names)
  plane = await startPlane({
    workers: 2,
    inHttp: "large_client_header_buffers 4 64k; underscores_in_headers on;",
  })
  await plane.apply({ backends: { set: [...backends].map((one) => backend(one.name, [one])) } })
})
afterAll(async () => {
  await plane[Symbol.asyncDispose]()
  await backends.stop()
})

type Condition = readonly [of: "method" | "header" | "query", name: string, value: string, match?: "regex"]

function route(backendName: string, path: string, ...conditions: readonly Condition[]): object {
  const posted = conditions.map(([of, name, value, match = "exact"]) =>
    of === "method" ? { of, value } : { of, name, match, value },
  )
  return {
    path,
    match: "prefix",
    location: "location-plain",
    backend: backendName,
    ...(posted.length > 0 && { conditions: posted, critical: ["conditions"] }),
  }
}

const set = (name: string, ...routes: readonly object[]) =>
  plane.apply({ routes: { set: [{ host: name, routes }] } })

async function ask(name: string, path = "/", question: object = {}): Promise<string> {
  const { status, body } = await plane.nginx.get(path, { host: name, ...question })
  return status === 200 ? body : String(status)
}

test("a method, a header in any case, and a query parameter without escapes decide", async () => {
  await set(
    "kinds.test",
    route("one", "/", ["method", "", "PUT"]),
    route("two", "/", ["header", "X-Version", "2"]),
    route("three", "/", ["query", "user name", "é&=%"]),
    route("plain", "/"),
  )
  expect(await ask("kinds.test", "/", { method: "PUT" })).toBe("one")
  expect(await ask("kinds.test", "/", { method: "PUT", headers: { "x-version": "2" } })).toBe("one")
  expect(await ask("kinds.test", "/", { headers: { "x-VERSION": "2" } })).toBe("two")
  expect(await ask("kinds.test", "/", { headers: { "x-version": "22" } })).toBe("plain")
  expect(await ask("kinds.test", "/a?b=c&user+name=%C3%A9%26=%25")).toBe("three")
  expect(await ask("kinds.test", "/a?user%20name=other&user%20name=%C3%A9%26=%25")).toBe("plain")
  expect(await ask("kinds.test", "/a?user%20name")).toBe("plain")
})

test("all conditions of a route have to hold, and where none does, the next best path serves", async () => {
  await set(
    "all.test",
    route("one", "/a/b", ["header", "x", "1"], ["query", "y", "1"], ["method", "", "GET"]),
    route("two", "/a", ["header", "x", "1"]),
    route("three", "/"),
  )
  const headers = { x: "1" }
  expect(await ask("all.test", "/a/b?y=1", { headers })).toBe("one")
  expect(await ask("all.test", "/a/b?y=2", { headers })).toBe("two")
  expect(await ask("all.test", "/a/b?y=1", { headers, method: "POST" })).toBe("two")
  expect(await ask("all.test", "/a/b?y=1")).toBe("three")
  await set("all.test", route("two", "/a", ["header", "x", "1"]))
  expect(await ask("all.test", "/a")).toBe("404")
})

test("of equal paths the first in the record serves whose conditions hold, whatever they are", async () => {
  const wide = route("one", "/", ["header", "a", "1"])
  const narrow = route("two", "/", ["header", "a", "1"], ["header", "b", "1"])
  const headers = { a: "1", b: "1" }
  await set("order.test", wide, narrow)
  expect(await ask("order.test", "/", { headers })).toBe("one")
  await set("order.test", narrow, wide)
  expect(await ask("order.test", "/", { headers })).toBe("two")
})

test("a pattern matches a whole value, with regard to case, and leaves the groups of the path alone", async () => {
  const path = { path: "/id/([0-9]+)", match: "regex", rewrite: "/$1" }
  await set(
    "patterns.test",
    { ...route("one", "/", ["header", "x", "v(1|2)", "regex"], ["query", "q", "(a)(b)", "regex"]), ...path },
    route("two", "/", ["header", "x", "v[0-9]+", "regex"]),
    route("plain", "/"),
  )
  const headers = { x: "v2" }
  expect(await ask("patterns.test", "/id/77?q=ab", { headers })).toBe("one")
  expect(backends.find(({ name }) => name === "one")?.lastUrl).toBe("/77?q=ab")
  expect(await ask("patterns.test", "/id/77?q=abc", { headers })).toBe("two")
  for (const x of ["v", "V2", "av2", "v2a"])
    expect(await ask("patterns.test", "/", { headers: { x } })).toBe("plain")
})

test("several lines of a header are one value", async () => {
  await set("lines.test", route("one", "/", ["header", "x", "a,b"]), route("plain", "/"))
  expect(await ask("lines.test", "/", { headers: { x: ["a", "b"] } })).toBe("one")
  expect(await ask("lines.test", "/", { headers: { x: ["a"] } })).toBe("plain")
})

test("a pattern that does not compile is met by no request, and the log says so", async () => {
  await set("bad.test", route("one", "/", ["header", "x", "a(", "regex"]), route("plain", "/"))
  expect(await ask("bad.test", "/", { headers: { x: "a(" } })).toBe("plain")
  expect(plane.nginx.errorLog()).toContain('Cannot match the pattern "a(", its route is passed over')
})

test("patterns that were made to be slow come to an end, and let nobody through", async () => {
  await set("slow.test", route("one", "/", ["header", "x", "(a+)+", "regex"]), route("plain", "/"))
  expect(await ask("slow.test", "/", { headers: { x: `${"a".repeat(8000)}!` } })).toBe("500")
  await until("the log line", () =>
    plane.nginx.errorLog().includes('the pattern "(a+)+" takes too many steps'),
  )
  expect(await ask("slow.test", "/", { headers: { x: "aaa" } })).toBe("one")
})

test("many slow patterns of conditions end a request as well", async () => {
  // Each looks for each byte through the rest of the value: some milliseconds at 8 KiB, and not too many steps.
  const many = Array.from({ length: 64 }, () =>
    route("one", "/", ["header", "x", "(.*)(?=.*=z)(.*)", "regex"]),
  )
  await set("many.test", ...many, route("plain", "/"))
  // The patterns become machine code in the course of some requests to each worker; until then they take too many steps.
  for (let n = 0; n < 20; n += 1)
    expect(await ask("many.test", "/", { headers: { x: "short" } })).toBe("plain")
  await until("the log line", async () => {
    expect(await ask("many.test", "/", { headers: { x: `${"a".repeat(8000)}=!` } })).toBe("500")
    return plane.nginx.errorLog().includes("the patterns of its host take more than 50ms")
  })
})

test("a host in parts finds the same", async () => {
  const many = Array.from({ length: 300 }, (_, n) => route("three", `/app/${String(n).padStart(3, "0")}`))
  const parts = [
    [
      route("one", "/", ["header", "x", "1"]),
      route("two", "/", ["header", "x", "2"]),
      route("three", "/a", ["header", "x", "9"]),
    ],
    [...many.slice(0, 150), route("one", "/app/149", ["header", "x", "1"])],
    many.slice(150),
  ]
  // The conditioned one of a path is first.
  parts[1] = [...many.slice(0, 149), route("one", "/app/149", ["header", "x", "1"]), ...many.slice(149, 150)]
  await plane.apply({
    route_parts: { set: parts.map((routes, n) => ({ id: `part-${n}`, routes })) },
    routes: {
      set: [{ host: "parts.test", routes: [], parts: parts.map((_, n) => `part-${n}`), critical: ["parts"] }],
    },
  })
  expect(await ask("parts.test", "/app/149/x", { headers: { x: "1" } })).toBe("one")
  expect(await ask("parts.test", "/app/149/x")).toBe("three")
  expect(await ask("parts.test", "/app/999", { headers: { x: "1" } })).toBe("one")
  expect(await ask("parts.test", "/app/999", { headers: { x: "2" } })).toBe("two")
  expect(await ask("parts.test", "/app/999")).toBe("404")
})

test("what is in force is shown as it was posted", async () => {
  const routes = [
    route("one", "/", ["header", "X-Version", "v[0-9]+", "regex"], ["method", "", "PUT"], ["query", "q", ""]),
    { ...route("one", "/"), split: [{ weight: 1, backend: "one" }] },
  ]
  await set("shown.test", ...routes)
  const { body } = await plane.nginx.control("GET", "/configuration/routes?host=shown.test")
  const critical = (key: string, value: unknown) => (key === "critical" ? undefined : value)
  expect(JSON.parse(body)[0].routes).toEqual(JSON.parse(JSON.stringify(routes, critical)))
})
