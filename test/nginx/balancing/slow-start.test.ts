// Slow start with every algorithm: an endpoint that is added to a backend in use gets a share that grows with its age.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"
import { type Age, ageOf } from "../../support/clock.ts"
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

/** An answer, and how old the added endpoint was when it was chosen: older than when it was asked, and younger than when the answer came. */
interface Seen {
  readonly algorithm: string
  readonly atLeastMs: number
  readonly atMostMs: number
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
  let age: Age | undefined
  const load = startLoad({
    port: plane.nginx.port,
    keepAlive: false,
    connections: 10,
    question: (n) => ({
      host: `${algorithms[n % algorithms.length]}.test`,
      path: `/?key=${Math.floor(n / algorithms.length)}`,
      headers: { "x-age": String(age?.atLeastMs() ?? "") },
    }),
    onAnswer: ({ body }, _startedMs, { host, headers }) => {
      if (age === undefined || headers?.["x-age"] === "") return
      const atLeastMs = Number(headers?.["x-age"])
      seen.push({ algorithm: String(host), atLeastMs, atMostMs: age.atMostMs(), body })
    },
  })
  // All four workers have used what there is.
  await until("answers", () => load.result.requests > 300)
  age = await ageOf(() => post(4))
  const enough = 50 * algorithms.length
  await until("answers of when it is warm", () => seen.filter(isWarm).length > enough)
  const { lost, statuses } = await load.stop()
  expect([lost, [...statuses.keys()]]).toEqual([[], [200]])

  for (const algorithm of algorithms) {
    const own = seen.filter((one) => one.algorithm === `${algorithm}.test`)
    expectMax(
      own.filter(({ atMostMs }) => atMostMs < windowMs / 3),
      `${algorithm}, cold`,
    )
    expectMax(
      own.filter(({ atLeastMs, atMostMs }) => atLeastMs >= windowMs / 3 && atMostMs < (2 * windowMs) / 3),
      `${algorithm}, warming`,
    )
    // What EWMA gives it then is a matter of how quickly it answers.
    if (algorithm !== "ewma") expectMin(own.filter(isWarm), 0.25, `${algorithm}, warm`)
  }
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})

const isWarm = ({ atLeastMs }: Seen) => atLeastMs >= windowMs

/** A ring deals unevenly, and so do averages of what endpoints took: so much above or below is fair. */
const fairness = 0.06

/** At most what it gets at the age that each answer may have: the later answers come, the more that is. */
function expectMax(seen: readonly Seen[], what: string): void {
  const weights = seen.map(({ atMostMs }) => Math.min(1, atMostMs / windowMs))
  const due = weights.reduce((sum, weight) => sum + weight / (3 + weight), 0)
  const count = countOf(seen)
  expect(count, `${what}: ${count} of ${seen.length}`).toBeLessThanOrEqual(
    due + (seen.length * fairness) / 2 + deviation(seen.length, due / Math.max(1, seen.length)),
  )
}

function expectMin(seen: readonly Seen[], share: number, what: string): void {
  const count = countOf(seen)
  expect(count, `${what}: ${count} of ${seen.length}`).toBeGreaterThanOrEqual(
    seen.length * (share - 2 * fairness) - deviation(seen.length, share),
  )
}

const deviation = (total: number, share: number) => 4 * Math.sqrt(total * share * (1 - share))

const countOf = (seen: readonly Seen[]) => seen.filter(({ body }) => body === added).length
