/** A filter's memory for the fake host, which is strict: what the laboratory leaves to a status, or to chance, throws here. */
import { Status } from "../../harness/abi.ts"
import { Memory } from "../../lab/guest/memory.ts"

export class StrictMemory extends Memory {
  /** A copy. Addresses come from the filter as signed numbers. */
  override bytes(at: number, length: number): Uint8Array {
    return super.bytes(at >>> 0, length >>> 0)
  }

  override text(at: number, length: number): string {
    return new TextDecoder("utf-8", { fatal: true }).decode(this.bytes(at, length))
  }

  override latin1(at: number, length: number): string {
    return Buffer.from(this.bytes(at, length)).toString("latin1")
  }

  put(at: number, value: Uint8Array): void {
    if (!this.has(at, value.length)) throw new RangeError(`${at} is not in the filter's memory`)
    this.u8.set(value, at)
  }

  putU32(at: number, number: number): void {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(number)
    this.put(at, bytes)
  }

  putU64(at: number, number: bigint): void {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(number)
    this.put(at, bytes)
  }

  override give(value: Uint8Array | string, at: number, size: number): number {
    const status = super.give(typeof value === "string" ? Buffer.from(value) : value, at, size)
    if (status !== Status.ok) throw new Error("The filter gave no memory, or wants the result outside of it")
    return status
  }

  headerMap(at: number, length: number): Record<string, string> {
    return length === 0 ? {} : decodeHeaderMap(this.bytes(at, length))
  }
}

/** Proxy-Wasm: u32 count, per header u32 length of key and of value, then key, NUL, value, NUL. */
function decodeHeaderMap(bytes: Uint8Array): Record<string, string> {
  const buffer = Buffer.from(bytes)
  const count = buffer.readUInt32LE(0)
  const headers: Record<string, string> = {}
  let at = 4 + 8 * count
  for (let i = 0; i < count; i++) {
    const keyEnd = at + buffer.readUInt32LE(4 + 8 * i)
    const valueEnd = keyEnd + 1 + buffer.readUInt32LE(8 + 8 * i)
    headers[buffer.toString("utf8", at, keyEnd)] = buffer.toString("utf8", keyEnd + 1, valueEnd)
    if (buffer[keyEnd] !== 0 || buffer[valueEnd] !== 0) throw new Error("A header is not followed by NUL")
    at = valueEnd + 1
  }
  if (at !== buffer.length) throw new Error("Something follows the last header")
  return headers
}
