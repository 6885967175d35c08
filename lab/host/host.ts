/**
 * A Proxy-Wasm host in Node for the release `balancer.wasm`, lean, so that a measurement shows the filter: views of its memory
 * are kept, and strings are made on the control path alone. What the host itself takes is measured, too, and taken off
 * (`lab/bench/empty.ts`). The fake host of test/balancer is the strict one. One host stands for one worker of nginx; several
 * share a zone.
 */
import { readFileSync } from "node:fs"
import { instantiateSync } from "@assemblyscript/loader"
import { BufferKind, Status } from "../../harness/abi.ts"
import { balancerFile } from "../../harness/paths.ts"
import { AttemptRecord, type Ended as Told } from "../guest/attempt-record.ts"
import { commonImports, type Import, type World } from "../guest/imports.ts"
import { Memory } from "../guest/memory.ts"
import { foreign } from "./foreign.ts"
import type { Parts } from "./slots.ts"
import { Zone } from "./zone.ts"

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly wick_attempt: { readonly value: number }
  proxy_on_memory_allocate(size: number): number
  proxy_on_configure(root: number, size: number): number
  proxy_on_request_headers(context: number, count: number, isEnd: number): number
  proxy_on_request_body(context: number, size: number, isEnd: number): number
  proxy_on_shared_data_changed(root: number): void
  proxy_on_upstream_select(context: number): void
  /** A filter that learns nothing needs none. */
  proxy_on_upstream_info?(context: number, isFailed: number): void
}
export type Imports = Record<string, Import>

/** What a client's request has that a filter may ask for. */
export interface Request {
  /** Every template of `wick_expand` becomes this. */
  readonly expanded: Uint8Array
  /** The value of the affinity cookie, if the client sent one. */
  readonly cookie: Uint8Array | undefined
}

/** An attempt that has ended, for info. */
export interface Ended extends Told {
  readonly firstByteNs: number
}

/** Property path, parts joined by NUL, and its value. */
export type Properties = readonly (readonly [string, string])[]

/** The context of every request. */
export const CONTEXT = 100
const nothing = new Uint8Array()
const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1")

let released: Uint8Array | undefined

/** The bytes of the release filter. */
export function releasedFilter(): Uint8Array {
  released ??= readFileSync(balancerFile)
  return released
}

/** Told of each call of the filter to its host. */
export type Witness = (name: string, args: readonly number[]) => void

export class Host implements World {
  readonly exports: Exports
  readonly imports: Imports
  readonly zone: Zone
  /** This process's part of the gauges. */
  readonly parts: Parts
  readonly memory = new Memory()
  readonly record: AttemptRecord

  /** The current request. */
  request: Request = { expanded: nothing, cookie: undefined }
  /** What the last select chose: the address is text in the filter's memory; length 0 when it chose nothing. */
  addressAt = 0
  addressLength = 0
  port = 0
  /** The cookie that the last select set: name and value in the filter's memory, packed for wick_set_cookie; length 0 for none. */
  cookieAt = 0
  cookieLength = 0

  readonly #properties: readonly (readonly [Uint8Array, Uint8Array])[]
  #seenVersion: number
  #headers = new Map<string, Uint8Array>()
  #body: Uint8Array = nothing
  #configuration: Uint8Array = nothing
  #answer = { status: 0, body: "" }

  /**
   * @param seed the filter's random numbers
   * @param properties what every request of this host has
   * @param witness for those who want to know; it makes all slower
   */
  constructor(zone = new Zone(), seed = 1, properties: Properties = [], witness?: Witness) {
    this.zone = zone
    this.parts = zone.slots.join()
    this.#seenVersion = zone.version
    this.#properties = properties.map(([path, value]) => [bytesOf(path), bytesOf(value)])
    this.imports = this.#imports()
    const env = witness ? witnessed(this.imports, witness) : this.imports
    const wasi = { random_get: (at: number) => this.#putSeed(at, seed) }
    // A copy: the original is a kind of object whose properties are looked up slowly.
    this.exports = {
      ...(instantiateSync(releasedFilter(), { env, wasi_snapshot_preview1: wasi }).instance
        .exports as unknown as Exports),
    }
    this.memory.attach(this.exports)
    const at = this.exports.wick_attempt.value
    this.record = new AttemptRecord(this.memory, at, this.memory.load(at))
    this.record.tellHost()
    this.#configure(1, "")
    this.#configure(2, "role=control")
  }

  /** Applies a change of docs/wire.md 1 and demands that it is in force. */
  change(change: object): void {
    this.post(Buffer.from(JSON.stringify(change)))
  }

  /** As `change`, of the change's JSON. */
  post(change: Uint8Array): void {
    this.tellChanges()
    this.#headers = new Map([
      [":method", bytesOf("POST")],
      [":path", bytesOf("/configuration/changes")],
    ])
    this.#body = change
    this.exports.proxy_on_request_headers(CONTEXT, 2, 0)
    this.exports.proxy_on_request_body(CONTEXT, change.length, 1)
    this.returned()
    if (this.#answer.status !== 201) throw new Error(`The filter refused a change: ${this.#answer.body}`)
  }

