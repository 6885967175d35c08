// The algorithm is data: each may follow each other by a post, while requests run. Nobody notices, nothing is loaded anew.
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { host, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"
import { type Algorithm, algorithms, balanced } from "./support/algorithms.ts"

/** So that each comes right after each other one. */
const sequence = algorithms.flatMap((one, at) =>
  algorithms.slice(at + 1).flatMap((other) => [one, other, one] as const),
)

const hostname = "shop.test"

test(`${sequence.length} changes among ${algorithms.length} algorithms, under load`, async () => {
  await using backends = await startBackends("a", "b", "c")
  await using plane = await startPlane()
  const set = (algorithm: Algorithm) =>
    plane.apply({ backends: { set: [balanced(algorithm, "shop", backends)] } })
  await set("round_robin")
  await plane.apply({ routes: { set: [host(hostname, "shop")] } })
  const workers = plane.nginx.workers()
  // Some answers come late, so that attempts that one algorithm has counted end under another.
  await backends[2]?.fault(15)

  const load = startLoad({
    port: plane.nginx.port,
    connections: 10,
    question: (n) => ({ host: hostname, path: `/?key=${n}` }),
  })
  for (const algorithm of sequence) {
    await set(algorithm)
    const before = load.result.requests
    await until("answers", () => load.result.requests >= before + 20)
  }
  const { lost, statuses, answers } = await load.stop()

  expect(lost).toEqual([])
  expect([...statuses.keys()]).toEqual([200])
  expect([...answers.keys()].toSorted()).toEqual(["a", "b", "c"])
  expect(plane.nginx.workers()).toEqual(workers)
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
  expect(plane.nginx.errorLog()).not.toMatch(/\[(error|crit|alert|emerg)\]/)
})

test("every pair is among them", () => {
  const pairs = new Set(sequence.map((algorithm, at) => `${sequence[at - 1] ?? algorithms[0]} ${algorithm}`))
  for (const one of algorithms) {
    for (const other of algorithms) if (one !== other) expect(pairs).toContain(`${one} ${other}`)
  }
})
