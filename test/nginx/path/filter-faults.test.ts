// A filter that traps, spins, eats memory or writes beside it costs nobody a request: nginx chooses by itself from the endpoints
// last known, logs a line and not a line for each request, keeps its workers, and has its filter back soon.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type FilterFault, faultyBalancer } from "../../../harness/faulty.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"
import { allowance } from "../../support/clock.ts"
import { unharmed } from "./unharmed.ts"

const faults: readonly { readonly fault: FilterFault; readonly says: RegExp }[] = [
  { fault: "trap", says: /unreachable/ },
  { fault: "loop", says: /interrupt/ },
  { fault: "memory", says: /unreachable|memory/ },
  { fault: "address", says: /out of bounds/ },
]

let backends: Backends
beforeAll(async () => {
  backends = await startBackends("a", "b", "c")
})
afterAll(() => backends.stop())

describe.each(faults)("a filter with the fault $fault", ({ fault, says }) => {
  let plane: Plane
  let workers: number[]
  let periods: () => number
  beforeAll(async () => {
    periods = allowance(1 / 10)
    plane = await startPlane({ workers: 4, balancer: await faultyBalancer() })
    workers = plane.nginx.workers()
    await plane.apply({
      backends: { set: [backend("shop", backends)] },
      routes: { set: [host("shop.test", "shop")] },
    })
  })
  afterAll(() => plane.nginx.stop())

  test("costs no request, not even the one that met the fault", async () => {
    await unharmed(plane.nginx.port, async () => {
      for (let n = 0; n < 20; n += 1) {
        const answer = await plane.nginx.get("/", { host: "shop.test", headers: { "x-wick-fault": fault } })
        expect([answer.status, ["a", "b", "c"].includes(answer.body)]).toEqual([200, true])
      }
    })
  })

  test("says so once in ten seconds and worker at most, and what it was", () => {
    const lines = plane.nginx
      .errorLog()
      .split("\n")
      .filter((line) => says.test(line))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.length).toBeLessThanOrEqual(workers.length * periods())
  })

  test("loses no worker", () => {
    expect(plane.nginx.workers()).toEqual(workers)
  })

  test("is counted, and so are the requests that nginx chose for", async () => {
    const { faults, fallbacks } = await plane.counters()
    expect(faults).toBeGreaterThan(0)
    expect(fallbacks).toBeGreaterThanOrEqual(faults)
  })

  test("comes back in every worker", async () => {
    const back = new Set<string>()
    await until("the filter to choose again in every worker", async () => {
      const before = await plane.counters()
      const answer = await plane.nginx.get("/", { host: "shop.test" })
      const after = await plane.counters()
      if (after.fallbacks === before.fallbacks) back.add(String(answer.headers["x-worker"]))
      return back.size === workers.length
    })
    await plane.apply({ backends: { set: [backend("shop", backends.slice(0, 1))] } })
    for (let n = 0; n < 40; n += 1) {
      expect((await plane.nginx.get("/", { host: "shop.test" })).body).toBe("a")
    }
  })
})
