/**
 * One instance of a policy, in a host with exactly the ABI of docs/abi.md (Policies): one worker of nginx. It serves any number of backends, each a
 * root context. What nginx would count as a fault is an error here.
 */
import * as record from "../host/attempt.ts"
import {
  ABI_VERSION,
  FLAGS,
  HOST_VERSION,
  IS_CAREFUL,
  isImport,
  limits,
  Need,
  NOBODY,
  Status,
  WASI,
} from "./abi.ts"
import * as average from "./average.ts"
import type { Backend, List } from "./backend.ts"
import { functionAt } from "./functions.ts"

export interface Exports {
  readonly memory: WebAssembly.Memory
  readonly wick_attempt?: WebAssembly.Global
  readonly wick_policy_needs?: WebAssembly.Global | (() => number)
  readonly wick_abi_version?: WebAssembly.Global | (() => number)
  readonly proxy_on_memory_allocate?: (size: number) => number
  readonly malloc?: (size: number) => number
  readonly _initialize?: () => void
  readonly proxy_on_vm_start?: (root: number, size: number) => number
  readonly proxy_on_context_create?: (context: number, root: number) => void
  readonly proxy_on_configure?: (root: number, size: number) => number
  readonly proxy_on_delete?: (context: number) => void
  readonly proxy_on_shared_data_changed?: (root: number) => void
  readonly proxy_on_upstream_select: (context: number) => void
  readonly proxy_on_upstream_info?: (context: number, hasFailed: number) => void
}

/** A request for which an endpoint is wanted. */
export interface Asked {
  /** Value of upstream-hash-by. */
  readonly key?: string | undefined
  /** By lower-case name; also `:path`, `:method`, `:authority`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly cookies?: Readonly<Record<string, string>> | undefined
  /** Slots of this request's earlier attempts. */
  readonly tried?: readonly number[] | undefined
  /** Places to keep away from besides. */
  readonly avoided?: readonly number[] | undefined
  readonly note?: readonly [low: number, high: number] | undefined
}

/** How an attempt ended. */
export interface Ended {
  /** The endpoint's slot. */
  readonly slot: number
  readonly attempt: number
  readonly outcome: number
  readonly status: number
  readonly firstByteNs: number
  readonly note: readonly [low: number, high: number]
  /** Of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Chosen {
  /** -1: the policy declined. */
  readonly index: number
  /** Of the endpoint; -1 without one. */
  readonly slot: number
  readonly note: readonly [low: number, high: number]
}

/** Where a backend stands in an instance. */
interface Root {
  readonly id: number
  readonly backend: Backend
  /** As the policy was told of it. */
  list: List | undefined
  current: { list: List; backend: Backend }
  version: number
}

const TWO_32 = 0x100000000
const nothing: readonly number[] = []
const noNote = [0, 0] as const
const noHeaders: Readonly<Record<string, string>> = {}

/** What a policy did that costs its backend round robin for a moment. */
export class Fault extends Error {}

export class Instance {
  readonly exports: Exports
  /** Bits of what it needs. */
  readonly needs: number
  readonly version: number
  /** Lines that it logged. */
  readonly log: string[] = []
  /** Views of its memory; others after it grew. */
  u8 = new Uint8Array()
  u32 = new Uint32Array()
  /** What a callback is about. */
  current: { list: List; backend: Backend } | undefined
  asked: Asked = {}
  responseHeaders: Readonly<Record<string, string>> = noHeaders
  nowNs = 3.6e12
  /** As written by `wick_choose_endpoint`. */
  chosen = NOBODY
  readonly #roots = new Map<Backend, Root>()
  /** The record's first word; undefined if it has none. */
  #record: number | undefined
  #recordWords = 0
  #lastRoot = 0
  /** That of the last call. */
  #last: Root | undefined
  #configuration = new Uint8Array()
  #isStarted = false
  #random: number

  /** @param seed what `random_get` gives follows from it */
  constructor(module: WebAssembly.Module, seed = 1) {
    this.#random = seed
    this.exports = guarded("its start", () => {
      const instance = new WebAssembly.Instance(module, this.#imports(module))
      return { ...instance.exports } as unknown as Exports
    })
    this.#look()
    guarded("_initialize", () => this.exports._initialize?.())
    this.#look()
    this.needs = numberOf(this.exports.wick_policy_needs) ?? 0
    this.version = numberOf(this.exports.wick_abi_version) ?? 1
    this.#findRecord()
  }

  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength
  }

