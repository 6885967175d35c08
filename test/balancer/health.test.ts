/** Slow start and outlier ejection, for every algorithm: who is left out, who gets how much, and that somebody always serves. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../support/runs.ts"
import { backend, type PostedBackend, removeBackends, setBackends } from "./build.ts"
import { type Ending, Exchange, REFUSED } from "./exchange.ts"
import { Worker } from "./host.ts"
import { Slots } from "./slots.ts"
import { Zones } from "./zones.ts"

type Settings = Record<string, unknown>

const byKey = (more: Settings = {}) => ({
  upstreamHashByConfig: { "upstream-hash-by": "$arg_k", ...more },
})
const byCookie = (mode: string) => ({
  sessionAffinityConfig: { name: "cookie", mode, cookieSessionAffinity: { name: "route" } },
})
const algorithms: Record<string, Settings> = {
  round_robin: {},
  ewma: { "load-balance": "ewma" },
  least_conn: { "load-balance": "least_conn" },
  p2c: { "load-balance": "p2c" },
  chash: byKey(),
  chashsubset: byKey({ "upstream-hash-by-subset": true, "upstream-hash-by-subset-size": 4 }),
  sticky_balanced: byCookie("balanced"),
  sticky_persistent: byCookie("persistent"),
}
const names = Object.keys(algorithms)

const EJECTION = { outlierEjection: { failures: 3, ejection_ms: 30_000 } }
const WINDOW_MS = 60_000
const SLOW_START = { slowStart: { window_ms: WINDOW_MS } }

const shop = (settings: Settings, endpoints: number): PostedBackend => ({
  ...backend("shop", endpoints),
  ...settings,
})

function workersWith(
  posted: PostedBackend,
  workers = 1,
  abilities: Partial<Worker["abilities"]> = {},
): [Worker, ...Worker[]] {
  const zones = new Zones()
  const all = Array.from({ length: workers }, (_, i) => new Worker({ zones, seed: i + 1, abilities }))
  setBackends(all[0] as Worker, posted)
  return all as [Worker, ...Worker[]]
}

let keys = 0

/** A request with a key of its own, and without a session. */
function request(worker: Worker, key = `key-${keys++}`): Exchange {
  return new Exchange(worker, "shop", { variables: { arg_k: key } })
}

const placeOf = ({ address }: { address: string }) => Number(address.split(".")[3]) - 1

/** A request that tries until it reaches an endpoint; nothing is learned about those before. */
function visit(worker: Worker, place: number, ending: Ending): void {
  const exchange = request(worker)
  while (placeOf(exchange.pick()) !== place) exchange.end({ status: 0 })
  exchange.end(ending)
}

function fail(worker: Worker, place: number, times: number): void {
  for (let i = 0; i < times; i++) visit(worker, place, REFUSED)
}

/** The share of the first attempts that each endpoint gets, none of which ever tells anything. */
function shares(worker: Worker, requests: number): number[] {
  const counts: number[] = []
  for (let i = 0; i < requests; i++) {
    const exchange = request(worker)
    const place = placeOf(exchange.pick())
    counts[place] = (counts[place] ?? 0) + 1
    exchange.end({ status: 0 })
  }
  return Array.from(counts, (count = 0) => count / requests)
}

/** Places of the endpoints that first attempts reach. */
function reached(worker: Worker, requests = 300): number[] {
  return shares(worker, requests).flatMap((share, place) => (share > 0 ? [place] : []))
}

/** Does something just before the next write into a slot. */
function beforeSwap({ slots }: Zones, act: () => void): void {
  const swap = Slots.prototype.swap.bind(slots)
  slots.swap = (...args) => {
    slots.swap = swap
    act()
    return swap(...args)
  }
}

