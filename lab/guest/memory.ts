/** A guest's memory, as its host reads and writes it: the host of the laboratory, that of policies, and the fake one of tests. */
import { Status } from "../../harness/abi.ts"

/** What of a guest's exports is about its memory. */
export interface MemoryExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly proxy_on_memory_allocate?: (size: number) => number
  readonly malloc?: (size: number) => number
}

export class Memory {
  /** Views, in bytes and in words; others after it grew (`returned`). */
  u8 = new Uint8Array()
  u32 = new Uint32Array()
  #exports: MemoryExports | undefined

  /** The instance is there. */
  attach(exports: MemoryExports): void {
    this.#exports = exports
    this.look()
  }

  get size(): number {
    return this.#exports?.memory.buffer.byteLength ?? 0
  }

  /** A call into the guest has returned: its memory may have grown, and its old views are empty then. */
  returned(): void {
    if (this.u32.length === 0) this.look()
  }

  /** Makes the views again. */
  protected look(): void {
    if (this.#exports === undefined) throw new Error("The guest has no instance yet")
    this.u8 = new Uint8Array(this.#exports.memory.buffer)
    this.u32 = new Uint32Array(this.#exports.memory.buffer)
  }

  /** Is this a piece of it? */
  has(at: number, length: number): boolean {
    this.returned()
    return at + length <= this.u8.length
  }

  /** A copy. @throws RangeError when it is no piece of the memory */
  bytes(at: number, length: number): Uint8Array {
    if (!this.has(at, length)) throw new RangeError(`${length} bytes at ${at} are not in the guest's memory`)
    return this.u8.slice(at, at + length)
  }

  /** @throws RangeError when it is no piece of the memory */
  text(at: number, length: number): string {
    return this.#buffer(at, length).toString()
  }

  /** @throws RangeError when it is no piece of the memory */
  latin1(at: number, length: number): string {
    return this.#buffer(at, length).toString("latin1")
  }

  #buffer(at: number, length: number): Buffer {
    this.returned()
    return Buffer.from(this.u8.buffer, at, length)
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

  /** Hands a value to the guest: memory that it gives, then address and length where it wants them. @returns a status */
  give(value: Uint8Array, at: number, size: number): number {
    if (!this.has(at, 4) || !this.has(size, 4)) return Status.invalidMemoryAccess
    const to = this.#allocate(value.length)
    if ((to === 0 && value.length > 0) || !this.has(to, value.length)) return Status.invalidMemoryAccess
    this.u8.set(value, to)
    this.store(at, to)
    this.store(size, value.length)
    return Status.ok
  }

  #allocate(size: number): number {
    const exports = this.#exports
    if (exports?.proxy_on_memory_allocate !== undefined) return exports.proxy_on_memory_allocate(size) >>> 0
    return (exports?.malloc?.(size) ?? 0) >>> 0
  }
}
