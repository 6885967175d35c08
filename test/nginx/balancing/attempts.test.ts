// What routes say of attempts beyond nginx's own settings: times and further statuses, posted.
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { Echo, type Told } from "../../../harness/echo.ts"
import { keptMs } from "../../../harness/http.ts"
import { backend, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"

// Backends that do not answer wait for the test, not for a time: what ends them is the route's.

let plane: Plane
const echoes: readonly Echo[] = [new Echo(), new Echo(), new Echo()]

beforeAll(async () => {
  for (const echo of echoes) await echo.start()
  plane = await startPlane({ workers: 1, tries: 16, inLocation: "proxy_read_timeout 1h;" })
  const endpoints = echoes.map(({ port }) => ({ endpoint: { address: "127.0.0.1", port: String(port) } }))
  await plane.apply({
    backends: { set: [backend("all", endpoints), backend("first", endpoints.slice(0, 1))] },
  })
})
afterEach(() => {
  for (const echo of echoes) echo.answer = () => ({})
})
afterAll(async () => {
  await plane[Symbol.asyncDispose]()
  for (const echo of echoes) await echo[Symbol.asyncDispose]()
})

/** The nth of all attempts, from 1, is answered so. */
function answer(told: (nth: number) => Told): void {
  let nth = 0
  for (const echo of echoes)
    echo.answer = () => {
      nth += 1
      return told(nth)
    }
}

const never: Told = { until: () => false }

async function serve(actions: object, overrides: object = {}, backendName = "all"): Promise<void> {
  const route = {
    ...{ path: "/", match: "prefix", location: "location-plain", backend: backendName },
    ...{ actions, overrides, critical: ["actions"] },
  }
  await plane.apply({ routes: { set: [{ host: "act.test", routes: [route] }] } })
}

function get(more: object = {}) {
  return plane.nginx.get("/", { host: "act.test", ...more })
}

const tries = (n: number) => ({
  proxy_next_upstream: "error timeout invalid_header non_idempotent",
  proxy_next_upstream_tries: n,
})

function triesOf({ headers }: Awaited<ReturnType<typeof get>>): number {
  return String(headers["x-tried"]).split(", ").length
}

test("a request that takes longer than its time is 504, and no other endpoint is asked", async () => {
  answer(() => never)
  await serve({ request_timeout_ms: 100 }, tries(3))
  const late = await get()
  expect([late.status, triesOf(late)]).toEqual([504, 1])
})

test("an attempt that takes longer than its time is followed by another one", async () => {
  answer((nth) => (nth < 3 ? never : { body: `${nth}` }))
  // The third one has as long for its answer: on a busy machine it may take a later one.
  await serve({ backend_timeout_ms: 800 }, tries(16))
  const third = await get({ method: "POST", body: "again" })
  expect([third.status, third.body]).toEqual([200, `${triesOf(third)}`])
  expect(triesOf(third)).toBeGreaterThanOrEqual(3)
})

test("when all attempts have had their time it is 504", async () => {
  answer(() => never)
  await serve({ backend_timeout_ms: 50 }, tries(2))
  const late = await get()
  expect([late.status, triesOf(late)]).toEqual([504, 2])
})

test("the time of the request ends all of its attempts", async () => {
  answer(() => never)
  await serve({ request_timeout_ms: 500, backend_timeout_ms: 200 }, tries(16))
  const late = await get()
  expect(late.status).toBe(504)
  expect(triesOf(late)).toBeLessThanOrEqual(3)
})

test("within its time nothing comes of it, however often the connection serves", async () => {
  await serve({ request_timeout_ms: 60_000, backend_timeout_ms: 50_000, retry_codes: [501] }, tries(3))
  for (let n = 0; n < 20; n += 1) expect((await get()).status).toBe(200)
})

test("an answer that has begun and takes too long is cut off, so that the client sees it", async () => {
  const slow = createServer({ keepAliveTimeout: keptMs }, (_, response) => response.write("begun"))
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve))
  const { port } = slow.address() as AddressInfo
  await plane.apply({
    backends: { set: [backend("slow", [{ endpoint: { address: "127.0.0.1", port: String(port) } }])] },
  })
  for (const buffering of [true, false]) {
    await serve({ request_timeout_ms: 200 }, { proxy_buffering: buffering }, "slow")
    const cut = () =>
      get().then(
        ({ status }) => expect(status).toBe(504),
        (error) => String(error),
      )
    // On a busy machine its time may be over before the answer begins.
    const how = await until("an answer that had begun to be cut off", async () => (await cut()) ?? false)
    expect(how).toMatch(/aborted|hang up|ECONNRESET/)
  }
  slow.closeAllConnections()
  slow.close()
})

test.each([
  [[501], 501, 200],
  [[501, 418], 418, 200],
  [[501], 505, 505],
])("with retries of %j, %i leads to %i", async (retry_codes, status, outcome) => {
  answer((nth) => (nth < 3 ? { status, body: `${nth}` } : { body: "third" }))
  await serve({ retry_codes }, tries(3))
  const answered = await get({ method: "POST", body: "again" })
  expect([answered.status, answered.body, triesOf(answered)]).toEqual([
    outcome,
    ...(outcome === 200 ? ["third", 3] : ["1", 1]),
  ])
})

test("after the last attempt the client has the backend's own answer", async () => {
  answer((nth) => ({ status: 501, body: `attempt ${nth}` }))
  await serve({ retry_codes: [501] }, tries(4))
  const answered = await get()
  expect([answered.status, answered.body, triesOf(answered)]).toEqual([501, "attempt 4", 4])
})

test("one endpoint is asked again where there is no other", async () => {
  answer((nth) => (nth < 4 ? { status: 501 } : { body: "fourth" }))
  await serve({ retry_codes: [501] }, tries(4), "first")
  expect((await get()).body).toBe("fourth")
})

test("a client that goes away takes its timer along", async () => {
  answer(() => never)
  await serve({ request_timeout_ms: 300 }, tries(3))
  const before = echoes.reduce((sum, { asked }) => sum + asked.length, 0)
  const client = connect(plane.nginx.port, "127.0.0.1")
  client.write("GET / HTTP/1.1\r\nHost: act.test\r\n\r\n")
  await until("it was asked", () => echoes.reduce((sum, { asked }) => sum + asked.length, 0) > before)
  client.destroy()
  await serve({ request_timeout_ms: 60_000 })
  answer(() => ({}))
  for (let n = 0; n < 5; n += 1) expect((await get()).status).toBe(200)
})