  /** Before the first callback after a write. */
  tellChanges(): void {
    if (this.zone.version === this.#seenVersion) return
    this.#seenVersion = this.zone.version
    this.exports.proxy_on_shared_data_changed(1)
  }

  /** The backend of the requests to come. */
  setBackend(name: string): void {
    this.record.setKey(bytesOf(name))
  }

  /** Nanoseconds, below 2^53. */
  setNow(nanoseconds: number): void {
    this.record.setNow(nanoseconds)
  }

  /** Lets the filter choose. `tried` are the tags of this request's earlier attempts. */
  select(tried: readonly number[], noteLow: number, noteHigh: number): void {
    this.beforeSelect(tried, noteLow, noteHigh)
    this.exports.proxy_on_upstream_select(CONTEXT)
    this.returned()
  }

  /** What the filter is told for a select. */
  beforeSelect(tried: readonly number[], noteLow: number, noteHigh: number): void {
    this.record.beforeSelect(tried, noteLow, noteHigh)
    this.addressLength = 0
    this.cookieLength = 0
  }

  /** What the filter left in the record. */
  get tag(): number {
    return this.record.tag
  }
  get wants(): number {
    return this.record.wants
  }
  get noteLow(): number {
    return this.record.noteLow
  }
  get noteHigh(): number {
    return this.record.noteHigh
  }

  /** The endpoint that was chosen last, `10.0.0.1:8080`; nothing if there was none. */
  get endpoint(): string | undefined {
    if (this.addressLength === 0) return undefined
    return `${this.memory.latin1(this.addressAt, this.addressLength)}:${this.port}`
  }

  /** The value of the cookie that the last select set. */
  get cookie(): Uint8Array | undefined {
    if (this.cookieLength === 0) return undefined
    const packed = Buffer.from(this.memory.u8.subarray(this.cookieAt, this.cookieAt + this.cookieLength))
    const header = packed.subarray(4 + packed.readUInt32LE(0))
    const [equals, semicolon] = [header.indexOf("="), header.indexOf(";")]
    return header.subarray(equals + 1, semicolon < 0 ? header.length : semicolon)
  }

  /** Tells what became of an attempt. */
  info(ended: Ended): void {
    this.beforeInfo(ended)
    this.exports.proxy_on_upstream_info?.(CONTEXT, ended.outcome === 0 ? 0 : 1)
    this.returned()
  }

  /** What the filter is told for an info: the connection stood at once. */
  beforeInfo(ended: Ended): void {
    this.record.beforeInfo(ended, 0)
  }

  /** A callback has returned: the filter's memory may have grown. */
  returned(): void {
    this.memory.returned()
  }

  log(text: string): void {
    throw new Error(`The filter says: ${text}`)
  }

  now(): number {
    return this.record.now
  }

  buffer(kind: number): Uint8Array {
    return kind === BufferKind.pluginConfiguration ? this.#configuration : this.#body
  }

  header(_map: number, name: string): Uint8Array | undefined {
    return this.#headers.get(name)
  }

  foreign(name: number, nameLength: number, args: number, length: number, at: number, size: number): number {
    const call = foreign.find(this.memory.u8, name, nameLength)
    return call ? call(this, args, length, at, size) : Status.notFound
  }

  #configure(root: number, configuration: string): void {
    this.#configuration = bytesOf(configuration)
    if (!this.exports.proxy_on_configure(root, configuration.length))
      throw new Error("The filter does not start")
  }

  #putSeed(at: number, seed: number): number {
    this.returned()
    new DataView(this.memory.u8.buffer).setFloat64(at, seed, true)
    return Status.ok
  }

  #imports(): Imports {
    return {
      ...commonImports(this),
      proxy_set_tick_period_milliseconds: () => Status.ok,
      proxy_get_property: (path = 0, length = 0, at = 0, size = 0) => {
        const value = this.#property(path, length)
        return value ? this.memory.give(value, at, size) : Status.notFound
      },
      proxy_set_property: () => Status.ok,
      proxy_get_shared_data: (key = 0, length = 0, at = 0, size = 0, cas = 0) => {
        const entry = this.zone.get(this.memory.latin1(key, length))
        if (!entry) return Status.notFound
        this.memory.give(entry.value, at, size)
        this.memory.store(cas, entry.cas)
        return Status.ok
      },
      proxy_set_shared_data: () => Status.notFound,
      proxy_send_local_response: (status = 0, _details, _length, body = 0, bodyLength = 0) => {
        this.#answer = { status, body: this.memory.latin1(body, bodyLength) }
        return Status.ok
      },
      proxy_set_upstream: (address = 0, length = 0, port = 0) => {
        this.addressAt = address
        this.addressLength = length
        this.port = port
        return Status.ok
      },
    }
  }

  /** Few and short: looking through them costs less than a string. */
  #property(path: number, length: number): Uint8Array | undefined {
    this.returned()
    for (const [name, value] of this.#properties) {
      if (name.length === length && this.#hasAt(path, name)) return value
    }
    return undefined
  }

  #hasAt(at: number, text: Uint8Array): boolean {
    for (let i = 0; i < text.length; i++) if (this.memory.u8[at + i] !== text[i]) return false
    return true
  }
}

function witnessed(imports: Imports, witness: Witness): Imports {
  const entries = Object.entries(imports).map(([name, call]): [string, Import] => [
    name,
    (...args) => {
      witness(name, args)
      return call(...args)
    },
  ])
  return Object.fromEntries(entries)
}
