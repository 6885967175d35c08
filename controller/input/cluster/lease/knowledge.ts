import type { LeaseRecord } from "./lease-record.ts"

/**
 * What is known of the Lease, and since when. A holder's time is counted from when its last sign of life was first seen: what clocks of other
 * machines show is of no use.
 */
export class Knowledge {
  readonly #identity: string
  readonly #nowMs: () => number
  #record: LeaseRecord | undefined
  #sign = ""
  #holder = ""
  #expiresMs = Number.NEGATIVE_INFINITY

  /** @param nowMs milliseconds, never goes back */
  constructor(identity: string, nowMs: () => number) {
    this.#identity = identity
    this.#nowMs = nowMs
  }

  /** As it was last read or written; undefined when there is none. */
  get record(): LeaseRecord | undefined {
    return this.#record
  }

  /** Another replica that held it when it was last there; "" when there is none. */
  get rival(): string {
    return this.#holder === this.#identity ? "" : this.#holder
  }

  /** The Lease as it is now. That it was deleted does not end the time of its holder, who does not know of it yet. */
  hear(record: LeaseRecord | undefined): void {
    this.#record = record
    if (record === undefined || record.sign === this.#sign) return
    this.#sign = record.sign
    this.#holder = record.holder
    this.#expiresMs = this.#nowMs() + record.durationMs
  }

  /** Milliseconds until it may be had; 0 when it may now. */
  get freeInMs(): number {
    return this.rival === "" ? 0 : Math.max(0, this.#expiresMs - this.#nowMs())
  }
}
