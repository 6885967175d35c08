import { isDeepStrictEqual } from "node:util"
import type { AddressList } from "../../model/access.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import type { RoutesChange } from "./hosts/routes-change.ts"
import { listsOf } from "./parsed/route-access.ts"

/** The address lists that routes name: each once, in canonical order. Kept from pass to pass. */
export class MergedLists {
  readonly #lists = new CountedList<AddressList>(({ id }) => id, isDeepStrictEqual)

  update({ added, removed }: RoutesChange): void {
    // First those that came: what they share with those that went stays the same object.
    for (const { access } of added) for (const list of listsOf(access)) this.#lists.add(list)
    for (const { access } of removed) for (const list of listsOf(access)) this.#lists.remove(list)
  }

  get lists(): readonly AddressList[] {
    return this.#lists.items()
  }
}
