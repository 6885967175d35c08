import { Garbled } from "./failures.ts"

const lineFeed = 0x0a

/** No object of etcd is larger than a few MiB; the rest is for lists that a server may send as one. */
const maxLineBytes = 64 * 2 ** 20

/**
 * JSON values that come one in a line: those that a piece of bytes completes, together. In UTF-8 no part of another character looks like the end of
 * a line, so lines are found before they are decoded.
 */
export class Lines {
  #rest: Uint8Array[] = []
  #restBytes = 0

  /** @throws Garbled */
  take(bytes: Uint8Array): readonly unknown[] {
    const values: unknown[] = []
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      this.#finish(bytes.subarray(start, end), values)
      start = end + 1
    }
    this.#keep(bytes.subarray(start))
    return values
  }

  /** @throws Garbled when the end is in the middle of a line */
  end(): void {
    if (this.#restBytes > 0) throw new Garbled("its answer ends in the middle of a line")
  }

  #finish(bytes: Uint8Array, values: unknown[]): void {
    this.#keep(bytes)
    const line = joined(this.#rest)
    this.#rest = []
    this.#restBytes = 0
    if (line.length > 0) values.push(parseJson(line))
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#restBytes += bytes.length
    if (this.#restBytes > maxLineBytes) throw new Garbled("a line of its answer does not end")
    this.#rest.push(bytes)
  }
}

/** @throws Garbled */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    throw new Garbled("its answer is no JSON") // what the parser says repeats a part of it, which may be secret
  }
}

function joined(pieces: readonly Uint8Array[]): Buffer {
  const [only] = pieces
  if (only === undefined || pieces.length > 1) return Buffer.concat(pieces)
  return Buffer.from(only.buffer, only.byteOffset, only.byteLength)
}
