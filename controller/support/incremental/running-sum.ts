import { middleOf } from "./middle.ts"

/** The sum of a number of each item of a list, of which few change from one time to the next. */
export class RunningSum<T> {
  readonly #numberOf: (item: T) => number
  #items: readonly T[] = []
  #sum = 0

  /** @param numberOf the same integer for the same object each time, so that sums are exact */
  constructor(numberOf: (item: T) => number) {
    this.#numberOf = numberOf
  }

  of(items: readonly T[]): number {
    const { start, endBefore, endAfter } = middleOf(this.#items, items)
    for (let at = start; at < Math.max(endBefore, endAfter); at += 1) {
      const [was, is] = [at < endBefore ? this.#items[at] : undefined, at < endAfter ? items[at] : undefined]
      if (was !== is) this.#sum += this.#of(is) - this.#of(was)
    }
    this.#items = items
    return this.#sum
  }

  #of(item: T | undefined): number {
    return item === undefined ? 0 : this.#numberOf(item)
  }
}
