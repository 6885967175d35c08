// Numbers of a route in force: timeouts here, body sizes in body-size.test.ts; what they cost, and what they must not.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { keptMs } from "../../../harness/http.ts"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { startLoad } from "../../../harness/load.ts"
import { memoryBytesOf } from "../../../harness/processes.ts"
import { patienceMs } from "../../../harness/until.ts"
import { tookAtLeast } from "../../support/clock.ts"
import { type Deaf, deaf } from "./support/deaf.ts"

let backends: Backends
let ingress: Ingress
let nobody: Deaf
let connections = 0
/** Longer than the location's own timeout. */
const lateMs = 500
const kept = createServer({ keepAliveTimeout: keptMs }, (_, response) => response.end("kept")).on(
  "connection",
  () => {
    connections += 1
  },
)

beforeAll(async () => {
  backends = await startBackends("slow")
  const [slow] = backends
  nobody = await deaf()
  await new Promise<void>((resolve) => kept.listen(0, "127.0.0.1", resolve))
  ingress = await startIngress({
    http: `upstream fast { server 127.0.0.1:${(kept.address() as AddressInfo).port}; keepalive 8; }`,
    locations: `${answering("plain", "plain")}
      location @keep { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://fast; }
      location @slow { proxy_read_timeout 200ms; proxy_next_upstream off; proxy_pass http://127.0.0.1:${slow?.port}; }
      location @patient { proxy_next_upstream off; proxy_pass http://127.0.0.1:${slow?.port}; }
      location @methods {
        limit_except PUT { proxy_pass http://127.0.0.1:${slow?.port}; }
        client_max_body_size 20; proxy_pass http://fast;
      }
      location @dark { proxy_connect_timeout 10m; proxy_next_upstream off; proxy_pass http://127.0.0.1:${nobody.port}; }`,
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backends.stop()
  nobody[Symbol.dispose]()
  kept.closeAllConnections()
  kept.close()
})

const ask = async (path: string) => (await ingress.nginx.get(path)).status

test("the read timeout of a route is in force instead of its location's", async () => {
  await ingress.route("_", [
    { path: "/own", location: "slow" },
    { path: "/longer", location: "slow", proxyReadTimeoutMs: patienceMs },
    { path: "/shorter", location: "patient", proxyReadTimeoutMs: 100 },
    { path: "/other", location: "patient", proxySendTimeoutMs: 100 },
  ])
  await backends[0]?.fault("hang")
  expect(await ask("/own")).toBe(504)
  expect(await tookAtLeast(90, () => ask("/shorter"))).toBe(504)
  await backends[0]?.fault(lateMs)
  expect(await ask("/longer")).toBe(200)
  expect(await ask("/other")).toBe(200)
})

test("a number that was changed is in force at once, and one that was taken away no more", async () => {
  await backends[0]?.fault(lateMs)
  await ingress.route("_", [{ path: "/x", location: "slow", proxyReadTimeoutMs: patienceMs }])
  expect(await ask("/x")).toBe(200)
  await backends[0]?.fault("hang")
  await ingress.route("_", [{ path: "/x", location: "slow", proxyReadTimeoutMs: 100 }])
  expect(await ask("/x")).toBe(504)
  await backends[0]?.fault(lateMs)
  await ingress.route("_", [{ path: "/x", location: "patient" }])
  expect(await ask("/x")).toBe(200)
})

test("the connect timeout", async () => {
  await ingress.route("_", [{ location: "dark", proxyConnectTimeoutMs: 100 }])
  expect(await tookAtLeast(90, () => ask("/"))).toBe(504)
})

test("are in force as well where `limit_except` of the location takes over", async () => {
  const ask = async (method: string, bytes: number) => {
    const { status, body } = await ingress.nginx.get("/", { method, body: "x".repeat(bytes) })
    return status === 200 ? body : status
  }
  await backends[0]?.fault(undefined)
  await ingress.route("_", [{ location: "methods", clientMaxBodyBytes: 15 }])
  expect([await ask("PUT", 15), await ask("PUT", 16)]).toEqual(["kept", 413])
  expect([await ask("POST", 15), await ask("POST", 16)]).toEqual(["slow", 413])
  await backends[0]?.fault("hang")
  await ingress.route("_", [{ location: "methods", proxyReadTimeoutMs: 200 }])
  expect(await ask("POST", 15)).toBe(504)
})

test("kept connections to a backend serve routes with any numbers", async () => {
  await ingress.route(
    "_",
    [0, 1, 2, 3, 4, 5].map((n) => ({ path: `/${n}`, location: "keep", proxyReadTimeoutMs: 1000 + n })),
  )
  // Where HTTP/1.1 is the default, an earlier test may have left one.
  expect(await ingress.ask("a", "/0")).toBe("kept")
  const before = connections
  for (let n = 0; n < 60; n += 1) expect(await ingress.ask("a", `/${n % 6}`)).toBe("kept")
  expect(connections - before).toBe(0)
})

test("requests add no memory: 20,000 over six sets of numbers", async () => {
  await ingress.route(
    "_",
    [0, 1, 2, 3, 4, 5].map((n) => ({ path: `/${n}`, location: "plain", proxyReadTimeoutMs: 1000 + n })),
  )
  const [worker = 0] = ingress.nginx.workers()
  const run = (count: number) => {
    const question = (n: number) => ({ path: `/${n % 6}` })
    return startLoad({ port: ingress.port, requests: count, question }).done
  }
  await run(2000)
  const before = memoryBytesOf(worker)
  const result = await run(20_000)
  expect(result.statuses.get(200)).toBe(result.requests)
  expect(memoryBytesOf(worker) - before).toBeLessThan(300_000)
})

test("thousands of sets of numbers are all in force", async () => {
  for (let first = 0; first < 4200; first += 100) {
    const numbers = Array.from({ length: 100 }, (_, n) => first + n)
    await ingress.route(
      "_",
      numbers.map((n) => ({ path: `/${n}`, location: "plain", proxyReadTimeoutMs: 2000 + n })),
    )
    for (const n of numbers) expect(await ingress.ask("a", `/${n}`)).toBe("plain")
  }
  await backends[0]?.fault(lateMs)
  await ingress.route("_", [{ path: "/", location: "slow", proxyReadTimeoutMs: patienceMs }])
  expect(await ask("/")).toBe(200)
})

test("beyond the limit a route with numbers of its own is answered 503, rather than with other numbers", async () => {
  await using few = await startIngress({
    http: "ingress_route_max_overrides 2;",
    locations: answering("plain", "plain $proxy_upstream_name"),
  })
  const numbered = (n: number) => ({ path: `/${n}`, location: "plain", backend: "b", proxyReadTimeoutMs: n })
  await few.route("_", [{ path: "/", location: "plain", backend: "b" }, ...[1, 2, 3].map(numbered)])
  const statuses = async () => {
    const answers: number[] = []
    for (const path of ["/", "/1", "/2", "/3", "/1"]) answers.push((await few.nginx.get(path)).status)
    return answers
  }
  expect(await statuses()).toEqual([200, 200, 200, 503, 200])
  expect(few.nginx.errorLog()).toContain("too many different sets since the last reload")
  await few.nginx.reload()
  expect((await few.nginx.get("/3")).status).toBe(200)
})
