// Every algorithm with endpoints that fail in every way: nobody notices who may be sent elsewhere, nobody is sent to the same
// endpoint twice, and an endpoint that has recovered serves again.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Backend, type Backends, type Fault, startBackends } from "../../../harness/backends.ts"
import { type Load, startLoad } from "../../../harness/load.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { patienceMs, until } from "../../../harness/until.ts"
import { moment } from "../../support/clock.ts"
import { type Algorithm, algorithms, balanced } from "./support/algorithms.ts"
import { answersOf, burst, repeated, type Taken, triedBy } from "./support/burst.ts"

const faults: readonly Fault[] = ["refuse", "reset", "hang"]
const names = ["a", "b", "c", "d"]

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends(...names)
  plane = await startPlane({ tries: 4, inLocation: "proxy_read_timeout 5s;" })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})

describe.each(algorithms)("%s", (algorithm) => {
  const hostname = `${algorithm}.test`
  const ask = (requests: number, more: object = {}) =>
    burst(plane, backends, {
      requests,
      connections: 32,
      question: (n) => ({ host: hostname, path: `/?key=${n}`, ...more }),
    })

  beforeAll(async () => {
    await heal()
    await start(algorithm)
  })

  test.each(faults)("one endpoint of four that does %s: every GET is answered, by another", async (fault) => {
    await restart(algorithm)
    const faulty = backend("b")
    if (fault !== "hang") await bePatient(algorithm)
    await faulty.fault(fault)
    const taken = await ask(100)
    expect([...answersOf(taken).keys()].toSorted()).toEqual(["200 a", "200 c", "200 d"])
    expect(repeated(taken, names.length)).toEqual([])
    // It was tried, and nothing but it cost anybody an attempt. Where it hangs, a slow machine may make it look as if others did.
    expect(taken.filter(({ tried }) => tried.includes("b")).length).toBeGreaterThan(0)
    if (fault !== "hang") expect(wasted(taken).filter((name) => name !== "b")).toEqual([])

    await faulty.fault(undefined)
    // EWMA forgets by a factor of e in ten seconds: down to 400 ms, which the others take from now on, it is half as far as to what they took before.
    await Promise.all(backends.filter((other) => other !== faulty).map((other) => other.fault(400)))
    await until("it to serve again", async () => answersOf(await ask(25)).has("200 b"))
    await heal()
  })

  test("three of four: every GET is answered by the last", async () => {
    await restart(algorithm)
    await Promise.all(faults.map((fault, at) => (backends[at] as Backend).fault(fault)))
    const taken = await ask(40)
    expect([...answersOf(taken).keys()]).toEqual(["200 d"])
    expect(repeated(taken, names.length)).toEqual([])
    expect(taken.some(({ tried }) => tried.length > 2)).toBe(true)
    await heal()
  })

  // nginx sends a request again, and counts no attempt, when a kept connection fails: so there may be more than four.
  test("all of them: each is tried, then the client is told", async () => {
    await restart(algorithm)
    await Promise.all(backends.map((one) => one.fault("reset")))
    const taken = await ask(20)
    expect([...new Set(taken.map(({ answer }) => answer.status))]).toEqual([502])
    expect(repeated(taken, names.length)).toEqual([])
    expect(taken.filter(({ tried }) => new Set(tried).size < names.length)).toEqual([])
    await heal()
  })

  test("a POST is sent once", async () => {
    await restart(algorithm)
    await bePatient(algorithm)
    await backend("b").fault("reset")
    const before = backends.map(({ requests }) => requests)
    const taken = await ask(60, { method: "POST", body: "once" })
    const arrived = backends.map(({ requests }, at) => requests - (before[at] ?? 0))
    expect(arrived.reduce((sum, count) => sum + count)).toBe(taken.length)
    const failed = taken.filter(({ answer }) => answer.status !== 200)
    expect([...answersOf(failed).keys()].map((text) => text.slice(0, 3))).toEqual(["502"])
    expect(failed.map(({ tried }) => tried.join())).toEqual(failed.map(() => "b"))
    await heal()
  })

  test("an endpoint that is removed under load and then dies: nobody notices, and nobody asks it any more", async () => {
    await restart(algorithm)
    const gone = backend("d")
    const left = backends.filter((one) => one !== gone)
    let removedMs = Number.POSITIVE_INFINITY
    const stale: string[] = []
    const load = startLoad({
      port: plane.nginx.port,
      question: (n) => ({ host: hostname, path: `/?key=${n}` }),
      onAnswer: (answer, startedMs) => {
        const tried = triedBy(answer, backends)
        if (startedMs >= removedMs && tried.includes(gone.name)) stale.push(tried.join())
      },
    })
    for (let round = 1; round <= 3; round += 1) {
      await moreAnswers(load, gone.name)
      await plane.apply({ backends: { set: [balanced(algorithm, algorithm, left)] } })
      removedMs = moment()
      await gone.fault("refuse")
      await moreAnswers(load)
      removedMs = Number.POSITIVE_INFINITY
      await gone.fault(undefined)
      await plane.apply({ backends: { set: [balanced(algorithm, algorithm, backends)] } })
    }
    const { lost, statuses } = await load.stop()
    expect({ lost, stale, statuses: [...statuses.keys()] }).toEqual({ lost: [], stale: [], statuses: [200] })
  })
})

test("the filter chose all the while", async () => {
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})

/** Until there are 60 answers more, or one of a certain endpoint. */
async function moreAnswers({ result }: Load, of?: string): Promise<void> {
  const count = () => (of === undefined ? result.requests : (result.answers.get(of) ?? 0))
  const enough = count() + (of === undefined ? 60 : 1)
  await until(of === undefined ? "more answers" : `an answer of ${of}`, () => count() >= enough)
}

const backend = (name: string) => backends.find((one) => one.name === name) as Backend

async function heal(): Promise<void> {
  await Promise.all(backends.map((one) => one.fault(undefined)))
}

async function start(algorithm: Algorithm): Promise<void> {
  const set = [balanced(algorithm, algorithm, backends)]
  await plane.apply({ backends: { set }, routes: { set: [host(`${algorithm}.test`, algorithm)] } })
}

/** Where nothing hangs, a slow machine must not make it look so. */
async function bePatient(algorithm: Algorithm): Promise<void> {
  const numbers = { overrides: { proxy_read_timeout_ms: patienceMs } }
  await plane.apply({ routes: { set: [host(`${algorithm}.test`, algorithm, numbers)] } })
}

/** All sound, and nothing of what was learned in the test before. */
async function restart(algorithm: Algorithm): Promise<void> {
  await heal()
  await plane.apply({ backends: { remove: [algorithm] } })
  await start(algorithm)
}

/** Endpoints whose attempt was followed by another. */
function wasted(taken: readonly Taken[]): string[] {
  return taken.flatMap(({ tried }) => tried.slice(0, -1))
}
