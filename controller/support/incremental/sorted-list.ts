import { withMiddle } from "./middle.ts"

/** A list in order, of which few items change at a time. */
export class SortedList<T> {
  readonly #order: (a: T, b: T) => number
  readonly #added = new Set<T>()
  readonly #removed = new Set<T>()
  #items: readonly T[] = []

  /** @param order no two items of the list are equal */
  constructor(order: (a: T, b: T) => number) {
    this.#order = order
  }

  add(item: T): void {
    if (!this.#removed.delete(item)) this.#added.add(item)
  }

  /** @param item the same object as was added */
  remove(item: T): void {
    if (!this.#added.delete(item)) this.#removed.add(item)
  }

  /** In order; the same array while nothing changes. */
  items(): readonly T[] {
    if (this.#added.size === 0 && this.#removed.size === 0) return this.#items
    const kept = withoutItems(this.#items, this.#removed, this.#order)
    this.#items = withItems(kept, [...this.#added], this.#order)
    this.#added.clear()
    this.#removed.clear()
    return this.#items
  }
}

/** More than so many are merged into a list or filtered out of it, fewer are put into it or taken from it one by one. */
const few = 16

function withoutItems<T>(
  list: readonly T[],
  removed: ReadonlySet<T>,
  order: (a: T, b: T) => number,
): readonly T[] {
  if (removed.size > few) return list.filter((item) => !removed.has(item))
  let kept = list
  for (const item of removed) {
    const at = placeOf(kept, item, order)
    if (kept[at] === item) kept = withMiddle(kept, at, at + 1, [])
  }
  return kept
}

/** A sorted list with more items; the list itself when there are none. */
export function withItems<T>(
  list: readonly T[],
  added: readonly T[],
  order: (a: T, b: T) => number,
): readonly T[] {
  if (added.length === 0) return list
  if (added.length > few) return list.concat(added).sort(order)
  const [first, ...others] = added
  if (first === undefined) return list
  const at = placeOf(list, first, order)
  return withItems(withMiddle(list, at, at, [first]), others, order)
}

/** Where an item belongs in a sorted list that has none like it. */
export function placeOf<T>(list: readonly T[], item: T, order: (a: T, b: T) => number): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = list[middle]
    if (other !== undefined && order(other, item) < 0) from = middle + 1
    else to = middle
  }
  return from
}
