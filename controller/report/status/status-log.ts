import type { StatusAddress } from "../../model/objects/status-address.ts"
import type { Failure } from "../../support/failure.ts"
import type { Log } from "../../support/log.ts"
import type { Addresses } from "./addresses.ts"
import type { Outcome } from "./write-all.ts"

/** A round of writes. */
export interface Round extends Outcome {
  readonly addresses: readonly StatusAddress[]
  /** how many Ingresses still have another status, whether that was tried in this round or not */
  readonly left: number
}

/** Tells the log what becomes of the status: what was written, and each trouble once when it begins and once when it is over. */
export class StatusReport {
  readonly #log: Pick<Log, "info" | "warn">
  #unknown = { reason: "", times: 0 }
  #trouble = ""

  constructor(log: Pick<Log, "info" | "warn">) {
    this.#log = log
  }

  /** What is missing in one round may be there in the next, as at the start: only then it is worth a line. */
  found(addresses: Addresses): void {
    const reason = addresses.kind === "unknown" ? addresses.reason : ""
    const times = reason === this.#unknown.reason ? this.#unknown.times + 1 : 1
    this.#unknown = { reason, times }
    if (reason !== "" && times === 2)
      this.#log.info({ detail: reason }, "Addresses for the status of Ingresses are not known")
  }

  written({ written, addresses, left, refused, broken }: Round): void {
    if (written > 0)
      this.#log.info(
        { ingresses: written, addresses: addresses.map(printAddress) },
        "Wrote the status of Ingresses",
      )
    const failure = broken ?? [...refused.values()][0]
    if (failure) this.#begin(failure, left)
    else if (left === 0) this.#end()
  }

  /** Another failure of the same sort is no news. */
  #begin({ code, message }: Failure, left: number): void {
    if (code !== this.#trouble)
      this.#log.warn({ ingresses: left, detail: message }, "Cannot write the status of Ingresses")
    this.#trouble = code
  }

  #end(): void {
    if (this.#trouble !== "") this.#log.info("The status of Ingresses is written again")
    this.#trouble = ""
  }
}

/** `192.0.2.1`, `lb.test`, or both when they are one address. */
function printAddress({ ip, hostname }: StatusAddress): string {
  return [ip, hostname].filter((text) => text !== "").join(" ")
}
