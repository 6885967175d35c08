// What runs where is counted over all workers. However attempts end, and whatever becomes of the workers: when all is quiet,
// nothing is counted. Seen from outside: an endpoint on which something is still counted gets nothing from requests that come
// one at a time; and if something is counted on all of them, one that is added gets them all.
import { connect } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Backend, type Backends, startBackends } from "../../../harness/backends.ts"
import { faultyBalancer } from "../../../harness/faulty.ts"
import type { Answer } from "../../../harness/http.ts"
import { type Load, startLoad } from "../../../harness/load.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { childrenOf, isRunning, signal } from "../../../harness/processes.ts"
import { patienceMs, until } from "../../../harness/until.ts"
import { letPass } from "../../support/clock.ts"
import { type Algorithm, balanced } from "./support/algorithms.ts"
import { countsOf } from "./support/burst.ts"
import { expectShares } from "./support/shares.ts"

const hostname = "shop.test"
const workers = 4
/** Where nothing hangs, a slow machine must not make it look so. */
const patient = { overrides: { proxy_read_timeout_ms: patienceMs } }

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a", "b", "c", "added")
  plane = await startPlane({ workers, inLocation: "proxy_read_timeout 300ms;" })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})

describe.each(["least_conn", "p2c"] as const)("%s: nothing is counted any more after", (algorithm) => {
  const serve = (count: number) => serveWith(algorithm, backends.slice(0, count))

  beforeEach(async () => {
    for (const backend of backends) await backend.fault(undefined)
    await plane.apply({ backends: { remove: ["shop"] } })
    await serve(3)
  })

  async function expectQuiet(): Promise<void> {
    await requestsToEnd()
    await serveWith(algorithm, backends, patient)
    await expectEqualShares(plane)
  }

  test("answers", async () => {
    await under(async (load) => moreAnswers(load, 200))
    await expectQuiet()
  })

  test("retries: refused, reset, timed out", async () => {
    await backends[0]?.fault("refuse")
    await backends[1]?.fault("reset")
    await under(async (load) => moreAnswers(load, 100))
    await backends[0]?.fault("hang")
    await under(async (load) => moreAnswers(load, 40))
    await expectQuiet()
  })

  test("requests that no endpoint answers", async () => {
    for (const backend of backends) await backend.fault("hang")
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await plane.nginx.get("/", { host: hostname })).status),
    )
    expect(new Set(statuses)).toEqual(new Set([504]))
    await expectQuiet()
  })

  test("clients that leave in the middle", async () => {
    for (const backend of backends) await backend.fault(200)
    const arrived = () => backends.reduce((sum, { requests }) => sum + requests, 0)
    const before = arrived()
    // Some leave before their request has come anywhere.
    await until("requests to arrive", async () => {
      await Promise.all(Array.from({ length: 40 }, askAndLeave))
      return arrived() > before
    })
    await expectQuiet()
  })

  test("changes of the list while requests run", async () => {
    await backends[0]?.fault(30)
    await under(async (load) => {
      for (let round = 0; round < 10; round += 1) {
        await serve(round % 2 === 0 ? 2 : 3)
        await moreAnswers(load, 20)
        await serveWith(algorithm, backends.slice(1, 3))
        await moreAnswers(load, 20)
      }
    })
    await expectQuiet()
  })

  test("a reload while requests run", async () => {
    await backends[0]?.fault(50)
    await under(async (load) => {
      for (let round = 0; round < 2; round += 1) {
        await moreAnswers(load, 50)
        await plane.nginx.reload()
      }
    })
    await until("old workers to end", () => childrenOf(plane.nginx.pid).length === workers)
    await expectQuiet()
  })

  test("workers that are killed while requests run", async () => {
    await backends[0]?.fault(100)
    await backends[1]?.fault(100)
    await under(async (load) => {
      for (let round = 0; round < 3; round += 1) {
        await until("something to run", () => backends[0]?.running !== 0 && backends[1]?.running !== 0)
        const [victim = 0] = plane.nginx.workers()
        signal(victim, "SIGKILL")
        await until("another", () => !isRunning(victim) && plane.nginx.workers().length === workers)
        await moreAnswers(load, 20)
      }
    })
    await expectQuiet()
  })
})

