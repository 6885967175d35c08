import type { IncomingMessage } from "node:http"

/** What became of a body. */
export type Body =
  | Whole
  | { readonly kind: "too-large" }
  /** the client has gone, or did not send what it had announced */
  | { readonly kind: "broken" }
  /** all bodies together are too much, and this is the largest */
  | { readonly kind: "crowded" }

/** Counts among all bodies until it is taken or dropped. */
export interface Whole {
  readonly kind: "whole"
  /** @returns undefined when others needed the room, and after it was taken or dropped */
  take(): string | undefined
  /** Nobody wants it any more. */
  drop(): void
}

export interface BodyLimits {
  /** of one body; larger ones are answered when they have been sent */
  readonly maxBytes: number
  /** of all that are being read, or wait for their turn */
  readonly maxBytesInAll: number
}

/** ingress-nginx's limit, below which an object and the one that it replaces find room: etcd takes 1.5 MiB. */
export const bodyLimits: BodyLimits = { maxBytes: 9 * 1024 * 1024 - 1, maxBytesInAll: 64 * 1024 * 1024 }

interface Reading {
  pieces: Buffer[]
  bytes: number
  isWhole: boolean
  readonly settle: (body: Body) => void
}

/**
 * Reads bodies with bounds on each and on all. What is too much is taken from the largest, so that a flood of large ones leaves the small ones of
 * the API server alone.
 */
export class Bodies {
  readonly #limits: BodyLimits
  readonly #readings = new Set<Reading>()
  #bytes = 0

  constructor(limits: BodyLimits = bodyLimits) {
    this.#limits = limits
  }

  /** Never rejects. Deadlines are the server's. */
  read(request: IncomingMessage): Promise<Body> {
    const { promise, resolve } = Promise.withResolvers<Body>()
    const reading: Reading = { pieces: [], bytes: 0, isWhole: false, settle: resolve }
    this.#readings.add(reading)
    request.on("data", (piece: Buffer) => this.#came(reading, piece))
    request.on("end", () => this.#end(reading, request.complete))
    for (const event of ["error", "aborted", "close"])
      request.on(event, () => {
        if (!reading.isWhole) this.#settle(reading, { kind: "broken" })
      })
    return promise
  }

  #came(reading: Reading, piece: Buffer): void {
    if (!this.#readings.has(reading)) return
    reading.bytes += piece.length
    const { maxBytes } = this.#limits
    if (reading.bytes > 2 * maxBytes) this.#settle(reading, { kind: "too-large" })
    else if (reading.bytes > maxBytes) this.#drop(reading)
    else this.#keep(reading, piece)
  }

  #keep(reading: Reading, piece: Buffer): void {
    reading.pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes > this.#limits.maxBytesInAll) this.#settle(this.#largest(reading), { kind: "crowded" })
  }

  /** The rest is read and forgotten: a client that is still sending would not read an answer. */
  #drop(reading: Reading): void {
    this.#bytes -= bytesOf(reading.pieces)
    reading.pieces = []
  }

  #largest(of: Reading): Reading {
    let largest = of
    for (const other of this.#readings) if (other.bytes > largest.bytes) largest = other
    return largest
  }

  #end(reading: Reading, isComplete: boolean): void {
    if (!this.#readings.has(reading)) return
    if (!isComplete) this.#settle(reading, { kind: "broken" })
    else if (reading.bytes > this.#limits.maxBytes) this.#settle(reading, { kind: "too-large" })
    else {
      reading.isWhole = true
      reading.settle({ kind: "whole", take: () => this.#take(reading), drop: () => void this.#free(reading) })
    }
  }

  #take(reading: Reading): string | undefined {
    const { pieces } = reading
    return this.#free(reading) ? Buffer.concat(pieces).toString("utf8") : undefined
  }

  /** @returns false when it was free already */
  #free(reading: Reading): boolean {
    if (!this.#readings.delete(reading)) return false
    this.#drop(reading)
    return true
  }

  #settle(reading: Reading, body: Body): void {
    if (this.#free(reading)) reading.settle(body)
  }
}

function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
