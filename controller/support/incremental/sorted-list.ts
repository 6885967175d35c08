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
    const kept =
      this.#removed.size === 0 ? this.#items : this.#items.filter((item) => !this.#removed.has(item))
    this.#items = withItems(kept, [...this.#added], this.#order)
    this.#added.clear()
    this.#removed.clear()
    return this.#items
  }
}

/** More than so many are merged into a list, fewer are put into it one by one. */
const few = 16

/** A sorted list with more items; the list itself when there are none. */
export function withItems<T>(
  list: readonly T[],
  added: readonly T[],
  order: (a: T, b: T) => number,
): readonly T[] {
  if (added.length === 0) return list
  const [only, ...others] = added
  if (only !== undefined && others.length === 0) return list.toSpliced(placeOf(list, only, order), 0, only)
  const all = [...list]
  if (added.length > few) return all.concat(added).sort(order)
  for (const item of added) all.splice(placeOf(all, item, order), 0, item)
  return all
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
