/**
 * One instance of a policy, in a host with exactly the ABI of docs/abi.md (Policies): one worker of nginx. It serves any number of backends, each a
 * root context. What nginx would count as a fault is an error here.
 */
import { NumberKind, none, PolicyNeed } from "../../harness/abi.ts"
import { type Asked, type Chosen, type Ended, noNote, type Texts } from "./attempts.ts"
import * as average from "./average.ts"
import type { Backend, List } from "./backend.ts"
import { Fault, faultOf, guarded, Refusal } from "./fault.ts"
import { Guest } from "./guest.ts"
import { type Host, importsOf } from "./imports.ts"
import { PolicyRecord } from "./record.ts"

export type { Asked, Chosen } from "./attempts.ts"

interface Exports {
  readonly memory: WebAssembly.Memory
  readonly wick_attempt?: WebAssembly.Global
  readonly wick_policy_needs?: WebAssembly.Global | (() => number)
  readonly wick_abi_version?: WebAssembly.Global | (() => number)
  readonly _initialize?: () => void
  readonly proxy_on_memory_allocate?: (size: number) => number
  readonly malloc?: (size: number) => number
  readonly proxy_on_vm_start?: (root: number, size: number) => number
  readonly proxy_on_context_create?: (context: number, root: number) => void
  readonly proxy_on_configure?: (root: number, size: number) => number
  readonly proxy_on_delete?: (context: number) => void
  readonly proxy_on_shared_data_changed?: (root: number) => void
  readonly proxy_on_upstream_select: (context: number) => void
  readonly proxy_on_upstream_info?: (context: number, hasFailed: number) => void
}

/** Where a backend stands in an instance. */
interface Root {
  readonly id: number
  readonly backend: Backend
  /** What the policy was told of it. */
  current: { readonly list: List; readonly backend: Backend }
  /** Of the list; -1: none yet. */
  version: number
}

const noHeaders: Texts = {}
/** The machine is up for an hour. */
const START_NS = 3.6e12
const UNDECIDED = 4

export class Instance implements Host {
  readonly exports: Exports
  readonly memory: Guest
  /** Bits of what it needs. */
  readonly needs: number
  readonly version: number
  /** Lines that it logged. */
  readonly log: string[] = []
  nowNs = START_NS
  readonly record: PolicyRecord
  /** What a callback is about. */
  current: Root["current"] | undefined
  asked: Asked = {}
  responseHeaders = noHeaders
  configuration = new Uint8Array()
  /** As written by `wick_choose_endpoint`. */
  chosen = none
  readonly #roots = new Map<Backend, Root>()
  /** That of the last call. */
  #last: Root | undefined
  #lastId = 0
  #random: number

  /** @param seed what `random_get` gives follows from it @throws Fault when it does not start */
  constructor(module: WebAssembly.Module, seed = 1) {
    this.#random = seed
    this.exports = guarded("its start", () => {
      const instance = new WebAssembly.Instance(module, importsOf(module, this))
      return { ...instance.exports } as unknown as Exports
    })
    this.memory = new Guest(this.exports)
    this.#call("_initialize", () => this.exports._initialize?.())
    this.needs = numberOf(this.exports.wick_policy_needs) ?? 0
    this.version = numberOf(this.exports.wick_abi_version) ?? 1
    this.record = new PolicyRecord(this.memory, numberOf(this.exports.wick_attempt))
  }

  get memoryBytes(): number {
    return this.memory.size
  }

  needsBit(bit: number): boolean {
    return (this.needs & bit) !== 0
  }

  /** An endpoint for a request. @throws Fault also for one that is not there */
  select(backend: Backend, asked: Asked): Chosen {
    const { id, current } = this.#rootOf(backend)
    this.asked = asked
    this.chosen = none
    this.current = current
    this.record.ask(asked, current.list, this.nowNs)
    try {
      this.exports.proxy_on_upstream_select(id)
    } catch (error) {
      throw faultOf("proxy_on_upstream_select", error)
    }
    this.memory.returned()
    const { tag, note } = this.record
    return this.#chosenOf(tag === none ? this.chosen : tag, current.list, note)
  }

