/**
 * A fake Proxy-Wasm host: runs the release `balancer.wasm` in Node as nginx's worker does. Several workers that share
 * `Zones` stand for several processes. It plays by docs/abi.md; `Abilities` takes our own additions away again.
 */
import { readFileSync } from "node:fs"
import { Action, BufferKind, properties, Want } from "../../harness/abi.ts"
import { balancerFile } from "../../harness/paths.ts"
import { AttemptRecord } from "../../lab/guest/attempt-record.ts"
import { hostFunctions } from "./functions.ts"
import { StrictMemory } from "./memory.ts"
import { Zones } from "./zones.ts"

/** What a host offers beyond the specification. */
export type Abilities = {
  /**
   * The foreign functions and the attempt record. Without them the host is as ngx_wasm_module and its fork were measured: they trap
   * at foreign functions that they do not know, call callbacks whether they are exported or not, tell no end with the headers, end
   * local answers with a line feed, trap where a zone is full, and a request that waits for a body which does not come waits for ever.
   */
  ours: boolean
  /** The foreign functions of the shared slots. */
  slots: boolean
  /** Those about the request: its variables, its cookies, patterns. */
  request: boolean
  /** The name of the backend in the attempt record, as with `key=$proxy_upstream_name`; else as a property alone. */
  tellsKey: boolean
  /** `proxy_on_shared_data_changed`. */
  tellsChanges: boolean
}

export type WorkerOptions = {
  zones?: Zones
  /** 64 random bits as a double. */
  seed?: number
  abilities?: Partial<Abilities>
  /** Whose part of the gauges it counts. */
  process?: object
  wasm?: WebAssembly.Module
}

export type Answer = { status: number; body: string; headers: Record<string, string> }
export type Endpoint = { address: string; port: number; tag: number }
/** What the host keeps of an attempt: all that the filter said about it. */
export type Said = { tag: number; wants: number; note: bigint }
/** How an attempt ended (docs/abi.md). Times in nanoseconds. */
export type End = { outcome: number; status: number; connectTime: bigint; firstByteTime: bigint }
/** An endpoint was set, a local response was sent, or neither. */
export type Choice = Endpoint | Answer | undefined

type Exports = {
  memory: WebAssembly.Memory
  wick_attempt: WebAssembly.Global
  proxy_on_memory_allocate(size: number): number
  proxy_on_context_create(context: number, parent: number): void
  proxy_on_delete(context: number): void
  proxy_on_vm_start(root: number, size: number): number
  proxy_on_configure(root: number, size: number): number
  proxy_on_request_headers(context: number, count: number, isEnd: number): number
  proxy_on_request_body(context: number, size: number, isEnd: number): number
  proxy_on_request_trailers(context: number, count: number): number
  proxy_on_response_headers(context: number, count: number, isEnd: number): number
  proxy_on_response_body(context: number, size: number, isEnd: number): number
  proxy_on_response_trailers(context: number, count: number): number
  proxy_on_done(context: number): number
  proxy_on_log(context: number): void
  proxy_on_upstream_select(context: number): void
  proxy_on_next_upstream(context: number, status: number): void
  proxy_on_upstream_info(context: number, hasFailed: number): void
  proxy_on_shared_data_changed(root: number): void
  proxy_on_tick(root: number): void
}

const BALANCE_ROOT = 1
const CONTROL_ROOT = 2
let released: WebAssembly.Module | undefined

/** The release filter, compiled once per process. */
function releasedModule(): WebAssembly.Module {
  released ??= new WebAssembly.Module(readFileSync(balancerFile))
  return released
}

/** One instance of the filter with a root context for each of its roles. */
export class Worker {
  readonly zones: Zones
  readonly exports: Exports
  readonly memory = new StrictMemory()
  readonly abilities: Abilities
  readonly process: object
  /** Lines that the filter logged. */
  readonly log: string[] = []
  /** Callbacks that the filter asked for, by root context. */
  readonly callbacks = new Map<number, string[]>()
  tickMs = 0

