import type { StatusAddress } from "../objects/status-address.ts"
import type { Log } from "../observe/log.ts"
import type { Failure } from "../support/failure.ts"
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
  #unknown = ""
  #trouble = ""

  constructor(log: Pick<Log, "info" | "warn">) {
    this.#log = log
  }

  found(addresses: Addresses): void {
    const unknown = addresses.kind === "unknown" ? addresses.reason : ""
    if (unknown !== "" && unknown !== this.#unknown)
      this.#log.info({ detail: unknown }, "Addresses for the status of Ingresses are not known")
    this.#unknown = unknown
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
export function printAddress({ ip, hostname }: StatusAddress): string {
  return [ip, hostname].filter((text) => text !== "").join(" ")
}
