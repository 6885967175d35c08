/**
 * What is demanded of every policy, and what one may promise. Each property runs the policy in instances of its own, and says in a few words what it has
 * seen; a Failure is a sentence for the author.
 */

import { PolicyNeed, policyVersion } from "../../../harness/abi.ts"
import { Random } from "../../../harness/random.ts"
import { Backend } from "../backend.ts"
import { type Description, requestOf } from "../description.ts"
import { Failure } from "../failure.ts"
import { Refusal } from "../fault.ts"
import { type Asked, Instance } from "../instance.ts"
import { ask, backendOf, elapsed, end, endpointsOf, type Tried, times } from "./given.ts"
import { even, sticky } from "./promises.ts"

const allNeeds = Object.values(PolicyNeed).reduce((sum, bit) => sum | bit, 0)

export interface Property {
  readonly name: string
  /** Only of policies that promise it. */
  readonly promise?: keyof Description["promises"]
  readonly check: (tried: Tried) => string
}

export const properties: readonly Property[] = [
  { name: "speaks the ABI", check: abi },
  { name: "chooses of 1, 2, 10 and 1000 endpoints", check: sizes },
  { name: "keeps away from endpoints that a request has tried", check: retries },
  { name: "always chooses a live endpoint while they come and go", check: changes },
  { name: "keeps backends apart", check: backends },
  { name: "takes whatever clients and endpoints send", check: hostile },
  { name: "chooses the same with the same seed", check: seeds },
  { name: "needs no more memory with time", check: memory },
  { name: "is quick", check: time },
  { name: "is even by weight", promise: "even", check: even },
  { name: "keeps keys where they are", promise: "sticky", check: sticky },
]

function abi({ module, description }: Tried): string {
  const instance = new Instance(module)
  if (instance.version > policyVersion) {
    throw new Failure(`It wants version ${instance.version} of the ABI; this wick has ${policyVersion}`)
  }
  if ((instance.needs & ~allNeeds) !== 0)
    throw new Failure(`wick_policy_needs is ${instance.needs}: 31 at most`)
  if (instance.needsBit(PolicyNeed.info) && !instance.exports.proxy_on_upstream_info) {
    throw new Failure(
      "It wants to be told how attempts end (needs 4), and does not export proxy_on_upstream_info",
    )
  }
  ask(instance, backendOf(3, description), description, 1)
  const names = Object.entries(PolicyNeed).filter(([, bit]) => instance.needsBit(bit))
  return `version ${instance.version}, needs ${names.map(([name]) => name).join(", ") || "nothing"}`
}

function sizes({ module, description }: Tried): string {
  const instance = new Instance(module)
  const shares = [1, 2, 10, 1000].map((count) => {
    const backend = backendOf(count, description)
    return (
      times(250, (i) => ask(instance, backend, description, i)).filter(({ index }) => index < 0).length / 250
    )
  })
  const declined = shares.reduce((sum, share) => sum + share, 0) / shares.length
  if (declined === 1) throw new Failure("It declines every time: wick's round robin would do all the work")
  return declined === 0 ? "1000 picks" : `1000 picks, ${Math.round(declined * 100)} % declined`
}

function retries({ module, description }: Tried): string {
  const instance = new Instance(module)
  const random = new Random(2)
  for (const count of [2, 3, 10]) {
    const backend = backendOf(count, description)
    for (let n = 0; n < 100; n++) {
      const tried: number[] = []
      for (let attempt = 0; attempt < count; attempt++) {
        const { slot, index } = ask(instance, backend, description, n, { tried })
        if (tried.includes(slot)) {
          throw new Failure(
            `Attempt ${attempt + 1} chose endpoint ${index} of ${count} again: ask endpoints.isAvoided, or wick's round robin chooses in its place`,
          )
        }
        tried.push(slot < 0 ? free(backend, tried, random) : slot)
      }
    }
  }
  return "1500 attempts"
}

/** The round robin in the place of a policy that declined. */
function free(backend: Backend, tried: readonly number[], random: Random): number {
  const left = [...backend.list.slots].filter((slot) => !tried.includes(slot))
  return left[random.below(left.length)] as number
}

function changes({ module, description }: Tried): string {
  const instances = [new Instance(module, 1), new Instance(module, 2)]
  const backend = backendOf(5, description)
  const random = new Random(3)
  const running: (() => void)[] = []
  for (let i = 0; i < 400; i++) {
    backend.change(endpointsOf(1 + random.below(20), random.below(30), true))
    for (const instance of instances) {
      for (let k = 0; k < 5; k++) {
        const chosen = ask(instance, backend, description, i)
        if (chosen.index < 0) continue
        instance.begin(backend, chosen.slot)
        running.push(() => end(instance, backend, chosen, random))
      }
    }
    // Attempts end when their endpoint may be gone long ago.
    while (running.length > 40) running.splice(random.below(running.length), 1)[0]?.()
  }
  return "400 changes, two workers"
}

