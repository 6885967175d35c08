/** The states of endpoints as a GET shows them: numbers of the slots, which reading does not change. */
import { expect, test } from "vitest"
import { backend, type PostedBackend, setBackends } from "./build.ts"
import { type Ending, Exchange, REFUSED } from "./exchange.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const ENDPOINTS = "/configuration/endpoints"

const shown = (worker: Worker, query: string) => JSON.parse(worker.get(`${ENDPOINTS}?${query}`).body)
const shop = (settings: object, endpoints = 3): PostedBackend => ({
  ...backend("shop", endpoints),
  ...settings,
})

/** A request whose attempt ends like this at the endpoint at a place. */
function visit(worker: Worker, place: number, ending: Ending): void {
  const exchange = new Exchange(worker, "shop")
  while (exchange.pick().address !== `10.0.0.${place + 1}`) exchange.end({ status: 0 })
  exchange.end(ending)
}

function workersOf(posted: PostedBackend, zones = new Zones()): [Worker, Worker] {
  const workers: [Worker, Worker] = [new Worker({ zones, seed: 1 }), new Worker({ zones, seed: 2 })]
  setBackends(workers[0], posted)
  return workers
}

test("of a backend that learns nothing there are its endpoints", () => {
  const [worker] = workersOf(
    shop({ endpoints: [{ address: "2001:db8::1", port: 80, weight: 7, zone: "ours" }] }),
  )
  expect(shown(worker, "name=shop")).toEqual([
    {
      name: "shop",
      "load-balance": "round_robin",
      endpoints: [{ address: "2001:db8::1", port: "80", weight: 7, zone: "ours" }],
    },
  ])
  expect(shown(worker, "limit=100")).toEqual([])
  expect(shown(worker, "name=none")).toEqual([])
})

test("running attempts are those of all workers", () => {
  const [one, two] = workersOf(shop({ "load-balance": "least_conn" }, 2))
  const running = [one, two, one].map((worker) => new Exchange(worker, "shop"))
  for (const exchange of running) exchange.pick()
  const numbers = () =>
    shown(two, "name=shop")[0].endpoints.map(({ running }: { running: number }) => running)
  expect(numbers().sort()).toEqual([1, 2])
  for (const exchange of running) exchange.end({ status: 200 })
  expect(numbers()).toEqual([0, 0])
})

test("a score is the moving average by now, in nanoseconds", () => {
  const [one, two] = workersOf(shop({ "load-balance": "ewma" }))
  visit(one, 1, { status: 200, firstByteMs: 20 })
  const scores = () => shown(two, "name=shop")[0].endpoints.map((one: { score_ns: number }) => one.score_ns)
  expect(scores()).toEqual([0, expect.closeTo(20e6, -2), 0])
  one.zones.now += 10_000n * 1_000_000n
  expect(scores()[1] / 20e6).toBeCloseTo(Math.exp(-1), 3)
})

test("failures in a row, and how long an endpoint is left out; never more than half", () => {
  const [one, two] = workersOf(shop({ outlierEjection: { failures: 2, ejection_ms: 30_000 } }, 4))
  const states = () =>
    shown(two, "name=shop")[0].endpoints.map((one: { failures: number; ejected_ms: number }) => [
      one.failures,
      one.ejected_ms,
    ])
  visit(one, 0, REFUSED)
  expect(states()).toEqual([
    [1, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ])
  visit(one, 0, REFUSED)
  one.zones.now += 10_000n * 1_000_000n
  expect(states()).toEqual([
    [0, 20_000],
    [0, 0],
    [0, 0],
    [0, 0],
  ])
  one.zones.now += 20_000n * 1_000_000n
  expect(states()[0]).toEqual([0, 0])
})

test("how long an endpoint has still less than its share", () => {
  const zones = new Zones()
  const [one, two] = workersOf(shop({ slowStart: { window_ms: 60_000 } }, 2), zones)
  visit(one, 0, { status: 200 })
  setBackends(one, shop({ slowStart: { window_ms: 60_000 } }, 3))
  visit(one, 0, { status: 200 })
  zones.now += 15_000n * 1_000_000n
  const left = shown(two, "name=shop")[0].endpoints.map((one: { warming_ms: number }) => one.warming_ms)
  expect(left).toEqual([0, 0, 45_000])
})

test("who asks opens no slot, and brings nothing into use", () => {
  const [one, two] = workersOf(shop({ "load-balance": "ewma", slowStart: { window_ms: 60_000 } }))
  const endpoints = shown(one, "name=shop")[0].endpoints
  expect(endpoints).toHaveLength(3)
  expect(endpoints[0]).toEqual({ address: "10.0.0.1", port: "80", weight: 1 })
  expect(one.zones.slots.size).toBe(0)
  // The first endpoints in use have all of their share at once, also those that came after somebody asked.
  setBackends(one, shop({ "load-balance": "ewma", slowStart: { window_ms: 60_000 } }, 4))
  visit(two, 3, { status: 200 })
  expect(shown(one, "name=shop")[0].endpoints.map((one: { warming_ms: number }) => one.warming_ms)).toEqual([
    0, 0, 0, 0,
  ])
})

test("without a free slot nothing is known", () => {
  const [one] = workersOf(shop({ "load-balance": "least_conn" }), new Zones(undefined, undefined, 2))
  new Exchange(one, "shop").pick()
  expect(shown(one, "name=shop")[0].endpoints[0]).not.toHaveProperty("running")
})

test("all that learn are listed in parts", () => {
  const worker = new Worker()
  const named = (nth: number) => `b${String(nth).padStart(3, "0")}`
  for (let nth = 0; nth < 300; nth++) {
    const learns = nth % 3 === 0 ? { "load-balance": "ewma" } : {}
    setBackends(worker, { ...backend(named(nth), 1), ...learns })
  }
  const found: string[] = []
  for (let cursor = "", parts = 0; ; parts++) {
    const answer = worker.get(`${ENDPOINTS}?limit=50${cursor}`)
    found.push(...JSON.parse(answer.body).map(({ name }: { name: string }) => name))
    const next = answer.headers["x-wick-next"]
    if (next === undefined) {
      expect(parts).toBeGreaterThan(3)
      break
    }
    cursor = `&cursor=${next}`
  }
  expect(found.sort()).toEqual(Array.from({ length: 100 }, (_, nth) => named(3 * nth)))
  expect(worker.get(`${ENDPOINTS}?limit=0`).status).toBe(400)
  expect(worker.get(`${ENDPOINTS}?limit=5&cursor=x`).status).toBe(400)
})
