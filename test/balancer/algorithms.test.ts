/** What every algorithm must keep to, with slow start and outlier ejection or without. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Rig } from "../../lab/bench/rig.ts"
import { subjects } from "../../lab/bench/subjects.ts"
import type { types } from "../../wire/types.ts"
import { runs, triesAll } from "../support/runs.ts"
import { type PostedEndpoint, setBackends } from "./build.ts"
import { Exchange } from "./exchange.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

type AlgorithmName = (typeof types.algorithm.words)[number]

const byKey = (more: object = {}) => ({ upstreamHashByConfig: { "upstream-hash-by": "$arg_k", ...more } })
const byCookie = (mode: string) => ({
  sessionAffinityConfig: {
    name: "cookie",
    mode,
    cookieSessionAffinity: { name: "route", change_on_failure: true },
  },
})
const algorithms: Record<string, object> = {
  round_robin: {},
  ewma: { "load-balance": "ewma" },
  least_conn: { "load-balance": "least_conn" },
  p2c: { "load-balance": "p2c" },
  custom: { "load-balance": "custom", policy: { name: "p", digest: "0".repeat(64), needs: 31 } },
  chash: byKey(),
  chashsubset: byKey({ "upstream-hash-by-subset": true }),
  sticky_balanced: byCookie("balanced"),
  sticky_persistent: byCookie("persistent"),
} satisfies Record<AlgorithmName, object>
const health = {
  slowStart: { window_ms: 5000 },
  outlierEjection: { failures: 2, ejection_ms: 3000 },
}

const setting = fc
  .constantFrom(...Object.keys(algorithms))
  .chain((name) => fc.constantFrom(algorithms[name] as object, { ...algorithms[name], ...health }))

const endpoint = fc.record({
  address: fc.oneof(
    fc.nat({ max: 40 }).map((n) => `10.0.0.${n}`),
    fc.nat({ max: 40 }).map((n) => `fd00::${(n + 1).toString(16)}`),
  ),
  port: fc.constantFrom(80, 8080),
  weight: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 })),
})
const nameOf = ({ address, port }: { address: string; port: number | string }) =>
  `${address.replace(/^\[|\]$/g, "")} ${port}`
const list = fc.uniqueArray(endpoint, { minLength: 1, maxLength: 12, selector: nameOf })

const ending = fc.record({
  outcome: fc.constantFrom(0, 0, 0, 1, 2, 3),
  status: fc.constantFrom(0, 200, 404, 500, 502),
  firstByteMs: fc.integer({ min: 0, max: 10_000 }),
})
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ list, setting }) },
  {
    weight: 12,
    arbitrary: fc.record({
      worker: fc.nat({ max: 2 }),
      key: fc.nat({ max: 20 }),
      endings: fc.array(ending, { minLength: 1, maxLength: 20 }),
      ms: fc.constantFrom(0, 0, 1, 1000),
    }),
  },
)

/** Runs steps; `visit` sees each choice with the endpoints in force and the names tried before in the request. */
function run(
  steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
  first: { list: PostedEndpoint[]; setting: object },
  visit: (chosen: string, inForce: ReadonlySet<string>, tried: readonly string[]) => void,
): void {
  const zones = new Zones()
  const workers = Array.from({ length: 3 }, (_, i) => new Worker({ zones, seed: i + 0.5 }))
  let inForce = new Set<string>()
  const set = ({ list, setting }: { list: PostedEndpoint[]; setting: object }) => {
    setBackends(workers[0] as Worker, { name: "shop", endpoints: list, ...setting })
    inForce = new Set(list.map(nameOf))
  }
  set(first)
  for (const step of steps) {
    if ("list" in step) {
      set(step)
      continue
    }
    const worker = workers[step.worker] as Worker
    const exchange = new Exchange(worker, "shop", { variables: { arg_k: `key-${step.key}` } })
    const tried: string[] = []
    for (const ending of step.endings) {
      const chosen = nameOf(exchange.pick())
      visit(chosen, inForce, tried)
      tried.push(chosen)
      zones.passMs(step.ms)
      exchange.end(ending)
    }
  }
}

const first = fc.record({ list, setting })
const steps = fc.array(step, { minLength: 1, maxLength: 60 })

test("an endpoint that is in force is chosen, and none again while another is left", () => {
  fc.assert(
    fc.property(first, steps, (first, steps) => {
      run(steps, first, (chosen, inForce, tried) => {
        expect(inForce).toContain(chosen)
        const lately = tried.slice(-16)
        if ([...inForce].some((name) => !lately.includes(name))) expect(lately).not.toContain(chosen)
      })
    }),
    runs(100),
  )
})

test("the same endpoints, seed and clock give the same choices", () => {
  fc.assert(
    fc.property(first, steps, (first, steps) => {
      const choices = [0, 1].map(() => {
        const chosen: string[] = []
        run(steps, first, (name) => chosen.push(name))
        return chosen
      })
      expect(choices[0]).toEqual(choices[1])
    }),
    runs(50),
  )
})

describe.each(Object.keys(algorithms))("%s", (name) => {
  test("10,000 endpoints, IPv6 among them, are all reached; changes of them are in force at once", () => {
    const zones = new Zones()
    const [worker, other] = [new Worker({ zones }), new Worker({ zones, seed: 2 })]
    const endpoints = Array.from({ length: 10_000 }, (_, i) => ({
      address: i % 2 ? `10.0.${i >> 8}.${i & 255}` : `fd00::${(i + 1).toString(16)}`,
      port: 8080,
    }))
    const post = (list: typeof endpoints) =>
      setBackends(worker, { name: "shop", endpoints: list, ...algorithms[name], ...health })
    const reach = (each: Worker, count: number) => {
      const reached = new Set<string>()
      for (let i = 0; i < count; i++) {
        const exchange = new Exchange(each, "shop", { variables: { arg_k: `key-${i}` } })
        reached.add(exchange.pick().address)
        exchange.end()
      }
      return reached
    }
    post(endpoints)
    expect(reach(worker, 3000).size).toBeGreaterThan(2000)
    post(endpoints.slice(0, 5))
    expect(reach(other, 300).size).toBe(5)
    post(endpoints.toReversed())
    // Those that were there serve nearly all until the others are warm, but each of those.
    expect(reach(other, 300).size).toBe(5)
    zones.passMs(5000)
    expect(reach(other, 3000).size).toBeGreaterThan(300)
    expect(worker.memoryBytes).toBeLessThan(64 << 20)
  })
})

/** A byte for each would be a page of memory more. */
const manyPicks = triesAll ? 1_000_000 : 100_000

test.each(subjects)(`$name: the memory stands still over ${manyPicks} picks`, (subject) => {
  const addresses = Array.from({ length: 10 }, (_, i) => ({ address: `10.0.0.${i}`, port: 8080 }))
  const rig = new Rig(subject, addresses)
  rig.run(10_000)
  const { byteLength } = rig.host.exports.memory.buffer
  rig.run(manyPicks)
  expect(rig.host.exports.memory.buffer.byteLength).toBe(byteLength)
})