  needsBit(bit: number): boolean {
    return (this.needs & bit) !== 0
  }

  /** An endpoint for a request; one that is out of range is a fault. */
  select(backend: Backend, asked: Asked): Chosen {
    const root = this.#rootOf(backend)
    const list = root.list as List
    this.asked = asked
    this.chosen = NOBODY
    this.current = root.current
    this.#tellAttempt(asked, list)
    try {
      this.exports.proxy_on_upstream_select(root.id)
    } catch (error) {
      throw faultOf("proxy_on_upstream_select", error)
    }
    this.#returned()
    const tag = this.#record === undefined ? NOBODY : this.word(record.TAG)
    const index = tag === NOBODY ? this.chosen : tag
    const note = this.#note()
    if (index === NOBODY) return { index: -1, slot: -1, note }
    if (index >= list.slots.length) {
      throw new Fault(`It chose the endpoint ${index} of ${list.slots.length}`)
    }
    return { index, slot: list.slots[index] as number, note }
  }

  #note(): readonly [number, number] {
    if (this.#record === undefined) return noNote
    const [low, high] = [this.word(record.NOTE), this.word(record.NOTE + 1)]
    return low === 0 && high === 0 ? noNote : [low, high]
  }

  /** An attempt begins: what the filter counts for the policy. */
  begin(backend: Backend, slot: number): void {
    if (this.needsBit(Need.running)) {
      backend.numbers.set(slot, 4, backend.numbers.low(slot, 4) + 1)
    }
  }

  /** An attempt has ended. */
  end(backend: Backend, ended: Ended): void {
    const { numbers } = backend
    const { slot, outcome, status, firstByteNs } = ended
    if (this.needsBit(Need.running)) numbers.set(slot, 4, Math.max(0, numbers.low(slot, 4) - 1))
    if (this.needsBit(Need.times) && (outcome !== 0 || status !== 0) && outcome < 4) {
      average.take(numbers, slot, this.nowNs / 1e6, firstByteNs, outcome !== 0 || status >= 500)
    }
    if (this.needsBit(Need.info)) this.#info(backend, ended)
  }

  /** The backend is gone. */
  close(backend: Backend): void {
    const root = this.#roots.get(backend)
    if (!root) return
    this.#roots.delete(backend)
    this.#last = undefined
    this.#call("proxy_on_delete", () => this.exports.proxy_on_delete?.(root.id))
  }

