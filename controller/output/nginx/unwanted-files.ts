/** A worker that begins, or an nginx whose post was lost, may still want what is of no use any more. */
const usualGraceMs = 60_000

/** Files by their digests, which go when nobody has wanted them for a minute. */
export class UnwantedFiles {
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #remove: (digest: string) => void
  readonly #graceMs: number

  /** @param graceMs tests give their own */
  constructor(remove: (digest: string) => void, graceMs = usualGraceMs) {
    this.#remove = remove
    this.#graceMs = graceMs
  }

  /** @param there all that there are */
  keepOnly(wanted: ReadonlySet<string>, there: Iterable<string>): void {
    for (const digest of there) {
      if (wanted.has(digest)) this.#keep(digest)
      else if (!this.#timers.has(digest)) this.#timers.set(digest, this.#later(digest))
    }
  }

  #keep(digest: string): void {
    clearTimeout(this.#timers.get(digest))
    this.#timers.delete(digest)
  }

  #later(digest: string): NodeJS.Timeout {
    const remove = () => {
      this.#timers.delete(digest)
      this.#remove(digest)
    }
    return setTimeout(remove, this.#graceMs).unref()
  }
}
