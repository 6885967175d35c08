import { distinctBy } from "../distinct.ts"
import { setOrDelete } from "../maps.ts"
import { middleOf } from "./middle.ts"

/** A list without what it says twice, of which few items change from one time to the next. */
export class DistinctList<T> {
  readonly #contentOf: (item: T) => string
  readonly #times = new Map<string, number>()
  /** how many of its contents it has more than once */
  #repeated = 0
  #items: readonly T[] = []

  /** @param contentOf the same for items that say the same */
  constructor(contentOf: (item: T) => string) {
    this.#contentOf = contentOf
  }

  /** Each content once, in the order of the first. */
  of(items: readonly T[]): readonly T[] {
    const { start, endBefore, endAfter } = middleOf(this.#items, items)
    for (const item of items.slice(start, endAfter)) this.#count(item, 1)
    for (const item of this.#items.slice(start, endBefore)) this.#count(item, -1)
    this.#items = items
    return this.#repeated === 0 ? items : distinctBy(items, this.#contentOf)
  }

  #count(item: T, more: number): void {
    const content = this.#contentOf(item)
    const before = this.#times.get(content) ?? 0
    const after = before + more
    setOrDelete(this.#times, content, after === 0 ? undefined : after)
    this.#repeated += Number(after > 1) - Number(before > 1)
  }
}
