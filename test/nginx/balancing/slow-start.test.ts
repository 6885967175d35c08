// Slow start with every algorithm: an endpoint that is added to a backend in use gets a share that grows with its age.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../support/backends.ts"
import { startLoad } from "../../support/load.ts"
import { host, type Plane, startPlane } from "../../support/plane.ts"
import { until } from "../../support/until.ts"
import { type Algorithm, algorithms, balanced } from "./support/algorithms.ts"

const windowMs = 4500
const added = "d"

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a", "b", "c", added)
  plane = await startPlane()
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})

interface Seen {
  readonly algorithm: string
  /** Since the endpoint was added. */
  readonly ageMs: number
  readonly body: string
}

test("the share of an added endpoint grows while it warms up", async () => {
  const warming = (algorithm: Algorithm, count: number) =>
    balanced(algorithm, algorithm, backends.slice(0, count), { slowStart: { window_ms: windowMs } })
  const post = (count: number) =>
    plane.apply({
      backends: { set: algorithms.map((algorithm) => warming(algorithm, count)) },
      routes: { set: algorithms.map((algorithm) => host(`${algorithm}.test`, algorithm)) },
    })

  await post(3)
  const seen: Seen[] = []
  let addedMs = Number.POSITIVE_INFINITY
  const load = startLoad({
    port: plane.nginx.port,
    keepAlive: false,
    connections: 10,
    question: (n) => ({
      host: `${algorithms[n % algorithms.length]}.test`,
      path: `/?key=${Math.floor(n / algorithms.length)}`,
    }),
    onAnswer: ({ body }, startedMs, { host }) => {
      if (startedMs >= addedMs) seen.push({ algorithm: String(host), ageMs: startedMs - addedMs, body })
    },
  })
  // All four workers have used what there is.
  await until("answers", () => load.result.requests > 300)
  await post(4)
  addedMs = performance.now()
  await until("the end of its window", () => performance.now() > addedMs + 1.4 * windowMs, 2 * windowMs)
  const { lost, statuses } = await load.stop()
  expect([lost, [...statuses.keys()]]).toEqual([[], [200]])

  for (const algorithm of algorithms) {
    const own = seen.filter((one) => one.algorithm === `${algorithm}.test`)
    // In the first third it is a sixth of its window old on the average, and gets a sixth of the others' share.
    expectMax(own, 0, windowMs / 3, 1 / 6 / (3 + 1 / 6), `${algorithm}, cold`)
    expectMax(own, windowMs / 3, (2 * windowMs) / 3, 1 / 2 / (3 + 1 / 2), `${algorithm}, warming`)
    // What EWMA gives it then is a matter of how quickly it answers.
    if (algorithm !== "ewma") expectMin(own, windowMs, 0.25, `${algorithm}, warm`)
  }
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})

/** A ring deals unevenly, and so do averages of what endpoints took: so much above or below is fair. */
const fairness = 0.06

function expectMax(seen: readonly Seen[], fromMs: number, toMs: number, share: number, what: string): void {
  const { count, total } = countOf(seen, fromMs, toMs)
  expect(count, `${what}: ${count} of ${total}`).toBeLessThanOrEqual(
    total * (share + fairness / 2) + deviation(total, share),
  )
}

function expectMin(seen: readonly Seen[], fromMs: number, share: number, what: string): void {
  const { count, total } = countOf(seen, fromMs, Number.POSITIVE_INFINITY)
  expect(count, `${what}: ${count} of ${total}`).toBeGreaterThanOrEqual(
    total * (share - 2 * fairness) - deviation(total, share),
  )
}

const deviation = (total: number, share: number) => 4 * Math.sqrt(total * share * (1 - share))

function countOf(seen: readonly Seen[], fromMs: number, toMs: number): { count: number; total: number } {
  const then = seen.filter(({ ageMs }) => ageMs >= fromMs && ageMs < toMs)
  return { count: then.filter(({ body }) => body === added).length, total: then.length }
}
