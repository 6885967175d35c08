// How many endpoints a request tries, by its route's own numbers, through the filter and the peers that it names.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"

let plane: Plane
let backends: Backends

beforeAll(async () => {
  backends = await startBackends("a", "b", "c", "d", "e")
  plane = await startPlane({ workers: 1, tries: 16 })
  await plane.apply({ backends: { set: [backend("all", [...backends])] } })
})
afterAll(async () => {
  await plane[Symbol.asyncDispose]()
  await backends.stop()
})
beforeEach(async () => {
  for (const one of backends) await one.fault("refuse")
})

/** Status of a request to a route with these numbers, and how many endpoints it tried. */
async function ask(overrides: object, method = "GET"): Promise<[number, number]> {
  await plane.apply({ routes: { set: [host("a.test", "all", { overrides })] } })
  const { status, headers } = await plane.nginx.get("/", { host: "a.test", method })
  return [status, String(headers["x-tried"]).split(",").length]
}

test("276: one try is no retry", async () => {
  expect(await ask({ proxy_next_upstream_tries: 1 })).toEqual([502, 1])
})

test("a number is as many", async () => {
  expect(await ask({ proxy_next_upstream_tries: 4 })).toEqual([502, 4])
  await [...backends][2]?.fault(undefined)
  expect((await ask({ proxy_next_upstream_tries: 5 }))[0]).toBe(200)
})

test("no limit ends after sixteen, what the upstream allows at most", async () => {
  expect(await ask({ proxy_next_upstream_tries: 0 })).toEqual([502, 16])
  expect(await ask({ proxy_next_upstream_tries: 1000 })).toEqual([502, 16])
})

test("conditions are the route's: which failures lead to another try", async () => {
  for (const one of backends) await one.fault("error")
  expect(await ask({})).toEqual([500, 1])
  expect(await ask({ proxy_next_upstream: "http_500", proxy_next_upstream_tries: 3 })).toEqual([500, 3])
  for (const one of backends) await one.fault("refuse")
  expect(await ask({ proxy_next_upstream: "http_500", proxy_next_upstream_tries: 3 })).toEqual([502, 1])
  expect(await ask({ proxy_next_upstream: "error off" })).toEqual([502, 1])
})

test("a request that may have had an effect is tried again only where the route says so", async () => {
  for (const one of backends) await one.fault("reset")
  expect(await ask({ proxy_next_upstream: "error", proxy_next_upstream_tries: 3 }, "POST")).toEqual([502, 1])
  const both = { proxy_next_upstream: "error non_idempotent", proxy_next_upstream_tries: 3 }
  expect(await ask(both, "POST")).toEqual([502, 3])
})

test("the time for all tries together", async () => {
  for (const one of backends) await one.fault("hang")
  const numbers = { proxy_next_upstream: "timeout", proxy_next_upstream_tries: 5 }
  expect(await ask({ ...numbers, proxy_read_timeout_ms: 150 })).toEqual([504, 5])
  const inAll = { proxy_read_timeout_ms: 1000, proxy_next_upstream_timeout_ms: 1500 }
  const [status, tried] = await ask({ ...numbers, ...inAll })
  expect(status).toBe(504)
  // A worker that has to wait for the processor may not come to the second.
  expect(tried).toBeLessThanOrEqual(2)
})
