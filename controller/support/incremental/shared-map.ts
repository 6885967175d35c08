import { LayeredMap } from "./layered-map.ts"

const fewKeys = 64

/** Keys that a view may have over a map that was copied before: the more there are, the rarer are copies, which are large and soon garbage. */
function maxPut(size: number): number {
  return Math.max(fewKeys, 4 * Math.sqrt(size))
}

/**
 * A map whose readers get an immutable view: made after a change in the time that the last changes take, the same object while nothing changes. What
 * is different from one view to a later one need not be looked for, `changedSince`.
 */
export class SharedMap<V> {
  readonly #history = new History()
  /** as it was at some time */
  #base: ReadonlyMap<string, V> = new Map()
  /** since then; undefined: removed */
  readonly #put = new Map<string, V | undefined>()
  #view: ReadonlyMap<string, V> | undefined

  get(key: string): V | undefined {
    return this.#put.has(key) ? this.#put.get(key) : this.#base.get(key)
  }

  /** Sets the value, or removes the key when there is none. */
  put(key: string, value: V | undefined): void {
    this.#history.note(key)
    this.#put.set(key, value)
    this.#view = undefined
  }

  values(): Iterable<V> {
    return [...new LayeredMap(this.#base, this.#put).values()]
  }

  view(): ReadonlyMap<string, V> {
    this.#view ??= this.#make()
    return this.#view
  }

  #make(): ReadonlyMap<string, V> {
    const view = this.#put.size > maxPut(this.#base.size) ? this.#copy() : this.#layered()
    moments.set(view, { history: this.#history, at: this.#history.pass(view.size) })
    return view
  }

  #copy(): ReadonlyMap<string, V> {
    this.#base = new Map(new LayeredMap(this.#base, this.#put))
    this.#put.clear()
    return this.#base
  }

  #layered(): ReadonlyMap<string, V> {
    return new LayeredMap(this.#base, new Map(this.#put))
  }
}

/** When a view was made. It holds no other view: those that nobody reads any more go. */
interface Moment {
  readonly history: History
  readonly at: number
}

const moments = new WeakMap<ReadonlyMap<string, unknown>, Moment>()

/**
 * The keys whose values may not be the same objects in two maps; empty for one and the same.
 *
 * @returns undefined when nobody knows: they are not views of one `SharedMap`, or too many others lie between them
 */
export function changedSince(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): ReadonlySet<string> | undefined {
  if (before === after) return new Set()
  const [from, to] = [moments.get(before), moments.get(after)]
  return from && to && from.history === to.history ? to.history.between(from.at, to.at) : undefined
}

/** For how many views back it is known. A comparer has the last one, or one of few before: others take views, too. */
const maxSteps = 16

/** Which keys were put between views. */
class History {
  #steps: ReadonlySet<string>[] = []
  #open = new Set<string>()
  #at = 0

  note(key: string): void {
    this.#open.add(key)
  }

  /** A view of so many keys is made. When most of them were put, as at the start, they are not kept: nobody saves time by them. @returns its place in time */
  pass(size: number): number {
    const areMost = this.#open.size > Math.max(fewKeys, size / 2)
    this.#steps = areMost ? [] : [...this.#steps.slice(1 - maxSteps), this.#open]
    this.#open = new Set()
    this.#at += 1
    return this.#at
  }

  between(from: number, to: number): ReadonlySet<string> | undefined {
    const first = this.#at - this.#steps.length
    if (from < first || from > to) return undefined
    return new Set(this.#steps.slice(from - first, to - first).flatMap((step) => [...step]))
  }
}
