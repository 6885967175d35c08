/** Which endpoint is chosen: fairness, weights, retries, freshness. */
import { expect, test } from "vitest"
import { backend, counts, removeBackends, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

function workerWith(...endpoints: (number | number[])[]): Worker {
  const worker = new Worker()
  setBackends(worker, ...endpoints.map((list, i) => backend(`shop-${i}`, list)))
  return worker
}

const none = { status: 503, body: "", headers: {} }

test("an unknown backend, one without endpoints and none at all are answered 503", () => {
  const worker = workerWith(0)
  expect(worker.select("shop-0")).toEqual(none)
  expect(worker.select("unknown")).toEqual(none)
  expect(worker.select("")).toEqual(none)
})

test("addresses are given as text without port, IPv6 in brackets", () => {
  const worker = new Worker()
  const texts = ["10.255.0.1", "2001:db8::1", "::", "1:2:3:4:5:6:7:8"]
  setBackends(worker, { name: "a", endpoints: texts.map((address, i) => ({ address, port: 65532 + i })) })
  const seen = new Set(
    Array.from({ length: 4 }, () => worker.pick("a")).map(({ address, port }) => `${address} ${port}`),
  )
  expect(seen).toEqual(
    new Set(["10.255.0.1 65532", "[2001:db8::1] 65533", "[::] 65534", "[1:2:3:4:5:6:7:8] 65535"]),
  )
})

test("equal weights take turns in a fixed order", () => {
  for (const list of [3, [7, 7, 7]]) {
    const worker = workerWith(list)
    const round = () => [0, 1, 2].map(() => worker.pick("shop-0").address)
    const first = round()
    expect(new Set(first).size).toBe(3)
    expect(round()).toEqual(first)
  }
})

test("weights hold exactly over a rotation, from any start", () => {
  const worker = workerWith([5, 1, 2])
  for (let start = 0; start < 9; start++) {
    expect(counts(worker, "shop-0", 8)).toEqual(
      new Map(
        [
          ["10.0.0.1", 5],
          ["10.0.0.2", 1],
          ["10.0.0.3", 2],
        ].sort() as [string, number][],
      ),
    )
    worker.pick("shop-0")
  }
})

test("a heavy endpoint is spread over the rotation, and light ones do not come in a crowd", () => {
  const worker = workerWith([10, ...Array<number>(10).fill(1)])
  const picks = Array.from({ length: 200 }, () => worker.pick("shop-0").address)
  const gaps = runs(picks.map((address) => address !== "10.0.0.1"))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(3)
})

/** Lengths of the runs of true. */
function runs(flags: readonly boolean[]): number[] {
  return flags
    .map(String)
    .join(" ")
    .split("false")
    .map((run) => run.split("true").length - 1)
}

test("instances with other seeds begin elsewhere", () => {
  const zones = new Zones()
  const workers = Array.from({ length: 20 }, (_, i) => new Worker({ zones, seed: i + 0.5 }))
  setBackends(workers[0] as Worker, backend("a", 100))
  expect(new Set(workers.map((worker) => worker.pick("a").address)).size).toBeGreaterThan(10)
})

test("the same seed makes the same choices", () => {
  const choices = () => {
    const worker = workerWith([3, 1, 4], 5)
    return Array.from({ length: 50 }, (_, i) => worker.pick(`shop-${i % 2}`))
  }
  expect(choices()).toEqual(choices())
})

test("a retry takes an endpoint that was not tried while there is one", () => {
  for (const list of [5, [100, 1, 1, 50, 1]]) {
    const worker = workerWith(list)
    const tags: number[] = []
    for (let attempt = 0; attempt < 5; attempt++) tags.push(worker.pick("shop-0", tags).tag)
    expect(new Set(tags).size).toBe(5)
    expect(tags).toContain(worker.pick("shop-0", tags).tag)
  }
})

test("the tag stays with the endpoint when the list changes between two attempts", () => {
  const worker = new Worker()
  setBackends(worker, backend("a", 2))
  const first = worker.pick("a")
  const others = ["10.0.0.9", "10.0.0.8"].map((address) => ({ address, port: 80 }))
  setBackends(worker, { name: "a", endpoints: [...others, { address: first.address, port: first.port }] })
  const tried = [first.tag]
  for (let i = 0; i < 2; i++) tried.push(worker.pick("a", tried).tag)
  expect(new Set(tried).size).toBe(3)
})

test("a single endpoint is taken again", () => {
  const worker = workerWith(1)
  const { tag } = worker.pick("shop-0")
  expect(worker.pick("shop-0", [tag]).tag).toBe(tag)
})

test("more attempts than tags fit leave the choice among the rest", () => {
  const worker = workerWith(20)
  const tags: number[] = []
  for (let attempt = 0; attempt < 30; attempt++) {
    const { tag } = worker.pick("shop-0", tags)
    expect(tags.slice(-16)).not.toContain(tag)
    tags.push(tag)
  }
})

test("endpoints on one address with several ports are told apart", () => {
  const worker = new Worker()
  const endpoints = Array.from({ length: 50 }, (_, i) => ({ address: "10.0.0.1", port: 8000 + i }))
  setBackends(worker, { name: "a", endpoints })
  expect(new Set(Array.from({ length: 50 }, () => worker.pick("a").tag)).size).toBe(50)
})

test("every worker uses a change at once", () => {
  const zones = new Zones()
  const workers = Array.from({ length: 4 }, (_, i) => new Worker({ zones, seed: i }))
  const [first] = workers as [Worker]
  for (let change = 1; change <= 300; change++) {
    const address = `10.1.${change >> 8}.${change & 255}`
    const poster = workers[change % 4] as Worker
    setBackends(poster, { name: `shop-${change % 7}`, endpoints: [{ address, port: 80 }] })
    for (const worker of workers) expect(worker.pick(`shop-${change % 7}`).address).toBe(address)
  }
  removeBackends(first, "shop-0")
  for (const worker of workers) expect(worker.select("shop-0")).toEqual(none)
})

test("a backend that comes after it was missed is used at once", () => {
  const worker = new Worker()
  expect(worker.select("late")).toEqual(none)
  setBackends(worker, backend("late", 1))
  expect(worker.pick("late").address).toBe("10.0.0.1")
})

test("a record that is replaced while it is read is read again", () => {
  const zones = new Zones()
  const [worker, other] = [new Worker({ zones }), new Worker({ zones, seed: 2 })]
  setBackends(other, backend("a", 1))
  const get = zones.get.bind(zones)
  zones.get = (key) => {
    zones.get = get
    const entry = get(key)
    setBackends(other, { name: "a", endpoints: [{ address: "10.0.0.2", port: 80 }] })
    return entry
  }
  expect(worker.pick("a").address).toBe("10.0.0.1")
  expect(worker.pick("a").address).toBe("10.0.0.2")
})

test("a version that moves for nothing does not disturb the turns", () => {
  const zones = new Zones(undefined, 1)
  const worker = new Worker({ zones })
  setBackends(worker, backend("a", 3), backend("b", 1))
  const seen = new Set<string>()
  for (let i = 0; i < 3; i++) {
    seen.add(worker.pick("a").address)
    setBackends(worker, backend("b", i + 1))
  }
  expect(seen.size).toBe(3)
})

test("a record that cannot be read is an error in the log, once, and 503", () => {
  const worker = new Worker()
  const damaged = [
    "04000000",
    "030000000100000000000000",
    "03000000010000000000000050000100050a000001",
    "030000000000000000000000ff",
    // settings: longer than the record, cut, a number of the wrong size, a host of a location cut
    "030000000000000001000000",
    "030000000000000003000000010000",
    "03000000000000000500000002010000ff",
    "0300000000000000070000000a0300000200ff",
  ]
  for (const [i, hex] of damaged.entries()) {
    worker.zones.write([{ key: "backends/a", value: Buffer.from(hex, "hex"), cas: 0 }])
    expect([worker.select("a"), worker.select("a")]).toEqual([none, none])
    expect(worker.log).toHaveLength(i + 1)
    expect(worker.log[i]).toMatch(/^Cannot read .*backends\/a$/)
  }
})

test("settings of a later filter and unknown algorithms do not keep the endpoints from being used", () => {
  const worker = new Worker()
  const record = Buffer.from("03ff0000010000000700000063030000414243" + "50000100040a000001", "hex")
  worker.zones.write([{ key: "backends/a", value: record, cas: 0 }])
  expect(worker.pick("a")).toMatchObject({ address: "10.0.0.1", port: 80 })
})
