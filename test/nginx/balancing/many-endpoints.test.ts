// 10,000 endpoints on a real nginx: no callback takes so long that it is cut off, whatever the algorithm.
import { afterAll, beforeAll, expect, test } from "vitest"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { type Algorithm, algorithms, balanced } from "./support/algorithms.ts"
import { burst, type Taken, workersOf } from "./support/burst.ts"

const hostname = "shop.test"

let plane: Plane
beforeAll(async () => {
  // As in wick's template.
  plane = await startPlane({ inWasm: "callback_deadline 50ms;" })
  await plane.apply({ routes: { set: [host(hostname, "shop")] } })
})
afterAll(() => plane.nginx.stop())

/** Nobody listens there, so each request shows which three it has tried. */
async function refusing(count: number): Promise<{ endpoint: object }[]> {
  const [port = 0] = await freePorts(1)
  return Array.from({ length: count }, (_, i) => ({
    endpoint: { address: `127.1.${i >> 8}.${i & 255}`, port: String(port) },
  }))
}

/** What requests for one key have tried, as all workers answer them. */
async function tried(): Promise<Set<string>> {
  const question = () => ({ host: hostname, path: "/?key=one" })
  const taken: Taken[] = []
  await until("every worker to answer", async () => {
    taken.push(...(await burst(plane, [], { requests: 60, question })))
    return workersOf(taken).size === 4
  })
  for (const each of taken) {
    expect(each.answer.status).toBe(502)
    expect(new Set(each.tried).size).toBe(3)
  }
  return new Set(taken.map((each) => each.tried.join()))
}

test.each(algorithms)("%s: they come at once, and one goes", async (algorithm: Algorithm) => {
  const endpoints = await refusing(10_000)
  await plane.apply({ backends: { set: [balanced(algorithm, "shop", endpoints)] } })
  const before = await tried()
  await plane.apply({ backends: { set: [balanced(algorithm, "shop", endpoints.toSpliced(5000, 1))] } })
  const after = await tried()
  if (algorithm === "chash") expect([...after]).toEqual([...before])
  else expect(after.size).toBeGreaterThan(10)
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})
