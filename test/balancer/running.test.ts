/** least_conn and p2c: attempts are counted while they run, exactly once each, over all workers. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../support/runs.ts"
import { backend, type PostedBackend, removeBackends, setBackends } from "./build.ts"
import { Exchange, REFUSED } from "./exchange.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const GAUGE = 4

function shop(algorithm: string, endpoints: number | number[]): PostedBackend {
  return { ...backend("shop", endpoints), "load-balance": algorithm }
}

function workersWith(algorithm: string, endpoints: number | number[], workers = 1): [Worker, ...Worker[]] {
  const zones = new Zones()
  const all = Array.from({ length: workers }, (_, i) => new Worker({ zones, seed: i + 1 }))
  setBackends(all[0] as Worker, shop(algorithm, endpoints))
  return all as [Worker, ...Worker[]]
}

/** What runs on each endpoint; the first slot is the backend's own. */
function running({ zones: { slots } }: Worker): number[] {
  return slots
    .numbersOf("backends/shop")
    .slice(1)
    .map((number) => Number(slots.get(number, GAUGE)))
}

function begin(worker: Worker): { exchange: Exchange; place: number } {
  const exchange = new Exchange(worker, "shop")
  return { exchange, place: Number(exchange.pick().address.split(".")[3]) - 1 }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

describe.each(["least_conn", "p2c"])("%s", (algorithm) => {
  test("counts each attempt from its choice to its end, whoever serves it", () => {
    const step = fc.record({ worker: fc.nat({ max: 2 }), ends: fc.boolean(), which: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, endpoints) => {
        const workers = workersWith(algorithm, endpoints, 3)
        const counts = Array<number>(endpoints).fill(0)
        const open: ReturnType<typeof begin>[] = []
        for (const { worker, ends, which } of steps) {
          const [over] = ends ? open.splice(which % Math.max(open.length, 1), 1) : []
          if (over) {
            over.exchange.end()
            counts[over.place] = (counts[over.place] ?? 0) - 1
          } else {
            const begun = begin(workers[worker] as Worker)
            open.push(begun)
            counts[begun.place] = (counts[begun.place] ?? 0) + 1
          }
          expect(running(workers[0])).toEqual(counts)
        }
      }),
      runs(30),
    )
  })

  test("counts each attempt of a request for itself", () => {
    const [worker] = workersWith(algorithm, 3)
    const exchange = new Exchange(worker, "shop")
    for (let attempt = 1; attempt <= 3; attempt++) {
      exchange.pick()
      expect(sum(running(worker))).toBe(1)
      exchange.end(REFUSED)
      expect(sum(running(worker))).toBe(0)
    }
  })

  test("a change of the list keeps the counts of those that stay", () => {
    const [worker] = workersWith(algorithm, 4)
    const open = Array.from({ length: 20 }, () => begin(worker))
    const list = shop(algorithm, 6)
    setBackends(worker, { ...list, endpoints: list.endpoints?.slice(2).reverse() ?? [] })
    begin(worker).exchange.end()
    const stayed = open.filter(({ place }) => place >= 2)
    expect(sum(running(worker))).toBe(stayed.length)
    for (const { exchange } of open) exchange.end()
    expect(sum(running(worker))).toBe(0)
  })

  test("nothing is left over when the algorithm changes meanwhile", () => {
    const [worker] = workersWith(algorithm, 3)
    const counted = Array.from({ length: 5 }, () => begin(worker))
    setBackends(worker, shop("round_robin", 3))
    const uncounted = Array.from({ length: 5 }, () => begin(worker))
    expect(worker.zones.slots.size).toBe(0)
    setBackends(worker, shop(algorithm, 3))
    const again = Array.from({ length: 4 }, () => begin(worker))
    expect(sum(running(worker))).toBe(4)
    for (const { exchange } of uncounted) exchange.end()
    expect(sum(running(worker))).toBe(4)
    for (const { exchange } of [...counted, ...again]) exchange.end()
    expect(sum(running(worker))).toBe(0)
  })

  test("the backend goes while an attempt runs", () => {
    const [worker] = workersWith(algorithm, 3)
    const { exchange } = begin(worker)
    removeBackends(worker, "shop")
    expect(worker.select("shop")).toMatchObject({ status: 503 })
    exchange.end()
    expect(worker.zones.slots.size).toBe(0)
  })

  test("an instance that is built while an attempt runs counts its end", () => {
    const [worker] = workersWith(algorithm, 3)
    const { exchange } = begin(worker)
    const rebuilt = worker.rebuild()
    exchange.worker = rebuilt
    exchange.end()
    expect(sum(running(worker))).toBe(0)
  })

  test("what a killed worker ran is forgotten", () => {
    const [worker, other] = workersWith(algorithm, 3, 2) as [Worker, Worker]
    const open = Array.from({ length: 10 }, () => begin(worker))
    for (let i = 0; i < 10; i++) begin(other)
    worker.zones.slots.forget(other.process)
    expect(sum(running(worker))).toBe(10)
    for (const { exchange } of open) exchange.end()
    expect(sum(running(worker))).toBe(0)
  })

  test("busy endpoints are spared", () => {
    const [worker] = workersWith(algorithm, 10)
    for (let i = 0; i < 1000; i++) begin(worker)
    const [least, most] = [Math.min(...running(worker)), Math.max(...running(worker))]
    expect(most - least).toBeLessThanOrEqual(algorithm === "p2c" ? 8 : 1)
  })

  test("weights count", () => {
    const [worker] = workersWith(algorithm, [10, 20, 70])
    for (let i = 0; i < 1000; i++) begin(worker)
    const [a = 0, b = 0, c = 0] = running(worker)
    if (algorithm === "p2c") expect([a, b, c].toSorted((x, y) => x - y)).toEqual([a, b, c])
    else expect([a, b, c]).toEqual([100, 200, 700])
  })

  test("of endpoints with nothing to do each gets its part", () => {
    const [worker] = workersWith(algorithm, 10)
    const counts = Array<number>(10).fill(0)
    for (let i = 0; i < 10_000; i++) {
      const { exchange, place } = begin(worker)
      counts[place] = (counts[place] ?? 0) + 1
      exchange.end()
    }
    // Six standard deviations.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(180)
  })

  test("without shared slots each worker counts its own, over changes too", () => {
    const worker = new Worker({ abilities: { slots: false } })
    setBackends(worker, shop(algorithm, 4))
    const places = Array.from({ length: 4 }, () => begin(worker).place)
    if (algorithm === "least_conn") expect(new Set(places).size).toBe(4)
    setBackends(worker, shop(algorithm, 5))
    if (algorithm === "least_conn") expect(begin(worker).place).toBe(4)
    const counts = Array<number>(5).fill(0)
    for (let i = 0; i < 995; i++) {
      const { place } = begin(worker)
      counts[place] = (counts[place] ?? 0) + 1
    }
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(60)
  })
})

test("least_conn finds the one that is free", () => {
  const [worker] = workersWith("least_conn", 100)
  const open = Array.from({ length: 100 }, () => begin(worker))
  expect(new Set(running(worker))).toEqual(new Set([1]))
  open[42]?.exchange.end()
  expect(begin(worker).place).toBe(open[42]?.place)
})

test("a zone without a free slot is an error in the log, once; each worker counts by itself until there is one", () => {
  const zones = new Zones(undefined, 1, 8)
  const worker = new Worker({ zones })
  setBackends(worker, shop("least_conn", 4), { ...shop("least_conn", 4), name: "b" })
  begin(worker)
  const spared = worker.pick("b")
  expect(worker.pick("b").address).not.toBe(spared.address)
  setBackends(worker, { ...shop("least_conn", 5), name: "b" })
  worker.pick("b")
  expect(worker.log).toEqual([expect.stringMatching(/^No shared slots are left.*backends\/b$/)])
  removeBackends(worker, "shop")
  worker.pick("b")
  expect(zones.slots.numbersOf("backends/b")).toHaveLength(6)
})
