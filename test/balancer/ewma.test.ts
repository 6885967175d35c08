/** Peak EWMA against values computed here from the formula, and what becomes of slow, dead and new endpoints. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { runs } from "../support/runs.ts"
import { backend, type PostedBackend, setBackends } from "./build.ts"
import { type Ending, Exchange, REFUSED, serve } from "./exchange.ts"
import { type Endpoint, Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const DECAY_MS = 10_000
const CELL = 0

const shop = (endpoints: number): PostedBackend => ({ ...backend("shop", endpoints), "load-balance": "ewma" })

function workersWith(endpoints: number, workers = 1): [Worker, ...Worker[]] {
  const zones = new Zones()
  const all = Array.from({ length: workers }, (_, i) => new Worker({ zones, seed: i + 1 }))
  setBackends(all[0] as Worker, shop(endpoints))
  return all as [Worker, ...Worker[]]
}

/** What the cell of the `index`th endpoint holds; the first slot is the backend's own. */
function cell(worker: Worker, index: number): { averageMs: number; touchedMs: number } | undefined {
  const { slots } = worker.zones
  const bits = slots.get(slots.numbersOf("backends/shop")[index + 1] as bigint, CELL)
  if (bits === 0n) return undefined
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return { averageMs: view.getFloat32(0) / 1e6, touchedMs: view.getUint32(4) }
}

/** The client goes away before the response: the attempt has ended, and says nothing about the endpoint. */
const GIVEN_UP: Ending = { status: 0 }

/** A request whose attempt at a certain endpoint ends like this; nothing is learned about others that it has to try first. */
function sample(worker: Worker, index: number, ending: Ending): void {
  const exchange = new Exchange(worker, "shop")
  while (exchange.pick().address !== `10.0.0.${index + 1}`) exchange.end(GIVEN_UP)
  exchange.end(ending)
}

/** How often each endpoint is chosen while nothing is learned. */
function shares(worker: Worker, picks: number): number[] {
  const counts: number[] = []
  for (let i = 0; i < picks; i++) {
    const index = Number(serve(worker, "shop", () => GIVEN_UP).address.split(".")[3]) - 1
    counts[index] = (counts[index] ?? 0) + 1
  }
  return Array.from(counts, (count = 0) => count / picks)
}

type State = { averageMs: number; atMs: number } | undefined

/** The formula, in JavaScript's own arithmetic. */
function next(state: State, timeMs: number, atMs: number): State {
  if (!state) return { averageMs: timeMs, atMs }
  if (timeMs >= state.averageMs) return { averageMs: Math.min(timeMs, 2 * state.averageMs), atMs }
  const weight = Math.exp(-(atMs - state.atMs) / DECAY_MS)
  return { averageMs: state.averageMs * weight + timeMs * (1 - weight), atMs }
}

test("the average follows the formula", () => {
  const gap = fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 60_000 }))
  const timeMs = fc.integer({ min: 1, max: 5_000_000 }).map((us) => us / 1000)
  fc.assert(
    fc.property(fc.array(fc.tuple(gap, timeMs), { minLength: 1, maxLength: 30 }), (samples) => {
      const [worker] = workersWith(1)
      let state: State
      let atMs = 0
      for (const [gapMs, timeMs] of samples) {
        worker.zones.passMs(gapMs)
        atMs += gapMs
        state = next(state, timeMs, atMs)
        serve(worker, "shop", () => ({ firstByteMs: timeMs }))
        const averageMs = cell(worker, 0)?.averageMs as number
        expect(averageMs / (state?.averageMs as number)).toBeCloseTo(1, 5)
      }
    }),
    runs(100),
  )
})

test("e^-x is right to 4e-6 over its whole range", () => {
  for (let ms = 0; ms < 7_100_000; ms = ms < 20_000 ? ms + 37 : Math.ceil(ms * 1.003)) {
    const [worker] = workersWith(1)
    serve(worker, "shop", () => ({ firstByteMs: 1e9 }))
    const before = cell(worker, 0)?.averageMs as number
    worker.zones.passMs(ms)
    serve(worker, "shop", () => ({ firstByteMs: 0 }))
    const factor = (cell(worker, 0)?.averageMs as number) / before
    const wanted = Math.exp(-ms / DECAY_MS)
    // What is stored has 24 bits, and below 2^-126 less.
    if (wanted > 1e-30) expect(Math.abs(factor / wanted - 1), `${ms} ms`).toBeLessThan(4e-6)
    else expect(factor).toBeLessThan(1.01e-30)
  }
})

