import { getOrMake } from "../maps.ts"
import { placeOf } from "./sorted-list.ts"

const none: readonly never[] = []

/** Several values for a key, each once, in no order. */
export class Multimap<V> {
  readonly #sets = new Map<string, Set<V>>()

  add(key: string, value: V): void {
    getOrMake(this.#sets, key, () => new Set<V>()).add(value)
  }

  remove(key: string, value: V): void {
    const values = this.#sets.get(key)
    values?.delete(value)
    if (values?.size === 0) this.#sets.delete(key)
  }

  /** @param before the key that the value is at, if any; @param after the one that it is at from now on */
  move(value: V, before: string | undefined, after: string | undefined): void {
    if (before === after) return
    if (before !== undefined) this.remove(before, value)
    if (after !== undefined) this.add(after, value)
  }

  /** Whether the key has a value. */
  has(key: string): boolean {
    return this.#sets.has(key)
  }

  of(key: string): Iterable<V> {
    return this.#sets.get(key) ?? none
  }

  /** Of keys with values. */
  entries(): Iterable<readonly [string, ReadonlySet<V>]> {
    return this.#sets
  }
}

/** Several values for a key, each once, in order. */
export class SortedMultimap<V> {
  readonly #order: (a: V, b: V) => number
  readonly #lists = new Map<string, V[]>()

  /** @param order no two values of one key are equal */
  constructor(order: (a: V, b: V) => number) {
    this.#order = order
  }

  add(key: string, value: V): void {
    const list = this.#lists.get(key)
    if (list === undefined) this.#lists.set(key, [value])
    else list.splice(placeOf(list, value, this.#order), 0, value)
  }

  remove(key: string, value: V): void {
    const left = this.of(key).filter((other) => other !== value)
    if (left.length > 0) this.#lists.set(key, left)
    else this.#lists.delete(key)
  }

  of(key: string): readonly V[] {
    return this.#lists.get(key) ?? none
  }
}
