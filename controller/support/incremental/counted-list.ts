import { assertSame } from "../content-name.ts"
import { compareText } from "../order.ts"
import { SortedList } from "./sorted-list.ts"

/** Things that several may use, named by a hash of their content: each once as long as somebody uses it, in the order of the names. */
export class CountedList<T> {
  readonly #nameOf: (thing: T) => string
  readonly #isSame: (a: T, b: T) => boolean
  readonly #used = new Map<string, { readonly thing: T; users: number }>()
  readonly #list: SortedList<T>

  /** @param isSame whether two different objects say the same */
  constructor(nameOf: (thing: T) => string, isSame: (a: T, b: T) => boolean) {
    this.#nameOf = nameOf
    this.#isSame = isSame
    this.#list = new SortedList<T>((a, b) => compareText(nameOf(a), nameOf(b)))
  }

  /** Somebody uses it, too. @throws AssertionError when another thing has its name */
  add(thing: T): void {
    const name = this.#nameOf(thing)
    const known = this.#used.get(name)
    if (known === undefined) {
      this.#used.set(name, { thing, users: 1 })
      this.#list.add(thing)
      return
    }
    assertSame(name, known.thing, thing, this.#isSame)
    known.users += 1
  }

  /** One of those who use it does so no more. */
  remove(thing: T): void {
    const name = this.#nameOf(thing)
    const known = this.#used.get(name)
    if (known === undefined) return
    known.users -= 1
    if (known.users > 0) return
    this.#used.delete(name)
    this.#list.remove(known.thing)
  }

  /** The same array while nothing changes. */
  items(): readonly T[] {
    return this.#list.items()
  }
}