describe.each(names)("%s", (name) => {
  const settings = algorithms[name] as Settings

  test("an endpoint that fails three times in a row is left out for a while, by every worker", () => {
    const workers = workersWith(shop({ ...settings, ...EJECTION }, 5), 3)
    for (const worker of workers) fail(worker, 2, 1)
    workers[0].zones.passMs(1)
    for (const worker of workers) expect(reached(worker)).toEqual([0, 1, 3, 4])
    workers[0].zones.passMs(29_998)
    for (const worker of workers) expect(reached(worker)).toEqual([0, 1, 3, 4])
    // A score that was made worse by the failures has come back to those of the others by then.
    workers[0].zones.passMs(2)
    for (const worker of workers) expect(reached(worker, 1000)).toEqual([0, 1, 2, 3, 4])
  })

  test("a response in between makes it begin anew; a client that goes away does not", () => {
    const [worker, other] = workersWith(shop({ ...settings, ...EJECTION }, 3), 2) as [Worker, Worker]
    // So slow that the failures of the other do not make it the slowest.
    for (const place of [0, 2, 1]) visit(worker, place, { firstByteMs: place === 1 ? 1 : 1000 })
    fail(worker, 1, 2)
    visit(other, 1, { status: 404 })
    fail(worker, 1, 1)
    visit(other, 1, { status: 0 })
    fail(worker, 1, 1)
    worker.zones.passMs(1)
    expect(reached(worker)).toContain(1)
    fail(other, 1, 1)
    worker.zones.passMs(1)
    expect(reached(worker)).toEqual([0, 2])
  })

  test("never more than half are left out, also when several workers eject at once", () => {
    const step = fc.record({
      worker: fc.nat({ max: 2 }),
      place: fc.nat({ max: 7 }),
      /** Fails in another worker between this one's reading and its writing. */
      meanwhile: fc.option(fc.nat({ max: 7 })),
      ms: fc.constantFrom(0, 0, 1),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(step, { minLength: 10, maxLength: 30 }),
        (endpoints, steps) => {
          const outlierEjection = { failures: 1, ejection_ms: 1000 }
          const workers = workersWith(shop({ ...settings, outlierEjection }, endpoints), 3)
          const { zones } = workers[0]
          for (const { worker, place, meanwhile, ms } of steps) {
            if (meanwhile !== null) {
              beforeSwap(zones, () => fail(workers[(worker + 1) % 3] as Worker, meanwhile % endpoints, 1))
            }
            fail(workers[worker] as Worker, place % endpoints, 1)
            zones.passMs(ms)
          }
          zones.passMs(1)
          const each = workers.map((worker) => reached(worker, 16 * endpoints))
          for (const places of each) {
            expect(places.length).toBeGreaterThanOrEqual(Math.ceil(endpoints / 2))
            expect(places).toEqual(each[0])
          }
        },
      ),
      runs(10),
    )
  })

  test("when the list shrinks to those who are left out, half of them serve", () => {
    const [worker] = workersWith(shop({ ...settings, ...EJECTION }, 8))
    for (const place of [0, 1, 2, 3]) {
      fail(worker, place, 3)
      worker.zones.passMs(1)
    }
    expect(reached(worker)).toEqual([4, 5, 6, 7])
    setBackends(worker, shop({ ...settings, ...EJECTION }, 4))
    // Those who were left out first stay so.
    for (const each of [worker, new Worker({ zones: worker.zones, seed: 9 })]) {
      expect(reached(each)).toEqual([2, 3])
    }
    worker.zones.passMs(29_997)
    expect(reached(worker, 1000)).toEqual([0, 1])
  })

  test("who is left out serves when no other is left", () => {
    const [worker] = workersWith(shop({ ...settings, ...EJECTION }, 2))
    fail(worker, 0, 3)
    const exchange = request(worker)
    expect(placeOf(exchange.pick())).toBe(1)
    exchange.end(REFUSED)
    expect(placeOf(exchange.pick())).toBe(0)
    exchange.end(REFUSED)
    expect(placeOf(exchange.pick())).toBeLessThan(2)
  })

  test("a backend that was removed and set again as it was is watched as before", () => {
    const posted = shop({ ...settings, ...EJECTION }, 3)
    const [worker, other] = workersWith(posted, 2) as [Worker, Worker]
    expect(reached(worker)).toEqual([0, 1, 2])
    removeBackends(other, "shop")
    setBackends(other, posted)
    fail(worker, 1, 3)
    expect(reached(worker)).toEqual([0, 2])
    expect(reached(other)).toEqual([0, 2])
  })

  test("a single endpoint is never left out", () => {
    const [worker] = workersWith(shop({ ...settings, ...EJECTION }, 1))
    fail(worker, 0, 10)
    expect(reached(worker)).toEqual([0])
  })

  test("without shared slots each worker leaves out by itself", () => {
    const posted = shop({ ...settings, ...EJECTION }, 4)
    const [worker, other] = workersWith(posted, 2, { slots: false }) as [Worker, Worker]
    fail(worker, 1, 3)
    expect(reached(worker)).toEqual([0, 2, 3])
    expect(reached(other)).toEqual([0, 1, 2, 3])
    setBackends(worker, shop({ ...settings, ...EJECTION }, 3))
    expect(reached(worker)).toEqual([0, 2])
  })

  test("endpoints of the first list, and of a list that is all new, are all alike", () => {
    const [worker] = workersWith(shop({ ...settings, ...SLOW_START }, 4))
    expect(reached(worker)).toEqual([0, 1, 2, 3])
    const list = shop({ ...settings, ...SLOW_START }, 8)
    setBackends(worker, { ...list, endpoints: list.endpoints?.slice(4) ?? [] })
    worker.zones.passMs(100)
    expect(reached(worker)).toEqual([4, 5, 6, 7])
  })

  test("who warms up serves when no other is left", () => {
    const [worker] = workersWith(shop({ ...settings, ...SLOW_START }, 1))
    worker.pick("shop")
    setBackends(worker, shop({ ...settings, ...SLOW_START }, 2))
    for (let i = 0; i < 20; i++) {
      const exchange = request(worker)
      expect(placeOf(exchange.pick())).toBe(0)
      exchange.end(REFUSED)
      expect(placeOf(exchange.pick())).toBe(1)
      exchange.end(REFUSED)
    }
  })
})

