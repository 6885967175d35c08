import type { Failure } from "../../support/failure.ts"
import type { Log } from "../../support/log.ts"
import type { KeptStatus, Wanted } from "./status-kind.ts"
import type { Outcome } from "./write-all.ts"

/** A round of writes. */
export interface Round<Part> extends Outcome {
  /** one of those that were written; absent: none was */
  readonly part: Part | undefined
  /** how many objects still have another status, whether that was tried in this round or not */
  readonly left: number
}

/** Tells the log what becomes of the status: what was written, and each trouble once when it begins and once when it is over. */
export class StatusReport<Part> {
  readonly #kept: Pick<KeptStatus<Part>, "plural" | "unknown" | "told">
  readonly #log: Pick<Log, "info" | "warn">
  #unknown = { reason: "", times: 0 }
  #trouble = ""

  constructor(kept: Pick<KeptStatus<Part>, "plural" | "unknown" | "told">, log: Pick<Log, "info" | "warn">) {
    this.#kept = kept
    this.#log = log
  }

  /** What is missing in one round may be there in the next, as at the start: only then it is worth a line. */
  found(wanted: Wanted<Part>): void {
    const reason = wanted.kind === "unknown" ? wanted.reason : ""
    const times = reason === this.#unknown.reason ? this.#unknown.times + 1 : 1
    this.#unknown = { reason, times }
    if (reason !== "" && times === 2) this.#log.info({ detail: reason }, this.#kept.unknown)
  }

  written({ written, part, left, refused, broken }: Round<Part>): void {
    if (written > 0)
      this.#log.info(this.#kept.told(written, part), `Wrote the status of ${this.#kept.plural}`)
    const failure = broken ?? [...refused.values()][0]
    if (failure) this.#begin(failure, left)
    else if (left === 0) this.#end()
  }

  /** Another failure of the same sort is no news. */
  #begin({ code, message }: Failure, left: number): void {
    if (code !== this.#trouble)
      this.#log.warn(
        { ...this.#kept.told(left), detail: message },
        `Cannot write the status of ${this.#kept.plural}`,
      )
    this.#trouble = code
  }

  #end(): void {
    if (this.#trouble !== "") this.#log.info(`The status of ${this.#kept.plural} is written again`)
    this.#trouble = ""
  }
}
