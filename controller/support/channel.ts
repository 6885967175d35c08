/** Passes values from callbacks to one `for await`, in order. What is not yet taken is kept, without a limit. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #values: T[] = []
  #isClosed = false
  #wake = () => {}

  send(value: T): void {
    this.#values.push(value)
    this.#wake()
  }

  /** What was sent before is still delivered. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const values of this.groups()) yield* values
  }

  /** Everything that was sent since the last time, together; never empty. */
  async *groups(): AsyncGenerator<readonly T[]> {
    while (true) {
      if (this.#values.length > 0) yield this.#values.splice(0)
      if (this.#values.length > 0) continue
      if (this.#isClosed) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
