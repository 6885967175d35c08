import type { Leadership } from "../../provider/leadership.ts"
import type { Time } from "../time.ts"

/** One moment by both clocks. */
export interface Moment {
  readonly nowMs: number
  readonly dateMs: number
}

/**
 * A leadership that ends by itself unless it is extended. The timer that ends it may be late, as in a process that was stopped: so whoever
 * asks `isLeader` asks the clocks, and then a term that is over ends there and then.
 */
export class Term implements Leadership {
  readonly #time: Pick<Time, "nowMs" | "dateMs" | "sleep">
  readonly #listeners: ((isLeader: boolean) => void)[] = []
  #controller = endedController()
  /** The clock that never goes back may stand still while the machine sleeps; the other one goes on, or is set when it wakes. */
  #end: Moment = { nowMs: Number.NEGATIVE_INFINITY, dateMs: Number.NEGATIVE_INFINITY }

  constructor(time: Pick<Time, "nowMs" | "dateMs" | "sleep">) {
    this.#time = time
  }

  get isLeader(): boolean {
    if (!this.term.aborted && this.#leftMs() <= 0) this.end()
    return !this.term.aborted
  }

  get term(): AbortSignal {
    return this.#controller.signal
  }

  onChange(listener: (isLeader: boolean) => void): void {
    this.#listeners.push(listener)
  }

  moment(): Moment {
    return { nowMs: this.#time.nowMs(), dateMs: this.#time.dateMs() }
  }

  /** Begins a term, or goes on with the present one, until so long after a moment. Nothing begins that would be over already. */
  extend(from: Moment, ms: number): void {
    const wasLeader = this.isLeader
    this.#end = { nowMs: from.nowMs + ms, dateMs: from.dateMs + ms }
    if (!wasLeader && this.#leftMs() > 0) this.#begin()
  }

  /** Writers that depend on the term are stopped first, then everybody is told. */
  end(): void {
    if (this.term.aborted) return
    this.#controller.abort()
    this.#tell(false)
  }

  #begin(): void {
    this.#controller = new AbortController()
    void this.#expire(this.term)
    this.#tell(true)
  }

  async #expire(term: AbortSignal): Promise<void> {
    for (let leftMs = this.#leftMs(); leftMs > 0 && !term.aborted; leftMs = this.#leftMs())
      await this.#time.sleep(leftMs, term)
    if (!term.aborted) this.end()
  }

  #leftMs(): number {
    const { nowMs, dateMs } = this.moment()
    return Math.min(this.#end.nowMs - nowMs, this.#end.dateMs - dateMs)
  }

  #tell(isLeader: boolean): void {
    for (const listener of this.#listeners) listener(isLeader)
  }
}

function endedController(): AbortController {
  const controller = new AbortController()
  controller.abort()
  return controller
}
