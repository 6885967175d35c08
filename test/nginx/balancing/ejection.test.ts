// Outlier ejection with every algorithm: an endpoint that fails is left out by all workers together, comes back when its time is
// over, and nobody goes without an endpoint because of it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Backend, type Backends, startBackends } from "../../../harness/backends.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"
import { tookAtLeast } from "../../support/clock.ts"
import { type Algorithm, algorithms, balanced } from "./support/algorithms.ts"
import { answersOf, burst, repeated, type Taken } from "./support/burst.ts"

const failures = 3
/** Longer than any test takes. */
const longMs = 3_600_000
const connections = 8

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a", "b", "c", "d")
  plane = await startPlane({ tries: 4 })
  await plane.apply({ routes: { set: algorithms.map((algorithm) => host(`${algorithm}.test`, algorithm)) } })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})
beforeEach(async () => {
  for (const backend of backends) await backend.fault(undefined)
  await plane.apply({ backends: { remove: [...algorithms] } })
  await plane.apply({ backends: { set: algorithms.map((algorithm) => ejecting(algorithm)) } })
})

const ejecting = (algorithm: Algorithm, forMs = longMs) =>
  balanced(algorithm, algorithm, backends, { outlierEjection: { failures, ejection_ms: forMs } })

const ask = (algorithm: Algorithm, requests: number) =>
  burst(plane, backends, {
    requests,
    connections,
    question: (n) => ({ host: `${algorithm}.test`, path: `/?key=${n}` }),
  })

const attemptsAt = (name: string, taken: readonly Taken[]) =>
  taken.flatMap(({ tried }) => tried).filter((one) => one === name).length

describe("one endpoint of four that fails", () => {
  // ewma keeps away from it by itself, and may not come to the number of failures.
  const unaware = algorithms.filter((algorithm) => algorithm !== "ewma")

  test("costs as many attempts as were agreed, over all workers, and is asked no more", async () => {
    const faulty = backends[1] as Backend
    await faulty.fault("reset")
    for (const algorithm of unaware) {
      const taken = await ask(algorithm, 80)
      expect(new Set(taken.map(({ answer }) => answer.status))).toEqual(new Set([200]))
      const lost = attemptsAt("b", taken)
      expect(lost, algorithm).toBeGreaterThanOrEqual(failures)
      // And those that were under way when it was left out.
      expect(lost, algorithm).toBeLessThan(failures + connections)
    }
    await faulty.fault(undefined)
    for (const algorithm of unaware) {
      expect([algorithm, attemptsAt("b", await ask(algorithm, 20))]).toEqual([algorithm, 0])
    }
  })

  test("is back after its time, and not before", async () => {
    const forMs = 1000
    await plane.apply({ backends: { set: unaware.map((algorithm) => ejecting(algorithm, forMs)) } })
    const faulty = backends[1] as Backend
    await faulty.fault("reset")
    await tookAtLeast(forMs, async () => {
      for (const algorithm of unaware) {
        expect(attemptsAt("b", await ask(algorithm, 80)), algorithm).toBeGreaterThanOrEqual(failures)
      }
      await faulty.fault(undefined)
      for (const algorithm of unaware) {
        await until(`${algorithm} to use it again`, async () => attemptsAt("b", await ask(algorithm, 20)) > 0)
      }
    })
  })

  test("is not left out for a failure now and then", async () => {
    for (let round = 0; round < failures + 1; round += 1) {
      await backends[1]?.fault("reset")
      await until("a failure", async () => attemptsAt("b", await burstOne()) > 0)
      await backends[1]?.fault(undefined)
      await until("an answer of it", async () => answersOf(await burstOne()).has("200 b"))
    }
  })

  const burstOne = () =>
    burst(plane, backends, { requests: 1, question: () => ({ host: "round_robin.test" }) })
})

test.each(
  algorithms,
)("%s: when all fail, half of them are left out and still tried last", async (algorithm) => {
  await plane.apply({ backends: { set: [ejecting(algorithm)] } })
  for (const backend of backends) await backend.fault("reset")
  const taken = await ask(algorithm, 30)
  expect(new Set(taken.map(({ answer }) => answer.status))).toEqual(new Set([502]))
  expect(repeated(taken, 4)).toEqual([])
  expect(taken.filter(({ tried }) => new Set(tried).size < 4)).toEqual([])
  for (const backend of backends) await backend.fault(undefined)
  const served = new Set((await ask(algorithm, 40)).map(({ answer }) => answer.body))
  expect(served.size).toBe(2)
})

test("the filter chose all the while", async () => {
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})