test.each([
  "round_robin",
  "ewma",
  "least_conn",
  "p2c",
])("%s: an added endpoint's share grows over the window", (name) => {
  const settings = { ...algorithms[name], ...SLOW_START }
  const [worker] = workersWith(shop(settings, 7))
  visit(worker, 0, {})
  setBackends(worker, shop(settings, 8))
  const fair = 1 / 8
  for (const age of [0, 0.25, 0.5, 0.75, 1]) {
    for (let place = 0; place < 8; place++) visit(worker, place, { firstByteMs: 1000 })
    const share = shares(worker, 4000)[7] ?? 0
    expect(Math.abs(share - age * fair), `at ${age}: ${share}`).toBeLessThan(0.025)
    worker.zones.passMs(WINDOW_MS / 4)
  }
})

test("workers agree on the age of an endpoint, whenever they come to see it", () => {
  const [worker, late] = workersWith(shop(SLOW_START, 1), 2) as [Worker, Worker]
  worker.pick("shop")
  setBackends(worker, shop(SLOW_START, 2))
  worker.pick("shop")
  worker.zones.passMs(WINDOW_MS / 2)
  const newest = new Worker({ zones: worker.zones, seed: 3 })
  for (const each of [worker, late, newest]) expect(shares(each, 4000)[1]).toBeCloseTo(1 / 3, 1)
  worker.zones.passMs(WINDOW_MS / 2)
  for (const each of [worker, late, newest]) expect(shares(each, 1000)[1]).toBeCloseTo(1 / 2, 2)
})

test("an endpoint that went and comes back warms up again", () => {
  const [worker] = workersWith(shop(SLOW_START, 2))
  worker.pick("shop")
  setBackends(worker, shop(SLOW_START, 1))
  worker.pick("shop")
  setBackends(worker, shop(SLOW_START, 2))
  expect(shares(worker, 100)[1] ?? 0).toBe(0)
})

test("a key moves once to an endpoint that warms up", () => {
  const settings = { ...algorithms.chash, ...SLOW_START }
  const [worker] = workersWith(shop(settings, 3))
  const at = (key: string) => placeOf(request(worker, key).pick())
  const keys = Array.from({ length: 500 }, (_, i) => `key-${i}`)
  at("any")
  setBackends(worker, shop(settings, 4))
  const before = keys.map(at)
  expect(before).not.toContain(3)
  let moved: boolean[] = keys.map(() => false)
  for (let age = 0; age <= 20; age++) {
    const now = keys.map(at)
    const hasMoved = now.map((place, i) => place !== before[i])
    for (const [i, place] of now.entries()) if (hasMoved[i]) expect(place).toBe(3)
    for (const [i, was] of moved.entries()) if (was) expect(hasMoved[i]).toBe(true)
    const share = hasMoved.filter(Boolean).length / keys.length
    expect(Math.abs(share - (age / 20) * 0.25)).toBeLessThan(0.09)
    moved = hasMoved
    worker.zones.passMs(WINDOW_MS / 20)
  }
})
