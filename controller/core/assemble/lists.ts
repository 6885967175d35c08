import { isDeepStrictEqual } from "node:util"
import { type AddressList, isSameUserList, type UserList } from "../../model/access.ts"
import { CountedList } from "../../support/incremental/counted-list.ts"
import { listsOf, passwordsOf } from "../declared/access.ts"
import type { Rule } from "../declared/rule.ts"
import type { DeclaredStream } from "../declared/stream.ts"
import type { RulesChange } from "./rules-change.ts"

/** The lists of addresses and users that rules and streams name: each once, in canonical order. Kept from pass to pass. */
export class MergedLists {
  readonly #addresses = new CountedList<AddressList>(({ id }) => id, isDeepStrictEqual)
  readonly #users = new CountedList<UserList>(({ id }) => id, isSameUserList)

  #streams: readonly DeclaredStream[] = []

  followRules({ added, removed }: RulesChange): void {
    // First those that came: what they share with those that went stays the same object.
    for (const rule of added) {
      for (const list of addressListsOf(rule)) this.#addresses.add(list)
      for (const password of passwordsOf(rule.access)) this.#users.add(password.users)
    }
    for (const rule of removed) {
      for (const list of addressListsOf(rule)) this.#addresses.remove(list)
      for (const password of passwordsOf(rule.access)) this.#users.remove(password.users)
    }
  }

  /** Lists of streams. */
  followStreams(streams: readonly DeclaredStream[]): void {
    if (streams === this.#streams) return
    for (const list of streams.flatMap(({ settings }) => listsOf(settings))) this.#addresses.add(list)
    for (const list of this.#streams.flatMap(({ settings }) => listsOf(settings)))
      this.#addresses.remove(list)
    this.#streams = streams
  }

  get addresses(): readonly AddressList[] {
    return this.#addresses.items()
  }

  get users(): readonly UserList[] {
    return this.#users.items()
  }
}

function addressListsOf({ access, proxying }: Rule): readonly AddressList[] {
  const exempt = proxying.limits?.exempt
  return exempt === undefined ? listsOf(access) : [...listsOf(access), exempt]
}
