/** What is to happen in virtual time: a binary heap. Of two things at one time the one that was scheduled first happens first. */

interface Item<T> {
  readonly time: number
  readonly order: number
  readonly value: T
}

export class Schedule<T> {
  readonly #heap: Item<T>[] = []
  #order = 0

  /** Time of the next one; infinite when there is none. */
  get nextTime(): number {
    return this.#heap[0]?.time ?? Number.POSITIVE_INFINITY
  }

  add(time: number, value: T): void {
    const item = { time, order: this.#order++, value }
    let at = this.#heap.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = this.#heap[parent] as Item<T>
      if (isBefore(above, item)) break
      this.#heap[at] = above
      at = parent
    }
    this.#heap[at] = item
  }

  /** Takes the next one out. */
  take(): T {
    const [first, last] = [this.#heap[0], this.#heap.pop()]
    if (!first || !last) throw new Error("Nothing is scheduled")
    if (first !== last) this.#sink(last)
    return first.value
  }

  #sink(item: Item<T>): void {
    const heap = this.#heap
    let at = 0
    while (true) {
      let child = 2 * at + 1
      const [left, right] = [heap[child], heap[child + 1]]
      if (!left) break
      if (right && isBefore(right, left)) child++
      const least = heap[child] as Item<T>
      if (isBefore(item, least)) break
      heap[at] = least
      at = child
    }
    heap[at] = item
  }
}

function isBefore(a: Item<unknown>, b: Item<unknown>): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order)
}
