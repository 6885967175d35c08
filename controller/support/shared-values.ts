const maxKnown = 1024

/** Values that are equal, as one object as long as it is in here: by their text as JSON, so they are made of nothing else, and of nothing secret. */
export class SharedValues<V extends object> {
  readonly #known = new Map<string, V>()

  /** The first value that is equal to this one. @param value its fields come in one order, whatever it says */
  of(value: V): V {
    const text = JSON.stringify(value)
    const before = this.#known.get(text)
    if (before !== undefined) return before
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(text, value)
    return value
  }
}
