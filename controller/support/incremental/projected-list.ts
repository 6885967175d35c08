import { middleOf, withMiddle } from "./middle.ts"

/** What a function of each item alone makes of a long list, of which few items change from one time to the next: the others are not looked into. */
export class ProjectedList<T, R> {
  readonly #resultOf: (item: T) => R
  #items: readonly T[] = []
  #results: readonly R[] = []

  /** @param resultOf the same for the same object each time */
  constructor(resultOf: (item: T) => R) {
    this.#resultOf = resultOf
  }

  /** In their order; the same array while they are the same items. */
  of(items: readonly T[]): readonly R[] {
    const { start, endBefore, endAfter } = middleOf(this.#items, items)
    if (start === endBefore && start === endAfter) return this.#results
    const made = this.#madeOf(items.slice(start, endAfter), start)
    this.#results = withMiddle(this.#results, start, endBefore, made)
    this.#items = items
    return this.#results
  }

  /** Of some items, most of which followed each other the last time, too. @param from where they began then */
  #madeOf(items: readonly T[], from: number): readonly R[] {
    let at = from
    return items.map((item) => {
      // One is gone, or another has its place.
      if (this.#items[at] !== item && this.#items[at + 1] === item) at += 1
      if (this.#items[at] !== item) return this.#resultOf(item)
      const result = this.#results[at] as R
      at += 1
      return result
    })
  }
}
