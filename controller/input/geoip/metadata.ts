import { type FileHandle, open } from "node:fs/promises"
import { reasonOf } from "../../support/failure.ts"

// What a file in MaxMind's format says of itself, which stands at its end: so half a file is none. Source: MaxMind DB File Format Specification 2.0.

const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1")
/** What stands behind the marker is at most this long. */
const maxMetadataBytes = 128 * 1024
/** Between the tree and the data. */
const separatorBytes = 16

type Metadata = Readonly<Record<string, unknown>>

/** Why a file is no database: a phrase that goes on after a colon. Undefined when it is one, as far as it says itself; nginx looks closer, at each lookup. */
export async function databaseFault(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path)
    const stats = await file.stat()
    if (!stats.isFile()) return "it is no regular file"
    return faultIn(await endOf(file, stats.size), stats.size)
  } catch (error) {
    return reasonOf(error)
  }
}

async function endOf(file: FileHandle, size: number): Promise<Buffer> {
  const length = Math.min(size, maxMetadataBytes + marker.length)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
  return buffer.subarray(0, bytesRead)
}

function faultIn(end: Buffer, size: number): string | undefined {
  const at = end.lastIndexOf(marker)
  if (at < 0) return "it is no database in MaxMind's format, or only a part of one"
  const metadata = metadataIn(end.subarray(at + marker.length))
  if (metadata === undefined) return "what it says of itself cannot be read"
  const { binary_format_major_version: version, node_count: nodes, record_size: bits } = metadata
  if (version !== 2) return `its format has version ${String(version)}, and 2 is known`
  if (bits !== 24 && bits !== 28 && bits !== 32) return `records of ${String(bits)} bits are not known`
  const treeBytes = Number(nodes) * (bits / 4) + separatorBytes
  return treeBytes <= size - (end.length - at) ? undefined : "a part of it is missing"
}

function metadataIn(bytes: Buffer): Metadata | undefined {
  try {
    const value = new Reader(bytes).value()
    return typeof value === "object" && value !== null ? (value as Metadata) : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const types = { text: 2, double: 3, uint16: 5, uint32: 6, map: 7, uint64: 9, array: 11, boolean: 14 } as const

/** Reads values without pointers, as metadata has them. @throws RangeError where the bytes end before the value, or say nonsense */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  value(depth = 0): unknown {
    const { type, size } = this.#head()
    if (depth > 8) throw new RangeError("values within values")
    switch (type) {
      case types.text:
        return this.#take(size).toString()
      case types.map:
        return Object.fromEntries(
          this.#times(size, () => [String(this.value(depth + 1)), this.value(depth + 1)]),
        )
      case types.array:
        return this.#times(size, () => this.value(depth + 1))
      case types.uint16:
      case types.uint32:
      case types.uint64:
        return this.#take(size).reduce((number, byte) => number * 256 + byte, 0)
      case types.boolean:
        return size === 1
      default:
        throw new RangeError(`a value of type ${type}`)
    }
  }

  /** Never more than there are bytes, whatever the size says. */
  #times<T>(size: number, read: () => T): T[] {
    if (size > this.#bytes.length) throw new RangeError("more values than bytes")
    return Array.from({ length: size }, read)
  }

  #head(): { readonly type: number; readonly size: number } {
    const [first = 0] = this.#take(1)
    const type = first >> 5 || 7 + (this.#take(1)[0] ?? 0)
    const small = first & 31
    if (small < 29) return { type, size: small }
    const length = small - 28
    const [base = 0] = [29, 285, 65_821].slice(length - 1)
    return { type, size: base + this.#take(length).readUIntBE(0, length) }
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError("the bytes end")
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}
