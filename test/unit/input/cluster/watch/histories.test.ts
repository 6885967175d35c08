import * as fc from "fast-check"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { Delta } from "../../../../../controller/input/cluster/watch/delta.ts"
import { follow, nameIn } from "./follow.ts"
import { type Fault, ModelServer, streamings } from "./model-server.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const aName = fc.constantFrom("a", "b", "c", "d", "e")
const someLines = fc.nat(4)
const aFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constant({ kind: "unreachable" } as const),
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(400, 403, 410, 429, 500, 503, 504),
  }),
  fc.record({ kind: fc.constantFrom("cut" as const, "garbage" as const, "end" as const), lines: someLines }),
  fc.record({
    kind: fc.constant("error" as const),
    lines: someLines,
    status: fc.constantFrom(410, 500, 504),
  }),
  fc.constant({ kind: "twice" } as const),
)

const kindOf = <const K extends string>(kind: K) => fc.constant(kind)
const aStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kindOf("put"), name: aName }) },
  { weight: 4, arbitrary: fc.record({ kind: kindOf("remove"), name: aName }) },
  { weight: 4, arbitrary: fc.record({ kind: kindOf("fault"), fault: aFault }) },
  { weight: 3, arbitrary: fc.record({ kind: kindOf("cut") }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf("compact") }) },
  { weight: 1, arbitrary: fc.record({ kind: kindOf("streams"), streams: fc.constantFrom(...streamings) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: kindOf("pass"), ms: fc.constantFrom(1, 5, 20, 300, 2000, 70_000) }),
  },
)
type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never

async function take(server: ModelServer, step: Step): Promise<void> {
  switch (step.kind) {
    case "put":
      return server.put(step.name)
    case "remove":
      return server.remove(step.name)
    case "fault":
      server.faults.push(step.fault)
      return
    case "cut":
      return server.cutAll()
    case "compact":
      return server.compact()
    case "streams":
      server.streams = step.streams
      return
    case "pass":
      await pass(step.ms)
      return
    default:
      return step satisfies never
  }
}

/** What no delta may do, whatever has happened. */
function rulesOf(server: ModelServer) {
  let wasSynced = false
  return ({ changes, synced }: Delta, state: ReadonlyMap<string, number>) => {
    expect(synced || !wasSynced).toBe(true)
    const held = new Map(state)
    for (const change of changes) {
      const name = nameIn(change.name)
      const before = held.get(name) ?? 0
      // Older versions do not come back, nothing is told twice, and what was deleted really was, since the version that was told.
      if (change.kind === "set") expect(Number(change.version)).toBeGreaterThan(before)
      else expect(server.removedSince(name, before)).toBe(true)
      if (change.kind === "set") held.set(name, Number(change.version))
      else held.delete(name)
    }
    if (synced && !wasSynced) expect(server.missing(held, server.listVersion)).toEqual([])
    wasSynced = synced
  }
}

test("Whatever happens on the way, the state ends as the server's, and no rule is broken meanwhile", async () => {
  const seeds = fc.record({
    steps: fc.array(aStep, { minLength: 10, maxLength: 100, size: "max" }),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
  })
  await fc.assert(
    fc.asyncProperty(seeds, async ({ steps, seed }) => {
      const server = new ModelServer()
      const { state, deltas, stop, done } = follow(server, {
        check: rulesOf(server),
        random: randomFrom(seed),
      })
      for (const step of steps) await take(server, step)
      server.faults.length = 0
      await pass(120_000)
      expect(state).toEqual(server.objects)
      expect(deltas.at(-1)?.synced).toBe(true)
      stop()
      await pass(10)
      await done
      expect(vi.getTimerCount()).toBe(0)
    }),
    { numRuns: 300 },
  )
})

/** A linear congruential generator. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