  /** What the current callback works on. */
  buffers = new Map<number, Uint8Array>()
  requestHeaders = new Map<string, string>()
  properties = new Map<string, string>()
  variables = new Map<string, string>()
  cookies = new Map<string, string>()
  /** Cookies that the response will set: whole values of the header by the cookie's name. */
  cookiesSet = new Map<string, string>()
  /** Seconds since 1970. */
  time = 1_700_000_000
  root = 0
  answer: Answer | undefined
  upstream: { address: string; port: number } | undefined

  readonly #record: AttemptRecord
  #seenVersion: bigint
  #lastContext = 100

  constructor({
    zones = new Zones(),
    seed = 1,
    abilities = {},
    process = {},
    wasm = releasedModule(),
  }: WorkerOptions = {}) {
    this.zones = zones
    this.process = process
    this.abilities = {
      ours: true,
      slots: true,
      request: true,
      tellsKey: true,
      tellsChanges: true,
      ...abilities,
    }
    this.#seenVersion = zones.version
    const random_get = (to: number) => this.#putSeed(to, seed)
    const imports = { env: hostFunctions(this), wasi_snapshot_preview1: { random_get } }
    const instance = new WebAssembly.Instance(wasm, imports)
    this.exports = instance.exports as unknown as Exports
    this.memory.attach(this.exports)
    const at = this.exports.wick_attempt.value
    this.#record = new AttemptRecord(this.memory, at, this.memory.load(at))
    if (this.abilities.ours) this.#record.tellHost()
    this.configure(BALANCE_ROOT, "")
    this.configure(CONTROL_ROOT, "role=control")
  }

  /** Starts a root context; false when the filter refuses. */
  configure(root: number, configuration: string): boolean {
    const bytes = new TextEncoder().encode(configuration)
    this.root = root
    this.buffers.set(BufferKind.pluginConfiguration, bytes)
    this.exports.proxy_on_context_create(root, 0)
    const isStarted = this.exports.proxy_on_vm_start(root, 0) !== 0
    return isStarted && this.exports.proxy_on_configure(root, bytes.length) !== 0
  }

