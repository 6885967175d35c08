import { isDeepStrictEqual } from "node:util"
import type { AddressList } from "../../model/access.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import type { RoutesChange } from "./hosts/routes-change.ts"
import type { ParsedRoute } from "./parsed/parsed-route.ts"
import { listsOf } from "./parsed/route-access.ts"

/** The address lists that routes name: each once, in canonical order. Kept from pass to pass. */
export class MergedLists {
  readonly #lists = new CountedList<AddressList>(({ id }) => id, isDeepStrictEqual)

  update({ added, removed }: RoutesChange): void {
    // First those that came: what they share with those that went stays the same object.
    for (const route of added) for (const list of listsNamedBy(route)) this.#lists.add(list)
    for (const route of removed) for (const list of listsNamedBy(route)) this.#lists.remove(list)
  }

  get lists(): readonly AddressList[] {
    return this.#lists.items()
  }
}

function listsNamedBy({ access, proxying }: ParsedRoute): readonly AddressList[] {
  const exempt = proxying.limits?.exempt
  return exempt === undefined ? listsOf(access) : [...listsOf(access), exempt]
}
