/**
 * The least that the filter needs from a host, so that a measurement shows the filter and not the host: one backend's
 * record, no zones, no strings made. Not for tests.
 */
import { readFileSync } from "node:fs"
import { balancerFile } from "../../test/support/paths.ts"

type Exports = {
  memory: { buffer: ArrayBuffer }
  wick_attempt: { value: number }
  proxy_on_memory_allocate(size: number): number
  proxy_on_configure(root: number, size: number): number
  proxy_on_request_body(context: number, size: number, isEnd: number): number
  proxy_on_upstream_select(context: number): void
  proxy_on_shared_data_changed(root: number): void
}

const OK = 0
const NOT_FOUND = 1

export class LeanHost {
  readonly exports: Exports
  /** The backend's name, its record and their version. */
  readonly name: Uint8Array
  record: Uint8Array = new Uint8Array()
  version = 1
  /** The request's path and body. */
  path: Uint8Array = Buffer.from("/configuration/changes")
  body: Uint8Array = new Uint8Array()
  /** Status of the last local response, and bytes of the last change that was to be written. */
  status = 0
  writtenBytes = 0
  /** How often an endpoint was set. */
  picks = 0
  readonly #versionBytes = new Uint8Array(8)
  readonly #version = new DataView(this.#versionBytes.buffer)
  #bytes = new Uint8Array()
  #view = new DataView(new ArrayBuffer(0))

  constructor(name: string) {
    this.name = Buffer.from(name)
    const module = new WebAssembly.Module(readFileSync(balancerFile))
    this.exports = new WebAssembly.Instance(module, { env: this.#imports() }).exports as unknown as Exports
    this.exports.proxy_on_configure(1, 0)
    this.#look()
    const key = this.exports.wick_attempt.value + 128
    this.#view.setUint32(key, this.name.length, true)
    this.#bytes.set(this.name, key + 4)
  }

  #give(value: Uint8Array, at: number, size: number): number {
    const to = this.exports.proxy_on_memory_allocate(value.length)
    if (this.#bytes.buffer !== this.exports.memory.buffer) this.#look()
    this.#bytes.set(value, to)
    this.#view.setUint32(at, to, true)
    this.#view.setUint32(size, value.length, true)
    return OK
  }

  /** Makes views again after the memory has grown. */
  #look(): void {
    this.#bytes = new Uint8Array(this.exports.memory.buffer)
    this.#view = new DataView(this.exports.memory.buffer)
  }

  #imports(): Record<string, (...args: number[]) => number> {
    return {
      seed: () => 1,
      abort: () => OK,
      proxy_log: () => OK,
      proxy_set_tick_period_milliseconds: () => OK,
      proxy_get_current_time_nanoseconds: () => OK,
      proxy_get_buffer_bytes: (_kind, _start, _most, at = 0, size = 0) => this.#give(this.body, at, size),
      proxy_get_header_map_value: (_kind, _key, _length, at = 0, size = 0) => this.#give(this.path, at, size),
      proxy_get_property: (_path, _length, at = 0, size = 0) => this.#give(this.name, at, size),
      proxy_set_property: () => OK,
      proxy_get_shared_data: (_key, _length, at = 0, size = 0) =>
        this.record.length === 0 ? NOT_FOUND : this.#give(this.record, at, size),
      proxy_set_shared_data: () => OK,
      proxy_send_local_response: (status = 0) => {
        this.status = status
        return OK
      },
      proxy_call_foreign_function: (_name, nameLength, _args, argsLength = 0, at = 0, size = 0) =>
        this.#foreign(nameLength ?? 0, argsLength, at, size),
      proxy_set_upstream: () => {
        this.picks++
        return OK
      },
    }
  }

  /** Told apart by the length of their names: `wick_set_shared_data_many` has 25, `wick_shared_data_version` 24 bytes. */
  #foreign(nameLength: number, argsLength: number, at: number, size: number): number {
    if (nameLength === 25) this.writtenBytes = argsLength
    if (nameLength !== 24) return OK
    this.#version.setUint32(0, this.version, true)
    return this.#give(this.#versionBytes, at, size)
  }
}
