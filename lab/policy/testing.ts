/**
 * `wick-policy/testing`: a policy with a backend in the hands of its author's tests. `wick policy test` compiles it first; the tests themselves are
 * those of node:test.
 */
import { NumberKind } from "../../harness/abi.ts"
import type { ZoneName } from "./abi.ts"
import { Backend, type Endpoint } from "./backend.ts"
import { Instance } from "./instance.ts"
import { compiled, subjectOf } from "./subject.ts"

/** An endpoint; what is absent is made up. */
interface Given {
  readonly address?: string
  readonly weight?: number
  readonly zone?: ZoneName
  /** Requests that it works on. */
  readonly running?: number
}

export interface Options {
  /** How many, or each of them. */
  readonly endpoints: number | readonly Given[]
  readonly config?: string
  /** Of its random numbers; 1 if absent. */
  readonly seed?: number
}

interface Request {
  /** Value of upstream-hash-by. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
  /** Places of the endpoints that this request has tried. */
  readonly tried?: readonly number[]
}

interface Answer {
  /** The endpoint's place. */
  readonly endpoint: number
  /** 200 if absent; 0: there was no answer. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly ms?: number
}

/** @param options the backend; `folder` is that of the policy */
export async function policy(options: Options, folder = process.env.WICK_POLICY ?? "."): Promise<Bench> {
  const { endpoints, config = "", seed = 1 } = options
  const bench = new Bench(compiled(await subjectOf(folder)), new Backend([], config), seed)
  bench.change(endpoints)
  return bench
}

/** A backend and one worker's instance of the policy. */
class Bench {
  readonly #module: WebAssembly.Module
  readonly #instance: Instance
  readonly #backend: Backend
  #note: readonly [number, number] = [0, 0]

  constructor(module: WebAssembly.Module, backend: Backend, seed: number) {
    this.#module = module
    this.#backend = backend
    this.#instance = new Instance(module, seed)
  }

  /** The place of the endpoint that is chosen; -1: the policy declines. */
  pick({ tried = [], ...request }: Request = {}): number {
    const { slots } = this.#backend.list
    const chosen = this.#instance.select(this.#backend, {
      ...request,
      tried: tried.map((place) => slots[place] ?? -1),
    })
    this.#note = chosen.note
    return chosen.index
  }

  /** An attempt has ended. */
  report({ endpoint, status = 200, headers = {}, ms = 1 }: Answer): void {
    const outcome = status === 0 ? 1 : 0
    const slot = this.#backend.list.slots[endpoint]
    if (slot === undefined) throw new Error(`There is no endpoint ${endpoint}`)
    this.#instance.end(this.#backend, {
      slot,
      attempt: 0,
      outcome,
      status,
      firstByteNs: ms * 1e6,
      note: this.#note,
      headers,
    })
  }

  /** Other endpoints from now on. Those with the same address keep their numbers. */
  change(endpoints: Options["endpoints"]): void {
    this.#backend.change(completed(endpoints))
    this.#setRunning(endpoints)
  }

  /** So many milliseconds pass. */
  wait(ms: number): void {
    this.#instance.nowNs += ms * 1e6
  }

  /** Another worker of nginx, which shares the numbers of the endpoints. */
  worker(seed = 2): Bench {
    return new Bench(this.#module, this.#backend, seed)
  }

  /** The lines that the policy has logged. */
  get log(): readonly string[] {
    return this.#instance.log
  }

  #setRunning(endpoints: Options["endpoints"]): void {
    if (typeof endpoints === "number") return
    const { list, numbers } = this.#backend
    for (const [i, { running }] of endpoints.entries()) {
      if (running !== undefined) numbers.set(list.slots[i] as number, NumberKind.running, running)
    }
  }
}

function completed(endpoints: Options["endpoints"]): Endpoint[] {
  const given: readonly Given[] = typeof endpoints === "number" ? Array(endpoints).fill({}) : endpoints
  return given.map(({ running: _, ...rest }, i) => ({ address: `10.0.${i >> 8}.${i & 255}:8080`, ...rest }))
}
