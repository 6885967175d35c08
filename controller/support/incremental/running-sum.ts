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
    this.#sum += this.#part(items, start, endAfter) - this.#part(this.#items, start, endBefore)
    this.#items = items
    return this.#sum
  }

  #part(items: readonly T[], from: number, to: number): number {
    return items.slice(from, to).reduce((sum, item) => sum + this.#numberOf(item), 0)
  }
}
