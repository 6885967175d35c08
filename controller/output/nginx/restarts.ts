import { type Backoff, backoffMs } from "../../support/backoff.ts"

/** Deaths longer ago than this are forgotten. */
const memoryMs = 60_000
const backoff: Backoff = { firstMs: 1000, maxMs: 30_000 }

/** How long to wait before nginx is started again after its master died: not at all the first time, then 1 s, doubling up to 30 s. */
export class Restarts {
  #deathsMs: readonly number[] = []
  readonly #now: () => number

  /** @param now a clock in milliseconds that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** It died just now. */
  died(): void {
    this.#deathsMs = [...this.#recent(), this.#now()]
  }

  /** Milliseconds from now until it may be started. */
  waitMs(): number {
    const recent = this.#recent()
    const latest = recent.at(-1)
    if (latest === undefined || recent.length < 2) return 0
    return Math.max(0, latest + backoffMs(backoff, recent.length - 1) - this.#now())
  }

  #recent(): number[] {
    return this.#deathsMs.filter((diedMs) => diedMs > this.#now() - memoryMs)
  }
}
