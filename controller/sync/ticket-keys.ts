import type { FormerTicketKey, Tls } from "../model/http/tls.ts"
import type { Fixed, Model } from "../model/model.ts"
import { isSameFile, type SecretFile } from "../model/secret-file.ts"
import { byContentName } from "../support/content-name.ts"
import { compareText } from "../support/order.ts"

export interface TicketKeysOptions {
  /** what nginx ran with before this controller began, whichever version of wick wrote that */
  readonly lastFixed: () => Promise<Fixed | undefined>
  /** reads a file that nginx runs with; absent when it is not there */
  readonly read: (name: string) => Promise<SecretFile | undefined>
}

/**
 * Keeps the key of session tickets that was in force before, so that a new one ends no session. It is kept as long as a ticket made with it can
 * be good and not longer: with a key that somebody else has, he can make a session of anybody's and read those he recorded. One former key at
 * most is in force, so a key that has leaked is out of force once it was changed twice.
 */
export class TicketKeys {
  readonly #options: TicketKeysOptions
  #inForce: Tls | undefined
  #files: ReadonlyMap<string, SecretFile> = new Map()
  #isStarting = true

  constructor(options: TicketKeysOptions) {
    this.#options = options
  }

  /** Notes what nginx runs with; while that is not known, what was known of it stays. */
  async recall(running: Fixed | undefined): Promise<void> {
    const fixed = running ?? (this.#isStarting ? await this.#options.lastFixed() : undefined)
    this.#isStarting = false
    if (fixed === undefined) return
    this.#inForce = tlsIn(fixed)
    const names = [this.#inForce?.ticketKey, this.#inForce?.formerTicketKey?.name]
    const files = names.map(
      async (name) => name && (this.#files.get(name) ?? (await this.#options.read(name))),
    )
    const found = (await Promise.all(files)).filter((file) => typeof file === "object")
    this.#files = new Map(found.map((file) => [file.name, file]))
  }

  /** The model with the former key; the same as before until that key's time is over. */
  withFormer(model: Model, nowMs: number): Model {
    const { http, files = [] } = model.fixed
    const former = formerKey(this.#inForce, http.tls, nowMs)
    const file = former && this.#files.get(former.name)
    if (former === undefined || file === undefined) return model
    const fixed: Fixed = {
      ...model.fixed,
      http: { ...http, tls: { ...http.tls, formerTicketKey: former } },
      files: [...byContentName([...files, file], isSameFile).values()].sort((a, b) =>
        compareText(a.name, b.name),
      ),
    }
    return { ...model, fixed }
  }
}

function formerKey(inForce: Tls | undefined, wanted: Tls, nowMs: number): FormerTicketKey | undefined {
  if (inForce?.ticketKey === undefined || wanted.ticketKey === undefined) return undefined
  if (inForce.ticketKey !== wanted.ticketKey) {
    const maxSeconds = Math.max(inForce.sessionSeconds, wanted.sessionSeconds)
    return { name: inForce.ticketKey, untilMs: nowMs + maxSeconds * 1000 }
  }
  const { formerTicketKey: former } = inForce
  return former && former.untilMs > nowMs ? former : undefined
}

/** Another version of wick may have had other fields. */
function tlsIn({ http }: Fixed): Tls | undefined {
  const tls: Partial<Tls> | undefined = http.tls
  return typeof tls?.ticketKey === "string" && typeof tls.sessionSeconds === "number"
    ? (tls as Tls)
    : undefined
}
