import { assertSame } from "../content-name.ts"
import { compareText } from "../order.ts"
import { SortedList } from "./sorted-list.ts"

/** Things that several may use, with a hash of their content as id: each once as long as somebody uses it, in the order of the ids. */
export class CountedList<T extends { readonly id: string }> {
  readonly #isSame: (a: T, b: T) => boolean
  readonly #used = new Map<string, { readonly thing: T; users: number }>()
  readonly #list = new SortedList<T>((a, b) => compareText(a.id, b.id))

  /** @param isSame whether two different objects say the same */
  constructor(isSame: (a: T, b: T) => boolean) {
    this.#isSame = isSame
  }

  /** Somebody uses it, too. @throws AssertionError when another thing has its id */
  add(thing: T): void {
    const known = this.#used.get(thing.id)
    if (known === undefined) {
      this.#used.set(thing.id, { thing, users: 1 })
      this.#list.add(thing)
      return
    }
    assertSame(thing.id, known.thing, thing, this.#isSame)
    known.users += 1
  }

  /** One of those who use it does so no more. */
  remove({ id }: T): void {
    const known = this.#used.get(id)
    if (known === undefined) return
    known.users -= 1
    if (known.users > 0) return
    this.#used.delete(id)
    this.#list.remove(known.thing)
  }

  /** The same array while nothing changes. */
  items(): readonly T[] {
    return this.#list.items()
  }
}
