/** A map whose readers get an immutable view: copied once after a change, the same object while nothing changes. */
export class SharedMap<V> {
  readonly #current = new Map<string, V>()
  #view: ReadonlyMap<string, V> | undefined

  get(key: string): V | undefined {
    return this.#current.get(key)
  }

  /** Sets the value, or removes the key when there is none. */
  put(key: string, value: V | undefined): void {
    if (value === undefined) this.#current.delete(key)
    else this.#current.set(key, value)
    this.#view = undefined
  }

  view(): ReadonlyMap<string, V> {
    this.#view ??= new Map(this.#current)
    return this.#view
  }
}