test("counts are shared: what one worker has running, the others keep away from", async () => {
  const [first, second] = backends as unknown as [Backend, Backend]
  await plane.apply({ backends: { remove: ["shop"] } })
  await serveWith("least_conn", [first, second], patient)
  await until("several workers to have taken some", async () => {
    for (const backend of backends) await backend.fault("hold")
    for (const backend of backends) backend.maxRunning = 0
    const asked: Promise<Answer>[] = []
    for (let n = 1; n <= 20; n += 1) {
      asked.push(plane.nginx.get("/", { host: hostname }))
      await until("it to arrive", () => first.running + second.running === n)
    }
    for (const backend of backends) await backend.fault(undefined)
    const answers = await Promise.all(asked)
    expect([first.maxRunning, second.maxRunning]).toEqual([10, 10])
    await requestsToEnd()
    return new Set(answers.map(({ headers }) => headers["x-worker"])).size > 1
  })
})

// Attempts end while there is no filter to be told: each fault makes it longer until there is one again.
test.each([
  "least_conn",
  "p2c",
] as const)("%s: nothing is counted after faults of the filter", async (algorithm) => {
  await using faulty = await startPlane({ workers: 1, balancer: await faultyBalancer() })
  await serveWith(algorithm, backends.slice(0, 3), {}, faulty)
  for (const backend of backends) await backend.fault(150)
  const faults = async () => (await faulty.counters()).faults
  await under(async (load) => {
    for (let count = 1; count <= 5; count += 1) {
      await until("a fault", async () => {
        await faulty.nginx.get("/", { host: hostname, headers: { "x-wick-fault": "trap" } })
        return (await faults()) >= count
      })
      await moreAnswers(load, 12)
    }
  }, faulty)
  await requestsToEnd()
  await until("the filter to choose again", async () => {
    const { fallbacks } = await faulty.counters()
    await faulty.nginx.get("/", { host: hostname })
    return (await faulty.counters()).fallbacks === fallbacks
  })
  await serveWith(algorithm, backends, {}, faulty)
  await expectEqualShares(faulty)
})

test("the filter chose all the while", async () => {
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})

async function serveWith(
  algorithm: Algorithm,
  endpoints: readonly Backend[],
  numbers: object = {},
  on: Plane = plane,
): Promise<void> {
  await on.apply({
    backends: { set: [balanced(algorithm, "shop", endpoints)] },
    routes: { set: [host(hostname, "shop", numbers)] },
  })
}

async function requestsToEnd(): Promise<void> {
  for (const backend of backends) await backend.fault(undefined)
  await until("all requests to end", () => backends.every(({ running }) => running === 0))
}

/** Requests that come one at a time go to all endpoints alike. */
async function expectEqualShares(on: Plane): Promise<void> {
  const names: string[] = []
  for (let n = 0; n < 100; n += 1) names.push((await on.nginx.get("/", { host: hostname })).body)
  expectShares(countsOf(names), { a: 1, b: 1, c: 1, added: 1 })
}

/** Does something while twelve requests run at any time. */
async function under(work: (load: Load) => Promise<void>, on: Plane = plane): Promise<void> {
  const load = startLoad({
    port: on.nginx.port,
    connections: 12,
    keepAlive: false,
    question: () => ({ host: hostname }),
  })
  await work(load)
  await load.stop()
}

async function moreAnswers({ result }: Load, count: number): Promise<void> {
  const enough = result.requests + count
  await until("answers", () => result.requests >= enough)
}

/** Sends a request and closes the connection some milliseconds later. */
async function askAndLeave(_: unknown, n: number): Promise<void> {
  const socket = connect(plane.nginx.port, "127.0.0.1")
  socket.on("error", () => {})
  socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await letPass(5 + n, "it may be anywhere on its way, to an endpoint or back")
  socket.destroy()
}