  #chosenOf(index: number, { slots }: List, note: Chosen["note"]): Chosen {
    if (index === none) return { index: -1, slot: -1, note: noNote }
    const slot = slots[index]
    if (slot === undefined) throw new Fault(`It chose the endpoint ${index} of ${slots.length}`)
    return { index, slot, note }
  }

  /** An attempt begins: what the filter counts for the policy. */
  begin({ numbers }: Backend, slot: number): void {
    if (this.needsBit(PolicyNeed.running))
      numbers.set(slot, NumberKind.running, numbers.low(slot, NumberKind.running) + 1)
  }

  /** An attempt has ended. */
  end(backend: Backend, ended: Ended): void {
    const { numbers } = backend
    const { slot, outcome, status, firstByteNs } = ended
    if (this.needsBit(PolicyNeed.running))
      numbers.set(slot, NumberKind.running, Math.max(0, numbers.low(slot, NumberKind.running) - 1))
    const isTimed = outcome < UNDECIDED && (outcome !== 0 || status !== 0)
    if (this.needsBit(PolicyNeed.times) && isTimed) {
      average.take(numbers, slot, this.nowNs / 1e6, firstByteNs, outcome !== 0 || status >= 500)
    }
    if (this.needsBit(PolicyNeed.info)) this.#info(backend, ended)
  }

  #info(backend: Backend, ended: Ended): void {
    const { id, current } = this.#rootOf(backend)
    this.current = current
    this.responseHeaders = ended.headers ?? noHeaders
    this.record.tell(ended, current.list, this.nowNs)
    const hasFailed = ended.outcome === 0 ? 0 : 1
    this.#call("proxy_on_upstream_info", () => this.exports.proxy_on_upstream_info?.(id, hasFailed))
  }

  /** The backend is gone. */
  close(backend: Backend): void {
    const root = this.#roots.get(backend)
    if (!root) return
    this.#roots.delete(backend)
    this.#last = undefined
    this.#call("proxy_on_delete", () => this.exports.proxy_on_delete?.(root.id))
  }

  /** Its context, made and told of the list if need be. */
  #rootOf(backend: Backend): Root {
    const last = this.#last?.backend === backend ? this.#last : this.#roots.get(backend)
    const root = last ?? this.#open(backend)
    this.#last = root
    if (root.version !== backend.version) this.#tellList(root)
    return root
  }

  #open(backend: Backend): Root {
    const id = ++this.#lastId
    const root: Root = { id, backend, current: { list: backend.list, backend }, version: -1 }
    this.current = root.current
    this.#call("proxy_on_context_create", () => this.exports.proxy_on_context_create?.(id, 0))
    if (id === 1) {
      const isUp = this.#call("proxy_on_vm_start", () => this.exports.proxy_on_vm_start?.(id, 0))
      if (isUp === 0) throw new Fault("proxy_on_vm_start says no")
    }
    this.configuration = new Uint8Array(Buffer.from(backend.config))
    const { length } = this.configuration
    const isTaken = this.#call("proxy_on_configure", () => this.exports.proxy_on_configure?.(id, length))
    if (isTaken === 0) throw new Refusal("proxy_on_configure refuses the configuration")
    this.#roots.set(backend, root)
    return root
  }

  #tellList(root: Root): void {
    const { backend, id } = root
    root.version = backend.version
    root.current = { list: backend.list, backend }
    this.current = root.current
    this.#call("proxy_on_shared_data_changed", () => this.exports.proxy_on_shared_data_changed?.(id))
  }

  #call<T>(name: string, call: () => T): T {
    const result = guarded(name, call)
    this.memory.returned()
    return result
  }

  /** xorshift32 */
  randomByte(): number {
    let x = Math.imul(this.#random | 0, 0x9e3779b1) | 1
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#random = x
    return (x >>> 8) & 0xff
  }
}

function numberOf(exported: WebAssembly.Global | (() => number) | undefined): number | undefined {
  if (exported === undefined) return undefined
  return (typeof exported === "function" ? exported() : Number(exported.value)) >>> 0
}
