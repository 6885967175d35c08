import { type Middle, middleOf, withMiddle } from "./middle.ts"

/** What was made of each item of a sorted list the last time, so that it need not be made again. */
export class MappedList<T, R> {
  readonly #order: (a: T, b: T) => number
  #items: readonly T[] = []
  #results: readonly R[] = []

  /** @param order of all lists that it is given; no two items of one list are equal */
  constructor(order: (a: T, b: T) => number) {
    this.#order = order
  }

  /** The list of the last time. */
  get items(): readonly T[] {
    return this.#items
  }

  /** What was made of it. */
  get results(): readonly R[] {
    return this.#results
  }

  /**
   * Makes something of each item.
   *
   * @param make is given what was made of the same object the last time, if anything
   * @returns the list of the last time if all of it is the same
   */
  map(items: readonly T[], make: (item: T, before: R | undefined) => R): readonly R[] {
    const before = this.#results
    const results =
      items === this.#items ? items.map((item, at) => make(item, before[at])) : this.#mapOther(items, make)
    const isSame =
      results.length === before.length && results.every((result, index) => result === before[index])
    this.#items = items
    this.#results = isSame ? before : results
    return this.#results
  }

  /** As `map`, where nothing else can have become of an item that was there the last time. */
  mapNew(items: readonly T[], make: (item: T) => R): readonly R[] {
    const { start, endBefore, endAfter } = middleOf(this.#items, items)
    if (start === endBefore && start === endAfter) return this.#results
    const replaced = endBefore === endAfter ? this.#replacedIn(items, start, endAfter) : undefined
    this.#results =
      replaced === undefined
        ? this.#spliced(items, { start, endBefore, endAfter }, make)
        : withAll(
            this.#results,
            replaced.map(({ at, item }) => [at, make(item)]),
          )
    this.#items = items
    return this.#results
  }

  /** The items that stand in the place of their like; undefined when something has moved. Most changes of long lists are of this kind. */
  #replacedIn(items: readonly T[], start: number, end: number): { at: number; item: T }[] | undefined {
    const replaced: { at: number; item: T }[] = []
    for (let at = start; at < end; at += 1) {
      const [was, item] = [this.#items[at], items[at]]
      if (was === item || was === undefined || item === undefined) continue
      if (this.#order(was, item) !== 0) return undefined
      replaced.push({ at, item })
    }
    return replaced
  }

  #spliced(items: readonly T[], { start, endBefore, endAfter }: Middle, make: (item: T) => R): readonly R[] {
    let at = start
    const made = items.slice(start, endAfter).map((item) => {
      at = this.#find(item, at)
      const known = this.#items[at] === item ? this.#results[at] : undefined
      return known ?? make(item)
    })
    return withMiddle(this.#results, start, endBefore, made)
  }

  /** As `map` of the list of the last time, where nothing else can have become of items than of those at these places. */
  remap(places: Iterable<number>, make: (item: T, before: R) => R): readonly R[] {
    let results: R[] | undefined
    for (const at of places) {
      const [item, before] = [this.#items[at], this.#results[at]]
      if (item === undefined || before === undefined) continue
      const result = make(item, before)
      if (result === before) continue
      results ??= [...this.#results]
      results[at] = result
    }
    this.#results = results ?? this.#results
    return this.#results
  }

  #mapOther(items: readonly T[], make: (item: T, before: R | undefined) => R): readonly R[] {
    let at = 0
    return items.map((item) => {
      at = this.#find(item, at)
      return make(item, this.#items[at] === item ? this.#results[at] : undefined)
    })
  }

  /** Where the item stands, or the first one behind it. @param from no later than that */
  #find(item: T, from: number): number {
    let at = from
    for (let other = this.#items[at]; other !== undefined && other !== item; other = this.#items[at]) {
      if (this.#order(other, item) >= 0) break
      at += 1
    }
    return at
  }
}

function withAll<R>(list: readonly R[], others: readonly (readonly [number, R])[]): readonly R[] {
  const all = [...list]
  for (const [at, one] of others) all[at] = one
  return all
}
