import type { Source } from "../input/provider/source.ts"
import type { Store } from "../input/store/store.ts"

export interface FeedOptions {
  readonly source: Source
  readonly store: Pick<Store, "apply" | "named">
  /** what is served has become another, after everything was there once */
  readonly came: () => void
  /** a pass is due */
  readonly touched: () => void
  /** objects may be others, of whatever use they are, and everything is there */
  readonly changed: () => void
  readonly signal: AbortSignal
}

/**
 * Takes changes from the source into the store. Passes are asked for when everything is there, and those that begin for other reasons wait for
 * that, too: what is still being read would look as if it did not exist.
 */
export class Feed {
  readonly #options: FeedOptions
  #settling = Promise.withResolvers<void>()
  #isSettled = false
  #wasSettled = false
  /** nobody has been told of what was taken last; the first pass is due even if there is nothing */
  #isDue = true

  constructor(options: FeedOptions) {
    this.#options = options
    options.signal.addEventListener("abort", () => this.#settling.resolve(), { once: true })
  }

  /** Ends when the signal aborts. @throws what the source throws */
  async run(): Promise<void> {
    const { source, store, signal } = this.#options
    for await (const { changes, synced } of source.changes(signal, (kind) => store.named(kind))) {
      if (store.apply(changes)) this.#touch()
      if (synced) this.#settle()
      else this.#unsettle()
    }
  }

  /** Resolves when everything is there that the source has. @returns false when the signal has aborted: nothing more will come */
  async settled(): Promise<boolean> {
    const { signal } = this.#options
    while (!this.#isSettled && !signal.aborted) await this.#settling.promise
    return !signal.aborted
  }

  /** Everything that the source has was there at some time: what is being read now is about what is new. */
  get wasSettled(): boolean {
    return this.#wasSettled
  }

  #touch(): void {
    this.#isDue = true
    if (this.#wasSettled) this.#options.came()
  }

  #settle(): void {
    this.#isSettled = true
    this.#wasSettled = true
    this.#settling.resolve()
    this.#options.changed()
    if (!this.#isDue) return
    this.#isDue = false
    this.#options.touched()
  }

  #unsettle(): void {
    if (!this.#isSettled) return
    this.#isSettled = false
    this.#settling = Promise.withResolvers()
  }
}