  #info(backend: Backend, { slot, attempt, outcome, status, firstByteNs, note, headers }: Ended): void {
    const root = this.#rootOf(backend)
    const list = root.list as List
    this.current = root.current
    this.responseHeaders = headers ?? noHeaders
    if (this.#record !== undefined) {
      this.#setWord(record.ATTEMPT, attempt)
      this.#setWord(record.TAG, list.places.get(slot) ?? NOBODY)
      this.#setWord(record.NOTE, note[0])
      this.#setWord(record.NOTE + 1, note[1])
      this.#setWord(record.OUTCOME, outcome)
      this.#setWord(record.STATUS, status)
      this.#setTime(record.NOW, this.nowNs)
      this.#setTime(record.CONNECT_TIME, 0)
      this.#setTime(record.FIRST_BYTE_TIME, firstByteNs)
    }
    this.#call("proxy_on_upstream_info", () =>
      this.exports.proxy_on_upstream_info?.(root.id, outcome === 0 ? 0 : 1),
    )
  }

  /** Its context, made and told of the list if need be. */
  #rootOf(backend: Backend): Root {
    const root =
      this.#last?.backend === backend ? this.#last : (this.#roots.get(backend) ?? this.#open(backend))
    this.#last = root
    if (root.version !== backend.version) this.#tellList(root)
    return root
  }

  #open(backend: Backend): Root {
    const id = ++this.#lastRoot
    const current = { list: backend.list, backend }
    const root: Root = { id, backend, list: undefined, current, version: -1 }
    this.current = current
    this.#call("proxy_on_context_create", () => this.exports.proxy_on_context_create?.(id, 0))
    if (!this.#isStarted) {
      this.#isStarted = true
      const isUp = this.#call("proxy_on_vm_start", () => this.exports.proxy_on_vm_start?.(id, 0) ?? 1)
      if (isUp === 0) throw new Fault("proxy_on_vm_start says no")
    }
    this.#configuration = new Uint8Array(Buffer.from(backend.config))
    const size = this.#configuration.length
    const isTaken = this.#call("proxy_on_configure", () => this.exports.proxy_on_configure?.(id, size) ?? 1)
    if (isTaken === 0) throw new Fault("proxy_on_configure refuses the configuration")
    this.#roots.set(backend, root)
    return root
  }

  #tellList(root: Root): void {
    root.list = root.backend.list
    root.version = root.backend.version
    root.current = { list: root.list, backend: root.backend }
    this.current = root.current
    this.#call("proxy_on_shared_data_changed", () => this.exports.proxy_on_shared_data_changed?.(root.id))
  }

  #tellAttempt({ tried = nothing, avoided = nothing, note, key }: Asked, list: List): void {
    if (this.#record === undefined) return
    this.#setWord(record.ATTEMPT, tried.length)
    this.#setWord(record.TAG, NOBODY)
    const first = Math.max(0, tried.length - record.MOST_TAGS)
    this.#setWord(record.TRIED, tried.length - first)
    for (let i = first; i < tried.length; i++) {
      this.#setWord(record.TAGS + i - first, list.places.get(tried[i] as number) ?? NOBODY)
    }
    this.#setWord(record.WANTS, 3)
    this.#setWord(FLAGS, tried.length + avoided.length > 0 ? IS_CAREFUL : 0)
    this.#setWord(record.NOTE, note?.[0] ?? 0)
    this.#setWord(record.NOTE + 1, note?.[1] ?? 0)
    this.#setTime(record.NOW, this.nowNs)
    this.#tellKey(key)
  }

  #tellKey(key: string | undefined): void {
    const at = this.#record as number
    const bytes = key === undefined ? undefined : Buffer.from(key)
    const room = (this.#recordWords - record.KEY) * 4
    const fits = bytes !== undefined && bytes.length <= room
    this.#setWord(record.KEY_LENGTH, fits ? bytes.length : NOBODY)
    if (fits) this.u8.set(bytes, (at + record.KEY) << 2)
  }

  /** A word of the attempt record. */
  word(word: number): number {
    return this.u32[(this.#record as number) + word] as number
  }

  #setWord(word: number, value: number): void {
    if (word < this.#recordWords) this.u32[(this.#record as number) + word] = value
  }

  #setTime(word: number, nanoseconds: number): void {
    this.#setWord(word, nanoseconds)
    this.#setWord(word + 1, nanoseconds / TWO_32)
  }

  /** The record, as a copy: for `wick_get_attempt`. */
  get recordBytes(): Uint8Array {
    const at = (this.#record ?? 0) << 2
    return this.u8.slice(at, at + this.#recordWords * 4)
  }

  #findRecord(): void {
    const at = numberOf(this.exports.wick_attempt)
    if (at === undefined) return
    if (at % 8 !== 0 || at + 4 > this.memoryBytes)
      throw new Fault(`wick_attempt is ${at}: no address of a record`)
    const bytes = this.u32[at >> 2] as number
    if (bytes % 4 !== 0 || at + bytes > this.memoryBytes) {
      throw new Fault(`The attempt record says that it has ${bytes} bytes`)
    }
    this.#record = at >> 2
    this.#recordWords = bytes >> 2
    this.#setWord(HOST_VERSION, ABI_VERSION)
  }

  #call<T>(name: string, call: () => T): T {
    const result = guarded(name, call)
    this.#returned()
    return result
  }

  /** Its memory may have grown. */
  #returned(): void {
    if (this.u32.length === 0) this.#look()
  }

  #look(): void {
    const most = limits.memoryBytes
    if (this.memoryBytes > most) throw new Fault(`It takes more than ${most >> 20} MiB of memory`)
    this.u8 = new Uint8Array(this.exports.memory.buffer)
    this.u32 = new Uint32Array(this.exports.memory.buffer)
  }

  /** Is this a piece of its memory? */
  has(at: number, length: number): boolean {
    if (this.u32.length === 0) this.#look()
    return at + length <= this.u8.length
  }

  /** Hands a result to the policy. */
  give(value: Uint8Array, at: number, size: number): number {
    if (!this.has(at, 4) || !this.has(size, 4)) return Status.invalidMemoryAccess
    const allocate = this.exports.proxy_on_memory_allocate ?? this.exports.malloc
    const to = (allocate as (size: number) => number)(value.length) >>> 0
    if (to === 0 && value.length > 0) return Status.invalidMemoryAccess
    if (!this.has(to, value.length)) return Status.invalidMemoryAccess
    this.u8.set(value, to)
    store(this.u8, at, to)
    store(this.u8, size, value.length)
    return Status.ok
  }

  text(at: number, length: number): string {
    return Buffer.from(this.u8.buffer, at, length).toString()
  }

  #headers(map: number): Readonly<Record<string, string>> | undefined {
    if (map === 0) return this.asked.headers ?? noHeaders
    return map === 2 ? this.responseHeaders : undefined
  }

  #imports(module: WebAssembly.Module): WebAssembly.Imports {
    const env: Record<string, (...args: number[]) => number> = {
      proxy_log: (_level, at = 0, length = 0) => {
        if (!this.has(at >>> 0, length >>> 0)) return Status.invalidMemoryAccess
        if (this.log.length < 100) this.log.push(this.text(at >>> 0, length >>> 0))
        return Status.ok
      },
      abort: () => {
        throw new Fault("abort")
      },
      seed: () => this.#randomByte() + 1,
      proxy_get_current_time_nanoseconds: (at = 0) => {
        if (!this.has(at >>> 0, 8)) return Status.invalidMemoryAccess
        store(this.u8, at >>> 0, this.nowNs)
        store(this.u8, (at >>> 0) + 4, this.nowNs / TWO_32)
        return Status.ok
      },
      proxy_get_buffer_bytes: (kind, start = 0, most = 0, at = 0, size = 0) => {
        if (kind !== 7) return Status.notFound
        return this.give(this.#configuration.subarray(start, start + most), at >>> 0, size >>> 0)
      },
      proxy_get_header_map_value: (map = 0, key = 0, length = 0, at = 0, size = 0) => {
        if (!this.has(key >>> 0, length >>> 0)) return Status.invalidMemoryAccess
        const headers = this.#headers(map)
        if (!headers) return Status.badArgument
        const name = this.text(key >>> 0, length >>> 0)
        const value = Object.hasOwn(headers, name) ? headers[name] : undefined
        return value === undefined ? Status.notFound : this.give(Buffer.from(value), at >>> 0, size >>> 0)
      },
      proxy_call_foreign_function: (name = 0, nameLength = 0, args = 0, length = 0, at = 0, size = 0) => {
        if (!this.has(name >>> 0, nameLength >>> 0) || !this.has(args >>> 0, length >>> 0)) {
          return Status.invalidMemoryAccess
        }
        const call = functionAt(this.u8, name >>> 0, nameLength)
        return call ? call(this, args >>> 0, length, at >>> 0, size >>> 0) : Status.notFound
      },
    }
    const wasi: Record<string, (...args: number[]) => number> = {
      random_get: (at = 0, length = 0) => {
        if (!this.has(at >>> 0, length >>> 0)) return 21
        for (let i = 0; i < length; i++) this.u8[(at >>> 0) + i] = this.#randomByte()
        return 0
      },
      proc_exit: () => {
        throw new Fault("It called proc_exit")
      },
    }
    const refuse = () => Status.unimplemented
    const imports: Record<string, Record<string, (...args: number[]) => number>> = { env: {}, [WASI]: {} }
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      if (kind !== "function" || !isImport(from, name)) continue
      const own = from === WASI ? wasi[name] : env[name]
      ;(imports[from] as (typeof imports)[string])[name] = own ?? refuse
    }
    return imports
  }

  /** xorshift32 */
  #randomByte(): number {
    let x = Math.imul(this.#random | 0, 0x9e3779b1) | 1
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#random = x
    return (x >>> 8) & 0xff
  }
}

/** Little endian, at any address. */
function store(memory: Uint8Array, at: number, value: number): void {
  const word = (value % TWO_32) >>> 0
  memory[at] = word
  memory[at + 1] = word >>> 8
  memory[at + 2] = word >>> 16
  memory[at + 3] = word >>> 24
}

/** A trap is a fault that says where. */
function guarded<T>(name: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw faultOf(name, error)
  }
}

function faultOf(name: string, error: unknown): Fault {
  return error instanceof Fault ? error : new Fault(`${name} trapped: ${reasonOf(error)}`)
}

/** What V8 says, with the functions of the policy in which it happened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const names = (error.stack ?? "").matchAll(/at (\S+) \(wasm:/g)
  const where = [...names].map(([, name = ""]) => name).slice(0, 3)
  return where.length > 0 ? `${error.message} in ${where.join(", called by ")}` : error.message
}

function numberOf(exported: WebAssembly.Global | (() => number) | undefined): number | undefined {
  if (exported === undefined) return undefined
  return (typeof exported === "function" ? exported() : Number(exported.value)) >>> 0
}