test.each([
  1, 24, 25, 31, 45,
])("after %i days without a request an endpoint is asked as soon as another one has been", (days) => {
  const [worker] = workersWith(2)
  worker.zones.passMs(5 * 86_400_000)
  for (const index of [0, 1]) sample(worker, index, { firstByteMs: 100 })
  worker.zones.passMs(days * 86_400_000)
  sample(worker, 0, { firstByteMs: 20 })
  worker.zones.passMs(1000)
  expect(shares(worker, 5)[1]).toBe(1)
})

test("of two endpoints the one with the lower decayed average is chosen", () => {
  const step = fc.record({
    gapMs: fc.nat({ max: 20_000 }),
    index: fc.nat({ max: 1 }),
    timeMs: fc.integer({ min: 1, max: 1000 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat({ max: 30_000 }), (steps, lastGapMs) => {
      const [worker] = workersWith(2)
      const states: State[] = [undefined, undefined]
      let atMs = 0
      for (const { gapMs, index, timeMs } of [
        { gapMs: 0, index: 0, timeMs: 100 },
        { gapMs: 0, index: 1, timeMs: 100 },
        ...steps,
      ]) {
        worker.zones.passMs(gapMs)
        atMs += gapMs
        sample(worker, index, { firstByteMs: timeMs })
        states[index] = next(states[index], timeMs, atMs)
      }
      worker.zones.passMs(lastGapMs)
      const [a, b] = states.map((state) => {
        if (!state) throw new Error("No sample")
        return state.averageMs * Math.exp(-(atMs + lastGapMs - state.atMs) / DECAY_MS)
      }) as [number, number]
      if (Math.abs(a / b - 1) < 1e-4) return
      expect(shares(worker, 5)[a < b ? 0 : 1]).toBe(1)
    }),
    runs(100),
  )
})

test("endpoints without a sample count as the average of those that have one", () => {
  const [worker] = workersWith(3)
  sample(worker, 0, { firstByteMs: 10 })
  sample(worker, 1, { firstByteMs: 30 })
  // The average may be a second old.
  worker.zones.passMs(1000)
  // Of the three pairs, two have the fast one; the third is won by the one that counts as 20 ms.
  const [fast = 0, slow = 0, unknown = 0] = shares(worker, 3000)
  expect(slow).toBe(0)
  expect(fast).toBeCloseTo(2 / 3, 1)
  expect(unknown).toBeCloseTo(1 / 3, 1)
})

test("before the first sample all are alike", () => {
  const [worker] = workersWith(4)
  for (const share of shares(worker, 4000)) expect(share).toBeCloseTo(1 / 4, 1)
})

test("endpoints keep their averages over a change of the list, and every worker sees them", () => {
  const [worker, other] = workersWith(2, 2) as [Worker, Worker]
  sample(worker, 0, { firstByteMs: 10 })
  sample(worker, 1, { firstByteMs: 90 })
  const list = shop(3)
  setBackends(worker, { ...list, endpoints: list.endpoints?.slice().reverse() ?? [] })
  for (const each of [worker, other, new Worker({ zones: worker.zones, seed: 3 })]) {
    const [fast = 0, slow = 0, added = 0] = shares(each, 3000)
    expect(slow).toBe(0)
    expect(fast).toBeCloseTo(2 / 3, 1)
    expect(added).toBeCloseTo(1 / 3, 1)
  }
})

test("no sample is lost when two workers write at once", () => {
  const [worker, other] = workersWith(1, 2) as [Worker, Worker]
  serve(worker, "shop", () => ({ firstByteMs: 100 }))
  serve(other, "shop", () => ({ firstByteMs: 100 }))
  worker.zones.passMs(1000)
  const { slots } = worker.zones
  const swap = slots.swap.bind(slots)
  slots.swap = (...args) => {
    slots.swap = swap
    serve(other, "shop", () => ({ firstByteMs: 150 }))
    return swap(...args)
  }
  serve(worker, "shop", () => ({ firstByteMs: 400 }))
  // Twice the other's 150 ms; without that it were 200 ms, without this one's own sample 150 ms.
  expect(cell(worker, 0)?.averageMs).toBeCloseTo(300, 3)
})

test("a failed or refused attempt never makes a score better", () => {
  const failure = fc.record({
    outcome: fc.constantFrom(0, 1, 2, 3),
    status: fc.constantFrom(500, 502, 503, 504),
    firstByteMs: fc.integer({ min: 0, max: 1000 }),
    gapMs: fc.nat({ max: 100_000 }),
  })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.array(failure, { minLength: 1 }),
      (firstMs, failures) => {
        const [worker] = workersWith(1)
        serve(worker, "shop", () => ({ firstByteMs: firstMs }))
        for (const { gapMs, ...ending } of failures) {
          const before = cell(worker, 0)?.averageMs as number
          worker.zones.passMs(gapMs)
          serve(worker, "shop", () => ending)
          const after = cell(worker, 0)
          expect(after?.averageMs).toBeGreaterThanOrEqual(before)
          expect(after?.touchedMs).toBe(Number(worker.zones.now / 1_000_000n))
        }
      },
    ),
    runs(100),
  )
})

