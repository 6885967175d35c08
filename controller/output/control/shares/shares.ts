import { zoneNames } from "../../../model/http/processes.ts"
import type { Fixed, Live } from "../../../model/model.ts"
import type { Problem } from "../../../model/problem.ts"
import type { NamespaceUse } from "../../../model/zone-fill.ts"
import { shareBytes, type ZoneRooms } from "./room.ts"
import { shareProblems } from "./share-problems.ts"
import { Totals } from "./totals.ts"
import {
  type Accounts,
  accountsOf,
  overShares,
  sharesOf,
  withinShares,
  type ZoneShares,
} from "./within-shares.ts"

/** Keeps namespaces to their shares, and remembers what the last ones used, for the page and metrics. */
export class Shares {
  readonly #roomsOf: (fixed: Fixed) => ZoneRooms
  readonly #totals = new Totals()
  #last: { readonly wanted: Live; readonly fixed: Fixed } | undefined

  /** @param roomsOf with the sizes that zones may come to have */
  constructor(roomsOf: (fixed: Fixed) => ZoneRooms) {
    this.#roomsOf = roomsOf
  }

  /** What may be in force of what is wanted: the same object if it is all of it. */
  within(wanted: Live, fixed: Fixed): { readonly live: Live; readonly problems: readonly Problem[] } {
    this.#last = { wanted, fixed }
    // Who wants what is not asked as long as all of them together want no more than one may have.
    if (this.#fitInOne(wanted, fixed)) return { live: wanted, problems: [] }
    const accounts = accountsOf(wanted)
    const shares = this.#sharesOf(accounts, fixed)
    const problems = shareProblems(overShares(accounts, shares), accounts)
    return { live: withinShares(wanted, accounts, shares), problems }
  }

  #fitInOne(wanted: Live, fixed: Fixed): boolean {
    const [totals, rooms] = [this.#totals.of(wanted), this.#roomsOf(fixed)]
    const sharePercent = fixed.http.processes.zoneShare
    return zoneNames.every((zone) => {
      const total = totals[zone]
      return total <= shareBytes([total], 0, { roomBytes: rooms[zone], sharePercent })
    })
  }

  #sharesOf(accounts: Accounts, fixed: Fixed): ZoneShares {
    return sharesOf(accounts, this.#roomsOf(fixed), fixed.http.processes.zoneShare)
  }

  /** What each namespace wants of each zone, those that want most first. */
  uses(): readonly NamespaceUse[] {
    if (this.#last === undefined) return []
    const accounts = accountsOf(this.#last.wanted)
    const shares = this.#sharesOf(accounts, this.#last.fixed)
    return zoneNames.flatMap((zone) =>
      [...accounts[zone].wanted]
        .map(([namespace, bytes]) => ({ zone, namespace, bytes, shareBytes: shares[zone] }))
        .sort((a, b) => b.bytes - a.bytes),
    )
  }
}
