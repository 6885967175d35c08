/** A policy's memory, as its host reads and writes it. */
import { Status } from "../abi.ts"
import { limits } from "./abi.ts"
import { Fault } from "./fault.ts"

interface Exports {
  readonly memory: WebAssembly.Memory
  readonly proxy_on_memory_allocate?: (size: number) => number
  readonly malloc?: (size: number) => number
}

export class Guest {
  /** Views; others after it grew. */
  u8 = new Uint8Array()
  u32 = new Uint32Array()
  readonly #exports: Exports

  /** @throws Fault when it has too much memory already */
  constructor(exports: Exports) {
    this.#exports = exports
    this.#look()
  }

  get bytes(): number {
    return this.#exports.memory.buffer.byteLength
  }

  /** A call has returned: the memory may have grown. @throws Fault when it has grown too large */
  returned(): void {
    if (this.u32.length === 0) this.#look()
  }

  #look(): void {
    const most = limits.memoryBytes
    if (this.bytes > most) throw new Fault(`It takes more than ${most >> 20} MiB of memory`)
    this.u8 = new Uint8Array(this.#exports.memory.buffer)
    this.u32 = new Uint32Array(this.#exports.memory.buffer)
  }

  /** Is this a piece of it? */
  has(at: number, length: number): boolean {
    this.returned()
    return at + length <= this.u8.length
  }

  /** Hands a result over: its bytes, then address and length where they are wanted. @returns a status */
  give(value: Uint8Array, at: number, size: number): number {
    if (!this.has(at, 4) || !this.has(size, 4)) return Status.invalidMemoryAccess
    const { proxy_on_memory_allocate, malloc } = this.#exports
    const to = ((proxy_on_memory_allocate ?? malloc)?.(value.length) ?? 0) >>> 0
    if ((to === 0 && value.length > 0) || !this.has(to, value.length)) return Status.invalidMemoryAccess
    this.u8.set(value, to)
    this.store(at, to)
    this.store(size, value.length)
    return Status.ok
  }

  text(at: number, length: number): string {
    return Buffer.from(this.u8.buffer, at, length).toString()
  }

  /** Four bytes, at any address. */
  load(at: number): number {
    const { u8 } = this
    const [a = 0, b = 0, c = 0, d = 0] = [u8[at], u8[at + 1], u8[at + 2], u8[at + 3]]
    return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0
  }

  store(at: number, value: number): void {
    const { u8 } = this
    u8[at] = value
    u8[at + 1] = value >>> 8
    u8[at + 2] = value >>> 16
    u8[at + 3] = value >>> 24
  }
}