test("an endpoint that refuses at once from the start is no better than the average", () => {
  const [worker] = workersWith(3)
  const deadEnding = ({ address }: Endpoint) => (address === "10.0.0.3" ? REFUSED : { firstByteMs: 20 })
  for (let i = 0; i < 3000; i++) {
    serve(worker, "shop", deadEnding)
    worker.zones.passMs(1)
  }
  expect(cell(worker, 2)?.averageMs ?? 20).toBeGreaterThan(19)
})

test("an endpoint that refuses is left alone after a few attempts, though it was the quickest, and tried again later", () => {
  const [worker] = workersWith(10)
  for (let i = 0; i < 10; i++) sample(worker, i, { firstByteMs: i === 2 ? 5 : 20 })
  const ending = ({ address }: Endpoint) => (address === "10.0.0.3" ? REFUSED : { firstByteMs: 20 })
  const refused = () => {
    const picks = Array.from({ length: 1000 }, () => {
      worker.zones.passMs(1)
      return serve(worker, "shop", ending).address
    })
    return picks.filter((address) => address === "10.0.0.3").length
  }
  expect(refused()).toBeLessThan(10)
  worker.zones.passMs(60_000)
  expect(refused()).toBeGreaterThan(0)
})

test("the first time of an endpoint, if it is long, counts as twice the average of the others", () => {
  const [worker] = workersWith(2)
  sample(worker, 0, { firstByteMs: 10 })
  sample(worker, 1, { firstByteMs: 5000 })
  expect(cell(worker, 1)?.averageMs).toBeCloseTo(20, 3)
})

test("before their first times come, endpoints are no better than one that has answered", () => {
  const workers = workersWith(3, 2)
  sample(workers[0], 0, { firstByteMs: 10 })
  for (const worker of workers) {
    const running = Array.from({ length: 60 }, () => new Exchange(worker, "shop"))
    const first = running.filter((exchange) => exchange.pick().address === "10.0.0.1").length
    expect(first).toBeGreaterThan(15)
    for (const exchange of running) exchange.end(GIVEN_UP)
  }
})

test("an endpoint counts for less by what this worker has running on it", () => {
  const [worker] = workersWith(3)
  for (let i = 0; i < 3; i++) sample(worker, i, { firstByteMs: 10 })
  const running = Array.from({ length: 300 }, () => new Exchange(worker, "shop"))
  const counts: number[] = [0, 0, 0]
  for (const exchange of running) {
    const index = Number(exchange.pick().address.split(".")[3]) - 1
    counts[index] = (counts[index] ?? 0) + 1
  }
  for (const count of counts) expect(Math.abs(count - 100)).toBeLessThanOrEqual(5)
  setBackends(worker, { ...shop(4), endpoints: shop(4).endpoints?.toReversed() ?? [] })
  for (let i = 0; i < 50; i++) new Exchange(worker, "shop").pick()
  const [, , , added = 0] = shares(worker, 200)
  expect(added).toBeGreaterThan(0.45)
  for (const exchange of running) exchange.end(GIVEN_UP)
})

test("an attempt that the client gave up says nothing about the endpoint", () => {
  const [worker] = workersWith(1)
  serve(worker, "shop", () => ({ status: 0, firstByteMs: 10_000 }))
  expect(cell(worker, 0)).toBeUndefined()
})

test("a slow endpoint gets little, and is tried again after a while", () => {
  const [worker] = workersWith(2)
  const ending = ({ address }: Endpoint) => ({ firstByteMs: address === "10.0.0.1" ? 100 : 10 })
  const picks = Array.from({ length: 10_000 }, () => {
    worker.zones.passMs(10)
    return serve(worker, "shop", ending).address
  })
  const slow = picks.filter((address) => address === "10.0.0.1").length
  expect(slow).toBeGreaterThan(1)
  expect(slow).toBeLessThan(100)
})

test("retries take every endpoint once, whatever their scores are", () => {
  const [worker] = workersWith(5)
  for (let i = 0; i < 5; i++) sample(worker, i, { firstByteMs: 10 + i })
  const exchange = new Exchange(worker, "shop")
  const seen = new Set<string>()
  for (let i = 0; i < 5; i++) {
    seen.add(exchange.pick().address)
    exchange.end(REFUSED)
  }
  expect(seen.size).toBe(5)
})
