// One file of an archive of tar. Source: POSIX.1-2017, pax, "ustar Interchange Format".

const blockBytes = 512

/** An archive is not what it should be; the message fits after a colon. */
export class BadArchive extends Error {}

/**
 * The bytes of the first regular file of this name, in whatever folder it lies. What comes before it is passed over, what comes behind it is not read.
 *
 * @param name without its folder
 * @param maxBytes of the file
 * @throws BadArchive when there is none, it is larger, or this is no archive
 */
export async function* tarMember(
  archive: AsyncIterable<Uint8Array>,
  name: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const blocks = new Blocks(archive)
  for (;;) {
    const head = headIn(await blocks.whole(blockBytes))
    if (head === undefined) throw new BadArchive(`the archive has no file ${name}`)
    if (head.isFile && head.name === name) {
      if (head.bytes > maxBytes) throw new BadArchive(`${name} has more than ${maxBytes} bytes`)
      yield* blocks.take(head.bytes)
      return
    }
    const padded = Math.ceil(head.bytes / blockBytes) * blockBytes
    for await (const _ of blocks.take(padded)); // passed over
  }
}

interface Head {
  /** without its folder */
  readonly name: string
  readonly bytes: number
  readonly isFile: boolean
}

/** Undefined at the end, which is a block of zeros. */
function headIn(block: Buffer): Head | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  const text = (from: number, length: number) =>
    block.toString("latin1", from, from + length).split("\0")[0] ?? ""
  const octal = text(124, 12).trim()
  if (!/^[0-7]{1,12}$/.test(octal) || !isSummed(block)) throw new BadArchive("it is no archive of tar")
  const [type = ""] = [text(156, 1)]
  return {
    name: text(0, 100).split("/").at(-1) ?? "",
    bytes: Number.parseInt(octal, 8),
    isFile: type === "" || type === "0",
  }
}

/** Its own sum stands in the head, which counts as blanks in it. */
function isSummed(block: Buffer): boolean {
  const said = Number.parseInt(block.toString("latin1", 148, 156), 8)
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  return said === sum
}

/** Chunks as they come, cut where somebody wants them to end. */
class Blocks {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async whole(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of this.take(length)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *take(length: number): AsyncGenerator<Uint8Array, void> {
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next()
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      if (part.length > 0) yield part
    }
  }

  async #next(): Promise<Uint8Array> {
    const { done, value } = await this.#chunks.next()
    if (done) throw new BadArchive("the archive ends too early")
    return value
  }
}
