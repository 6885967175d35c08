import { monitorEventLoopDelay } from "node:perf_hooks"

/** Requests by what became of them. */
export class Ledger {
  readonly #counts = new Map<string, number>()
  readonly #kills: number[] = []
  readonly #delay = monitorEventLoopDelay({ resolution: 10 })
  readonly #lost: Lost[] = []

  constructor() {
    this.#delay.enable()
  }

  /** Times are `performance.now()`. @param what which kind of client, and with what: "TLS, ewma" */
  answered(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  lost(what: string, startedMs: number, why: string): void {
    this.answered(what)
    this.#lost.push({ what, startedMs, endedMs: performance.now(), why })
  }

  /** A worker is killed now. */
  killed(): void {
    this.#kills.push(performance.now())
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  get kills(): number {
    return this.#kills.length
  }

  get explained(): number {
    return this.#lost.length - this.unexplained.length
  }

  /**
   * A kept connection of a killed worker may take one more request before the client hears of its end: as late as this process ever was, and a
   * little more.
   */
  get slackMs(): number {
    return 100 + this.#delay.max / 1e6
  }

  /** What was lost while no worker was killed, in words. */
  get unexplained(): string[] {
    const { slackMs } = this
    return this.#lost
      .filter(({ startedMs, endedMs }) => !this.#kills.some((ms) => ms > startedMs - slackMs && ms < endedMs))
      .map(({ what, startedMs, why }) => `${what} after ${(startedMs / 1000).toFixed(1)} s: ${why}`)
  }

  byName(): string {
    return [...this.#counts].map(([what, count]) => `${what} ${count.toLocaleString("en")}`).join(", ")
  }
}

interface Lost {
  readonly what: string
  readonly startedMs: number
  readonly endedMs: number
  readonly why: string
}