  #putSeed(to: number, seed: number): number {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(seed)
    this.memory.put(to, bytes)
    return 0
  }

  /** Another instance in the same process, as after a fault. */
  rebuild(): Worker {
    const { zones, abilities, process } = this
    return new Worker({ zones, abilities, process, seed: 99 })
  }

  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength
  }

  get(path: string): Answer {
    return this.#expect(this.request("GET", path))
  }

  post(path: string, body: string | Uint8Array | object): Answer {
    return this.#expect(this.request("POST", path, bytesOf(body)))
  }

  /** A request to a location of the control role; nothing when the filter lets it pass. */
  request(method: string, path: string, body?: Uint8Array, root = CONTROL_ROOT): Answer | undefined {
    const wanted = this.callbacks.get(root)
    const calls = (name: string) => !wanted || wanted.includes(name)
    this.#tellChanges()
    const context = this.#beginContext(root, !wanted || wanted.includes("context"))
    this.answer = undefined
    this.requestHeaders = new Map([
      [":method", method],
      [":path", path],
      ...(method === "POST" ? [["content-length", String(body?.length ?? 0)] as const] : []),
    ])
    let action = 0
    if (calls("request_headers")) {
      const isEnd = this.abilities.ours && !body?.length
      action = this.exports.proxy_on_request_headers(context, 2, Number(isEnd))
    }
    const waits = action === Action.pause || !body?.length
    if (!this.abilities.ours && !this.answer && calls("request_body") && method === "POST" && waits)
      throw new Error("The request hangs")
    if (!this.answer && body?.length && calls("request_body")) {
      this.buffers.set(BufferKind.httpRequestBody, body)
      action = this.exports.proxy_on_request_body(context, body.length, 1)
    }
    if (!this.answer && action === Action.pause) throw new Error("The filter paused and did not answer")
    if (!this.abilities.ours) this.#callTheRest(context)
    if (!wanted || wanted.includes("context")) this.exports.proxy_on_delete(context)
    return this.answer
  }

  /** What follows for every request where filters cannot choose their callbacks. */
  #callTheRest(context: number): void {
    this.exports.proxy_on_request_trailers(context, 0)
    this.exports.proxy_on_response_headers(context, 1, 0)
    this.exports.proxy_on_response_body(context, 0, 1)
    this.exports.proxy_on_response_trailers(context, 0)
    this.exports.proxy_on_done(context)
    this.exports.proxy_on_log(context)
  }

  /** Asks for an endpoint. `tried` are the tags of the earlier attempts, `note` is that of the last of them. */
  select(backend: string, tried: readonly number[] = [], note = 0n): Choice {
    this.#tellChanges()
    this.answer = undefined
    this.upstream = undefined
    this.properties.set(properties.proxyUpstreamName, backend)
    if (this.abilities.ours) this.#tellAttempt(tried, note, this.abilities.tellsKey ? backend : undefined)
    this.exports.proxy_on_upstream_select(1)
    if (!this.abilities.ours) this.#endAttempt()
    const { tag } = this.said()
    return this.upstream ? { ...(this.upstream as { address: string; port: number }), tag } : this.answer
  }

  /** Other hosts tell of every attempt that the filter chose, and of its response, with the record as the filter left it. */
  #endAttempt(): void {
    if (!this.upstream) return
    this.exports.proxy_on_next_upstream(BALANCE_ROOT, 502)
    this.exports.proxy_on_upstream_info(BALANCE_ROOT, 1)
  }

  /** What the filter said of the attempt it has just chosen for. */
  said(): Said {
    this.memory.returned()
    const { tag, wants, noteLow, noteHigh } = this.#record
    return { tag, wants, note: (BigInt(noteHigh) << 32n) | BigInt(noteLow) }
  }

  /** Tells how the `attempt`th attempt of a request ended, as far as the filter wanted to know. */
  inform(backend: string, attempt: number, said: Said, end: End): void {
    if (!this.abilities.ours || (said.wants & Want.info) === 0) return
    this.#tellChanges()
    this.properties.set(properties.proxyUpstreamName, backend)
    const isTimed = (said.wants & Want.times) !== 0
    const { outcome, status } = end
    const time = (nanoseconds: bigint) => (isTimed ? Number(nanoseconds) : undefined)
    const firstByteNs = time(end.firstByteTime)
    const told = { attempt, tag: said.tag, ...wordsOf(said.note), outcome, status, firstByteNs }
    this.memory.returned()
    this.#record.beforeInfo(told, time(end.connectTime))
    this.#record.setNow(Number(this.zones.now))
    this.exports.proxy_on_upstream_info(1, Number(end.outcome !== 0))
  }

  /** As `select`, for backends that must have an endpoint. */
  pick(backend: string, tried: readonly number[] = []): Endpoint {
    const choice = this.select(backend, tried)
    if (!choice || !("address" in choice)) throw new Error(`No endpoint for ${backend}`)
    return choice
  }

  #tellAttempt(tried: readonly number[], note: bigint, key: string | undefined): void {
    const { noteLow, noteHigh } = wordsOf(note)
    this.memory.returned()
    this.#record.beforeSelect(tried, noteLow, noteHigh)
    this.#record.setNow(Number(this.zones.now))
    this.#record.setKey(key === undefined ? undefined : Buffer.from(key))
  }

  #tellChanges(): void {
    if (!this.abilities.tellsChanges || this.zones.version === this.#seenVersion) return
    this.#seenVersion = this.zones.version
    this.exports.proxy_on_shared_data_changed(BALANCE_ROOT)
  }

  #beginContext(root: number, isTold: boolean): number {
    this.#lastContext++
    if (isTold) this.exports.proxy_on_context_create(this.#lastContext, root)
    return this.#lastContext
  }

  #expect(answer: Answer | undefined): Answer {
    if (!answer) throw new Error("The filter did not answer")
    return answer
  }
}

function wordsOf(note: bigint) {
  return { noteLow: Number(note & 0xffff_ffffn), noteHigh: Number(note >> 32n) }
}

/** Text as it is, anything else as JSON. */
function bytesOf(body: string | Uint8Array | object): Uint8Array {
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))
}
