/** Replays a trace with a policy beside the built-in ones, and writes the plots of lab/simulate. */
import { Want } from "../../harness/abi.ts"
import type { Ended as FilterEnded } from "../host/host.ts"
import type { Balancer, Client, MakeWorkers, Options } from "../simulate/replay.ts"
import { measure, measureWith, type Result } from "../simulate/result.ts"
import type { Trace } from "../simulate/trace.ts"
import type { ZoneName } from "./abi.ts"
import { Backend, type Endpoint } from "./backend.ts"
import { type Description, requestOf } from "./description.ts"
import { Fault } from "./fault.ts"
import { Instance } from "./instance.ts"
import { compiled, type Subject } from "./subject.ts"

export interface Simulation {
  readonly results: readonly Result[]
  /** Attempts for which round robin chose, and why the first of those that are faults did. */
  readonly declined: number
  readonly faults: number
  readonly firstFault: string | undefined
}

/** @throws Error for a built-in policy that is unknown */
export function simulate(
  subject: Subject,
  builtIn: readonly string[],
  trace: Trace,
  options: Options,
): Simulation {
  const others = builtIn.map((name) => measure(trace, name, options))
  const shared = new Shared(compiled(subject), subject.description)
  const make: MakeWorkers = (count, seedOf) =>
    Array.from({ length: count }, (_, i) => new Worker(shared, seedOf(i)))
  const own = measureWith(trace, subject.name, {}, options, make)
  const { declined, faults, firstFault } = shared
  return { results: [own, ...others], declined, faults, firstFault }
}

/** What all workers have in common. */
class Shared {
  readonly module: WebAssembly.Module
  readonly description: Description
  readonly backend: Backend
  declined = 0
  faults = 0
  firstFault: string | undefined

  constructor(module: WebAssembly.Module, description: Description) {
    this.module = module
    this.description = description
    this.backend = new Backend([], description.config)
  }
}

/** What a change posts, as far as it concerns a policy. */
interface Posted {
  readonly backends: {
    readonly set: readonly {
      readonly endpoints: readonly {
        readonly address: string
        readonly port: string
        readonly weight: number
        readonly zone?: ZoneName
      }[]
    }[]
  }
}

/** A worker whose endpoints the policy chooses; after a fault it begins anew, and round robin chooses for once. */
class Worker implements Balancer {
  request: Client = { expanded: new Uint8Array(), cookie: undefined }
  readonly cookie = undefined
  noteLow = 0
  noteHigh = 0
  readonly #shared: Shared
  #instance: Instance
  #slot = -1
  #turn = 0

  constructor(shared: Shared, seed: number) {
    this.#shared = shared
    this.#instance = new Instance(shared.module, Math.floor(seed * 2 ** 31) + 1)
  }

  setBackend(): void {}
  tellChanges(): void {}

  change(change: object): void {
    const [backend] = (change as Posted).backends.set
    const endpoints = (backend?.endpoints ?? []).map(
      ({ address, port, weight, zone }): Endpoint => ({
        address: `${address}:${port}`,
        weight,
        ...(zone && { zone }),
      }),
    )
    this.#shared.backend.change(endpoints)
  }

  setNow(nanoseconds: number): void {
    this.#instance.nowNs = nanoseconds
  }

  select(tried: readonly number[], noteLow: number, noteHigh: number): void {
    const { backend, description } = this.#shared
    const { client = 0, expanded } = this.request
    const request = requestOf(description, client, Buffer.from(expanded).toString())
    try {
      const chosen = this.#instance.select(backend, { ...request, tried, note: [noteLow, noteHigh] })
      this.noteLow = chosen.note[0]
      this.noteHigh = chosen.note[1]
      this.#slot = chosen.slot
      if (chosen.slot < 0) this.#shared.declined++
    } catch (error) {
      this.#fail(error)
    }
    if (this.#slot < 0 || this.#isTriedInVain(tried)) this.#slot = this.#inTurn(tried)
    if (this.#slot >= 0) this.#instance.begin(backend, this.#slot)
  }

  info({ tag, attempt, outcome, status, firstByteNs, noteLow, noteHigh }: FilterEnded, busy: number): void {
    const headers = { "endpoint-load-metrics": `TEXT application_utilization=${busy.toFixed(3)}` }
    try {
      this.#instance.end(this.#shared.backend, {
        slot: tag,
        attempt,
        outcome,
        status,
        firstByteNs,
        note: [noteLow, noteHigh],
        headers: outcome === 0 ? headers : {},
      })
    } catch (error) {
      this.#fail(error)
    }
  }

  get tag(): number {
    return this.#slot
  }
  get wants(): number {
    return Want.info | Want.times
  }

  get endpoint(): string | undefined {
    const { endpoints, places } = this.#shared.backend.list
    return endpoints[places.get(this.#slot) ?? -1]?.address
  }

  #fail(error: unknown): void {
    if (!(error instanceof Fault)) throw error
    this.#shared.faults++
    this.#shared.firstFault ??= error.message
    this.#slot = -1
    const { nowNs } = this.#instance
    this.#instance = new Instance(this.#shared.module, this.#shared.faults)
    this.#instance.nowNs = nowNs
  }

  /** Did it choose again what the request has tried, while another is left? */
  #isTriedInVain(tried: readonly number[]): boolean {
    return tried.includes(this.#slot) && this.#inTurn(tried) >= 0
  }

  #inTurn(tried: readonly number[]): number {
    const { slots } = this.#shared.backend.list
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[this.#turn++ % slots.length] as number
      if (!tried.includes(slot)) return slot
    }
    return slots.length > 0 ? (slots[0] as number) : -1
  }
}
