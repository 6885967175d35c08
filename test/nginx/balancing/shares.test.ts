// Who gets how much: weights, and what the algorithms that look at the endpoints do with one that is slow.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { type Algorithm, balanced } from "./support/algorithms.ts"
import { burst, countsOf, type Taken } from "./support/burst.ts"
import { expectShares } from "./support/shares.ts"

const hostname = "shop.test"

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a", "b", "c", "d")
  plane = await startPlane()
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})
beforeEach(async () => {
  for (const backend of backends) await backend.fault(undefined)
})

/** The endpoints, by name, that the requests of a burst ended with. */
const servedBy = (taken: readonly Taken[]) => countsOf(taken.map(({ answer }) => answer.body))

/** A fresh backend with these weights, under one name after the other: nothing was learned about it. */
let fresh = 0
async function serve(algorithm: Algorithm, weights: readonly number[] = [1, 1, 1, 1]): Promise<void> {
  fresh += 1
  const name = `fresh-${fresh}`
  const endpoints = weights.map((weight, at) => ({ endpoint: { ...backends[at]?.endpoint, weight } }))
  await plane.apply({
    backends: { set: [balanced(algorithm, name, endpoints)] },
    routes: { set: [host(hostname, name)] },
  })
}

function ask(requests: number, connections = 12): Promise<Taken[]> {
  return burst(plane, backends, { requests, connections, question: () => ({ host: hostname }) })
}

describe("weights 1, 2 and 5", () => {
  const shares = { a: 1, b: 2, c: 5 }
  const weights = Object.values(shares)

  test("round_robin: each worker keeps to them, but for the round that it is in", async () => {
    await serve("round_robin", weights)
    const taken = await ask(800)
    const ofWorker = Map.groupBy(taken, ({ answer }) => answer.headers["x-worker"])
    expect(ofWorker.size).toBe(4)
    for (const served of ofWorker.values()) {
      for (const [name, count] of servedBy(served)) {
        const due = (served.length * shares[name as keyof typeof shares]) / 8
        expect(Math.abs(count - due)).toBeLessThanOrEqual(2)
      }
    }
  })

  test("sticky_persistent: as many new sessions", async () => {
    await serve("sticky_persistent", weights)
    expectShares(servedBy(await ask(600)), shares)
  })

  test.each([
    "least_conn",
    "p2c",
  ] as const)("%s: as many running requests, when there are many", async (algorithm) => {
    await serve(algorithm, weights)
    for (const backend of backends) await backend.fault(100)
    const counts = servedBy(await ask(480, 32))
    // Of 32 at a time, 4, 8 and 20; each of four workers may be off by a little at any moment.
    const [a = 0, b = 0, c = 0] = ["a", "b", "c"].map((name) => (counts.get(name) ?? 0) / 480)
    expect(
      [Math.abs(a - 1 / 8), Math.abs(b - 2 / 8), Math.abs(c - 5 / 8)].filter((off) => off > 0.07),
    ).toEqual([])
  })
})

describe("equal weights and sound endpoints", () => {
  test.each([
    "round_robin",
    "least_conn",
    "p2c",
    "sticky_persistent",
  ] as const)("%s: each gets the same", async (algorithm) => {
    await serve(algorithm)
    expectShares(servedBy(await ask(400)), { a: 1, b: 1, c: 1, d: 1 })
  })

  test("ewma: none is left out", async () => {
    await serve("ewma")
    expect([...servedBy(await ask(400)).keys()].toSorted()).toEqual(["a", "b", "c", "d"])
  })
})

// Far longer than what other load of the machine adds to all of them.
describe("one endpoint of four that takes two seconds", () => {
  const slow = "d"
  const connections = 16

  async function serveWithSlowOne(algorithm: Algorithm, requests = 400) {
    await serve(algorithm)
    const backend = backends.find(({ name }) => name === slow)
    await backend?.fault(2000)
    for (const each of backends) each.maxRunning = 0
    const taken = await ask(requests, connections)
    const share = (servedBy(taken).get(slow) ?? 0) / taken.length
    return { share, maxRunning: backend?.maxRunning ?? 0 }
  }

  test("round_robin: gets as much as the others, and most of what runs is there", async () => {
    const { share, maxRunning } = await serveWithSlowOne("round_robin", 200)
    expect(share).toBeGreaterThan(0.22)
    expect(maxRunning).toBeGreaterThan(connections / 2)
  })

  test("ewma: gets a small part", async () => {
    const { share } = await serveWithSlowOne("ewma")
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThan(0.15)
  })

  test("least_conn: has hardly more running than the others", async () => {
    const { share, maxRunning } = await serveWithSlowOne("least_conn")
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThan(0.2)
    expect(maxRunning).toBeLessThanOrEqual(connections / 4 + 2)
  })

  test("p2c: has less than half of what runs", async () => {
    const { share, maxRunning } = await serveWithSlowOne("p2c")
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThan(0.2)
    expect(maxRunning).toBeLessThanOrEqual(connections / 2)
  })
})
