import type { Log } from "../../../support/log.ts"
import { titleOf } from "../kinds.ts"
import type { Look } from "./look.ts"

/** Tells the log which kinds are there: one sentence, and another one when that has changed. */
export class OfferReport {
  readonly #log: Pick<Log, "info">
  #told = ""

  constructor(log: Pick<Log, "info">) {
    this.#log = log
  }

  seen(look: Look): void {
    const told = JSON.stringify(look)
    if (told === this.#told) return
    const isFirst = this.#told === ""
    this.#told = told
    this.#tell(look, isFirst)
  }

  #tell({ offered, missing, denied }: Look, isFirst: boolean): void {
    const titles = (kinds: Look["offered"]) => kinds.map(titleOf)
    const fields = {
      ...(offered.length > 0 && { kinds: titles(offered) }),
      ...(missing.length > 0 && offered.length > 0 && { notInstalled: titles(missing) }),
      ...(denied.length > 0 && { noRightToList: titles(denied) }),
    }
    const isAny = offered.length > 0 || denied.length > 0
    if (isAny) this.#log.info(fields, offered.length > 0 ? served : noRights)
    else this.#log.info(isFirst ? notInstalled : gone)
  }
}

const served = "The Gateway API is served"
const notInstalled = "The Gateway API is not installed: its kinds are not watched until it is"
const gone = "The Gateway API is no longer installed: nothing of it is served"
const noRights = "The Gateway API is not served: give the right to list its kinds, or set --gateway-api=false"
