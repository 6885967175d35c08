import { assertSame } from "../../../support/content-name.ts"
import { byText } from "../../../support/order.ts"
import { patched } from "../order.ts"

const byId = byText(({ id }: { readonly id: string }) => id)

/** Things that several may use, called by hashes of their content: each once, in the order of their ids; kept from pass to pass. */
export class Counted<T extends { readonly id: string }> {
  readonly #users = new Map<string, { readonly thing: T; count: number }>()
  readonly #fresh = new Set<T>()
  readonly #gone = new Set<T>()
  readonly #isSame: (a: T, b: T) => boolean
  #all: readonly T[] = []

  constructor(isSame: (a: T, b: T) => boolean) {
    this.#isSame = isSame
  }

  /** @throws AssertionError when another thing has its id */
  add(thing: T): void {
    const known = this.#users.get(thing.id)
    if (known !== undefined) {
      assertSame(thing.id, known.thing, thing, this.#isSame)
      known.count += 1
    } else {
      this.#users.set(thing.id, { thing, count: 1 })
      this.#fresh.add(thing)
    }
  }

  remove({ id }: T): void {
    const known = this.#users.get(id)
    if (known === undefined) return
    known.count -= 1
    if (known.count > 0) return
    this.#users.delete(id)
    if (!this.#fresh.delete(known.thing)) this.#gone.add(known.thing)
  }

  /** All that have users; the same list while they are the same. */
  all(): readonly T[] {
    this.#all = patched(this.#all, this.#gone, [...this.#fresh], byId)
    this.#fresh.clear()
    this.#gone.clear()
    return this.#all
  }
}
