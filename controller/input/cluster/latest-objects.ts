/** Objects of a kind as they came, those that came last: what is to be written next is mostly of one of these, and need not be read for it. */
export class LatestObjects {
  readonly #max: number
  readonly #objects = new Map<string, unknown>()

  constructor(max: number) {
    this.#max = max
  }

  /** @param object undefined when it is gone */
  put(name: string, object: unknown): void {
    this.#objects.delete(name)
    if (object === undefined) return
    this.#objects.set(name, object)
    const [oldest] = this.#objects.keys()
    if (this.#objects.size > this.#max && oldest !== undefined) this.#objects.delete(oldest)
  }

  /** Once: whoever finds that it was not the latest one any more has to read it. */
  take(name: string): unknown {
    const object = this.#objects.get(name)
    this.#objects.delete(name)
    return object
  }
}
