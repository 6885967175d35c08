import { isDeepStrictEqual } from "node:util"
import { type AddressList, isSameUserList, type UserList } from "../../model/access.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import type { RoutesChange } from "./hosts/routes-change.ts"
import type { ParsedRoute } from "./parsed/parsed-route.ts"
import { listsOf, passwordsOf } from "./parsed/route-access.ts"

/** The lists of addresses and users that routes name: each once, in canonical order. Kept from pass to pass. */
export class MergedLists {
  readonly #addresses = new CountedList<AddressList>(({ id }) => id, isDeepStrictEqual)
  readonly #users = new CountedList<UserList>(({ id }) => id, isSameUserList)

  followRoutes({ added, removed }: RoutesChange): void {
    // First those that came: what they share with those that went stays the same object.
    for (const route of added) {
      for (const list of addressListsOf(route)) this.#addresses.add(list)
      for (const password of passwordsOf(route.access)) this.#users.add(password.users)
    }
    for (const route of removed) {
      for (const list of addressListsOf(route)) this.#addresses.remove(list)
      for (const password of passwordsOf(route.access)) this.#users.remove(password.users)
    }
  }

  get addresses(): readonly AddressList[] {
    return this.#addresses.items()
  }

  get users(): readonly UserList[] {
    return this.#users.items()
  }
}

function addressListsOf({ access, proxying }: ParsedRoute): readonly AddressList[] {
  const exempt = proxying.limits?.exempt
  return exempt === undefined ? listsOf(access) : [...listsOf(access), exempt]
}
