/** The filter's memory follows what is in use, not how long it has been running. */
import { expect, test } from "vitest"
import { backend, change, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

/** Runs `round` once to settle, then `rounds` times more; the memory must stand still. */
function expectFlat(worker: Worker, rounds: number, round: (i: number) => void, settle = 1): void {
  for (let i = 0; i < settle; i++) round(i)
  const bytes = worker.memoryBytes
  for (let i = settle; i < settle + rounds; i++) round(i)
  expect(worker.memoryBytes).toBe(bytes)
}

test("100,000 picks", () => {
  const worker = new Worker()
  setBackends(worker, backend("a", 10), backend("b", [1, 5, 100]))
  expectFlat(worker, 100_000, (i) => worker.select(i % 2 ? "a" : "b", i % 3 ? [] : [1, 2]))
})

test("10,000 updates that the posting worker and another one use", () => {
  const zones = new Zones()
  const [poster, other] = [new Worker({ zones }), new Worker({ zones })]
  expectFlat(
    poster,
    10_000,
    (i) => {
      setBackends(poster, backend(`shop-${i % 10}`, 1 + (i % 100)))
      poster.pick(`shop-${i % 10}`)
      other.pick(`shop-${i % 10}`)
    },
    200,
  )
  expect(other.memoryBytes).toBeLessThan(2 << 20)
})

test("100,000 backends that come, are used and go", () => {
  const worker = new Worker()
  const record = Buffer.from("030000000100000000000000" + "500001000409090909", "hex")
  let before: string | undefined
  expectFlat(
    worker,
    100_000,
    (i) => {
      const name = `shop-${i}`
      worker.zones.write([
        { key: `backends/${name}`, value: record, cas: 0 },
        ...(before ? [{ key: `backends/${before}`, value: null, cas: 0 }] : []),
      ])
      expect(worker.pick(name).address).toBe("9.9.9.9")
      before = name
    },
    1000,
  )
})

test("a backend whose 10,000 hosts may issue its cookie changes 50 times", () => {
  const locations = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [`host-${i}.shop.test`, ["/cart", `/cart/${i}`]]),
  )
  const sessionAffinityConfig = {
    name: "cookie",
    mode: "persistent",
    cookieSessionAffinity: { name: "INGRESSCOOKIE", locations },
  }
  const worker = new Worker()
  const set = (i: number) => {
    setBackends(worker, { ...backend("shop", 1 + (i % 5)), sessionAffinityConfig })
    worker.pick("shop")
  }
  expectFlat(worker, 50, set, 5)
  expect(worker.memoryBytes).toBeLessThan(8 << 20)
  expect(JSON.parse(worker.get("/configuration/backends?name=shop").body)).toMatchObject([
    { sessionAffinityConfig },
  ])
})

test("100,000 names of backends that never were, while those in use stay known", () => {
  const worker = new Worker()
  setBackends(worker, ...Array.from({ length: 50 }, (_, i) => backend(`shop-${i}`, 3)))
  expectFlat(
    worker,
    100_000,
    (i) => {
      worker.select(`never-${i}`)
      worker.pick(`shop-${i % 50}`)
    },
    1000,
  )
})

test("large bodies, refused or not, and large answers", () => {
  const worker = new Worker()
  const large = JSON.stringify(
    change({ backends: { set: Array.from({ length: 1500 }, (_, i) => backend(`shop-${i}`, 10)) } }),
  )
  const keys = Array.from({ length: 50_000 }, (_, i) => `"${i}":0`)
  expectFlat(
    worker,
    30,
    () => {
      expect(worker.post("/configuration/changes", large).status).toBe(201)
      expect(worker.post("/configuration/changes", large.slice(0, -1)).status).toBe(400)
      expect(worker.post("/configuration/backends", `[{"name":"a","service":{${keys}}}]`).status).toBe(201)
      expect(worker.get("/configuration/backends").status).toBe(200)
    },
    3,
  )
  expect(worker.memoryBytes).toBeLessThan(32 << 20)
})

test("a worker that used 10,000 backends of 10 endpoints holds less than 16 MiB", () => {
  const zones = new Zones()
  const [poster, worker] = [new Worker({ zones }), new Worker({ zones })]
  for (let part = 0; part < 10; part++) {
    setBackends(
      poster,
      ...Array.from({ length: 1000 }, (_, i) => backend(`namespace-service-${part * 1000 + i}-80`, 10)),
    )
  }
  for (let i = 0; i < 10_000; i++) worker.pick(`namespace-service-${i}-80`)
  expect(worker.memoryBytes).toBeLessThan(16 << 20)
})
