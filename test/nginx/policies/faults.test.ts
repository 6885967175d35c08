// A policy that traps, loops, eats memory or lies costs its own backend's balance, and nobody a request.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"
import {
  custom,
  type Policy,
  PolicyDirectory,
  policiesLocation,
  rowOf,
} from "../../../harness/policies/policies.ts"
import { configOf, faults, faultyWat, policyWat } from "../../../harness/policies/wat.ts"
import { until } from "../../../harness/until.ts"
import { answersOf, burst } from "../balancing/support/burst.ts"

let backends: Backends
let directory: PolicyDirectory
let plane: Plane
let faulty: Policy
let good: Policy
beforeAll(async () => {
  backends = await startBackends("a", "b", "c", "d")
  directory = await PolicyDirectory.make()
  plane = await startPlane({ inWasm: directory.directives, inServer: policiesLocation })
  faulty = await directory.add("faulty", faultyWat())
  good = await directory.add("good", policyWat())
  const names = ["shop", "other", "builtin"]
  await plane.apply({ routes: { set: names.map((name) => host(`${name}.test`, name)) } })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
  await directory[Symbol.asyncDispose]()
})

const ask = (name: string, requests: number) =>
  burst(plane, backends, { requests, question: () => ({ host: `${name}.test`, path: "/" }) })

const evenly = (counts: ReadonlyMap<string, number>, requests: number) => {
  expect([...counts.keys()].sort()).toEqual(["200 a", "200 b", "200 c", "200 d"])
  for (const count of counts.values()) expect(Math.abs(count - requests / 4)).toBeLessThan(requests / 10)
}

test.each(faults)("%s: all requests are answered, other backends do not notice", async (mode) => {
  const errors = (await plane.counters()).faults
  const before = (await rowOf(plane, faulty))?.faults ?? 0
  await plane.apply({
    backends: {
      set: [
        { ...backend("shop", backends), ...custom(faulty, configOf(mode)) },
        { ...backend("other", backends), ...custom(good) },
        backend("builtin", backends),
      ],
    },
  })
  const [shop, other, builtin] = await Promise.all([ask("shop", 400), ask("other", 400), ask("builtin", 400)])
  evenly(answersOf(shop), 400)
  evenly(answersOf(other), 400)
  evenly(answersOf(builtin), 400)
  // The filter itself is none the worse for it.
  expect((await plane.counters()).faults).toBe(errors)
  if (mode === "decline") {
    await until("declines to be counted", async () => ((await rowOf(plane, faulty))?.declines ?? 0) > 0)
  } else {
    await until("faults to be counted", async () => ((await rowOf(plane, faulty))?.faults ?? 0) > before)
  }
  expect((await rowOf(plane, good))?.faults).toBe(0)
})

test("a backend whose configuration makes a policy fail takes nothing from another one of the same policy", async () => {
  await plane.apply({
    backends: {
      set: [
        { ...backend("shop", backends), ...custom(faulty, configOf("trap")) },
        { ...backend("other", backends), ...custom(faulty) },
      ],
    },
  })
  await ask("shop", 100)
  await until("few faults more", async () => {
    const before = await rowOf(plane, faulty)
    const [shop, other] = await Promise.all([ask("shop", 200), ask("other", 200)])
    evenly(answersOf(shop), 200)
    evenly(answersOf(other), 200)
    let after = before
    await until("picks to be counted", async () => {
      after = await rowOf(plane, faulty)
      return (after?.picks ?? 0) > (before?.picks ?? 0)
    })
    // The one rests, so the other is served by the policy nearly always.
    return (after?.faults ?? 0) - (before?.faults ?? 0) < 50
  })
})
