/** An immutable map that is another one with some keys put since: made in the time that those take. They come last in its order. */
export class LayeredMap<V> implements ReadonlyMap<string, V> {
  readonly #base: ReadonlyMap<string, V>
  /** undefined: removed */
  readonly #put: ReadonlyMap<string, V | undefined>
  readonly size: number

  /** @param base and put stay as they are */
  constructor(base: ReadonlyMap<string, V>, put: ReadonlyMap<string, V | undefined>) {
    this.#base = base
    this.#put = put
    let size = base.size
    for (const [key, value] of put) size += (value === undefined ? 0 : 1) - (base.has(key) ? 1 : 0)
    this.size = size
  }

  get(key: string): V | undefined {
    return this.#put.has(key) ? this.#put.get(key) : this.#base.get(key)
  }

  has(key: string): boolean {
    return this.#put.has(key) ? this.#put.get(key) !== undefined : this.#base.has(key)
  }

  *entries(): MapIterator<[string, V]> {
    for (const entry of this.#base) if (!this.#put.has(entry[0])) yield entry
    for (const [key, value] of this.#put) if (value !== undefined) yield [key, value]
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value
  }

  forEach(told: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) told(value, key, this)
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }
}
