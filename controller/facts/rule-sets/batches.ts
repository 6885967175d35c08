/** How many things are asked about at once. */
const maxTogether = 64

/** Asks about many things at once, and one time after the other: what comes while an answer is awaited waits for the next one. */
export class Batches<T, A> {
  readonly #idOf: (thing: T) => string
  readonly #ask: (things: readonly T[]) => Promise<ReadonlyMap<string, A>>
  readonly #waiting: { readonly thing: T; readonly answered: PromiseWithResolvers<A> }[] = []
  #isAsking = false

  /** @param ask never rejects, and answers for each thing, by its id */
  constructor(idOf: (thing: T) => string, ask: (things: readonly T[]) => Promise<ReadonlyMap<string, A>>) {
    this.#idOf = idOf
    this.#ask = ask
  }

  add(thing: T): Promise<A> {
    const answered = Promise.withResolvers<A>()
    this.#waiting.push({ thing, answered })
    if (!this.#isAsking) {
      this.#isAsking = true
      // What comes in the same turn is asked about together.
      queueMicrotask(() => void this.#run())
    }
    return answered.promise
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxTogether)
      const answers = await this.#ask(batch.map(({ thing }) => thing))
      for (const { thing, answered } of batch) {
        const answer = answers.get(this.#idOf(thing))
        if (answer === undefined) answered.reject(new Error(`no answer about ${this.#idOf(thing)}`))
        else answered.resolve(answer)
      }
    }
    this.#isAsking = false
  }
}