function backends({ module, description }: Tried): string {
  const both = new Instance(module, 4)
  const [few, many] = [backendOf(3, description), backendOf(500, description)]
  const closed = backendOf(7, description)
  ask(both, closed, description, 0)
  for (let i = 0; i < 300; i++) {
    ask(both, few, description, i)
    if (i === 100) both.close(closed)
    ask(both, many, description, i)
  }
  return "three at a time, one of them closed"
}

const texts = [
  "",
  "a",
  ".",
  "..",
  "a.b.c",
  "Bearer ",
  "Bearer ..",
  "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ9.",
  "{".repeat(500),
  '"'.repeat(99),
  "é€𝄞\u0000\n",
  "-1",
  "1e999",
  "NaN",
  "x".repeat(8000),
  "TEXT cpu_utilization=,,=,application_utilization=",
]

function hostile({ module, description }: Tried): string {
  const instance = new Instance(module)
  const backend = backendOf(10, description)
  const names = Object.keys(description.request.headers)
  const cookieNames = Object.keys(description.request.cookies)
  const all = (keys: readonly string[], value: string) => Object.fromEntries(keys.map((key) => [key, value]))
  for (const text of texts) {
    for (const key of [undefined, text]) {
      const headers = { ":path": text, ":method": text, ":authority": text, ...all(names, text) }
      const chosen = instance.select(backend, { key, headers, cookies: all(cookieNames, text) })
      if (chosen.slot < 0) continue
      for (let outcome = 0; outcome <= 4; outcome++) {
        const answer = { attempt: 0, outcome, status: outcome === 0 ? 999 : 0, firstByteNs: 2 ** 64 - 1 }
        const headers = new Proxy({}, { getOwnPropertyDescriptor: () => described(text), get: () => text })
        instance.begin(backend, chosen.slot)
        instance.end(backend, { slot: chosen.slot, note: chosen.note, headers, ...answer })
      }
    }
  }
  for (const text of texts) configure(new Instance(module), text, description)
  return `${texts.length} texts in keys, headers, cookies, configuration`
}

/** It may refuse it: then it has nothing to choose. */
function configure(instance: Instance, config: string, description: Description): void {
  try {
    ask(instance, new Backend(endpointsOf(3), config), description, 0)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Every header is there. */
const described = (value: string) => ({ value, enumerable: true, configurable: true })

function seeds({ module, description }: Tried): string {
  const run = (seed: number) => {
    const instance = new Instance(module, seed)
    const backend = backendOf(10, description)
    return times(200, (i) => ask(instance, backend, description, i).index).join()
  }
  const [first, second] = [run(7), run(7)]
  if (first !== second)
    throw new Failure("Two instances with the same seed chose differently: what else does it depend on?")
  return first === run(8) ? "chance has no part in it" : "200 picks"
}

const PICKS = 100_000

function memory({ module, description }: Tried): string {
  const instance = new Instance(module)
  const backend = backendOf(50, description)
  const random = new Random(5)
  const work = (picks: number) => {
    for (let i = 0; i < picks; i++) {
      const chosen = ask(instance, backend, description, i % 1000)
      if (chosen.slot >= 0) instance.begin(backend, chosen.slot)
      if (chosen.slot >= 0) end(instance, backend, chosen, random)
      if (i % 100 === 0) backend.change(endpointsOf(50, i % 300))
      if (i % 50 === 0) {
        const passing = backendOf(20, description)
        ask(instance, passing, description, i)
        instance.close(passing)
      }
    }
  }
  work(PICKS / 5)
  const before = instance.memoryBytes
  work(PICKS)
  const grown = instance.memoryBytes - before
  if (grown > 0) {
    throw new Failure(
      `${PICKS} picks with reports and changes took ${grown >> 10} KiB more: what does it keep?`,
    )
  }
  return `${before >> 10} KiB before and after ${PICKS} picks`
}

/** A pick may take so much, in Node, which is slower than nginx: in nginx 1 ms ends it. */
const MOST_US = 200
const MOST_CHANGE_MS = 20

function time({ module, description }: Tried): string {
  const instance = new Instance(module)
  const backend = backendOf(1000, description)
  times(2000, (i) => ask(instance, backend, description, i))
  const requests = times(1000, (i) => requestOf(description, i))
  const us = requests
    .map((request) => elapsed(() => instance.select(backend, request)) * 1000)
    .sort((a, b) => a - b)
  const [median = 0, most = 0] = [us[500], us[990]]
  if (median > MOST_US) {
    throw new Failure(
      `A pick of 1000 endpoints takes ${Math.round(median)} µs; nginx ends one at 1000 µs, and serves nobody else meanwhile`,
    )
  }
  const change = Math.min(
    ...times(5, (i) => {
      backend.change(endpointsOf(1000, i * 7))
      return elapsed(() => instance.select(backend, requests[0] as Asked))
    }),
  )
  if (change > MOST_CHANGE_MS) {
    throw new Failure(
      `After a change of 1000 endpoints the next pick takes ${change.toFixed(1)} ms: prepare less`,
    )
  }
  return `1000 endpoints: half of the picks below ${median.toFixed(1)} µs, 99 % below ${most.toFixed(1)} µs, ${(change * 1000).toFixed(0)} µs after a change`
}
