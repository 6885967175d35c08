import { zoneNames } from "../../../model/http/processes.ts"
import type { Fixed, Live } from "../../../model/model.ts"
import type { Problem } from "../../../model/problem.ts"
import type { NamespaceUse } from "../../../model/zone-fill.ts"
import type { ZoneRooms } from "./room.ts"
import { shareProblems } from "./share-problems.ts"
import {
  type Accounts,
  accountsOf,
  overShares,
  sharesOf,
  withinShares,
  type ZoneShares,
} from "./within-shares.ts"

interface Last {
  readonly accounts: Accounts
  readonly shares: ZoneShares
}

/** Keeps namespaces to their shares, and remembers what the last ones came to, for whoever looks. */
export class Shares {
  readonly #roomsOf: (fixed: Fixed) => ZoneRooms
  #last: Last | undefined

  /** @param roomsOf with the sizes that zones may come to have */
  constructor(roomsOf: (fixed: Fixed) => ZoneRooms) {
    this.#roomsOf = roomsOf
  }

  /** What may be in force of what is wanted: the same object if it is all of it. */
  within(wanted: Live, fixed: Fixed): { readonly live: Live; readonly problems: readonly Problem[] } {
    const accounts = accountsOf(wanted)
    const shares = sharesOf(accounts, this.#roomsOf(fixed), fixed.http.processes.zoneShare)
    this.#last = { accounts, shares }
    const problems = shareProblems(overShares(accounts, shares), accounts)
    return { live: withinShares(wanted, accounts, shares), problems }
  }

  /** What each namespace wants of each zone, those that want most first. */
  uses(): readonly NamespaceUse[] {
    const { accounts, shares } = this.#last ?? {}
    if (accounts === undefined || shares === undefined) return []
    return zoneNames.flatMap((zone) =>
      [...accounts[zone].wanted]
        .map(([namespace, bytes]) => ({ zone, namespace, bytes, shareBytes: shares[zone] }))
        .sort((a, b) => b.bytes - a.bytes),
    )
  }
}
