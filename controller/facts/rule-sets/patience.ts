/** Knows who has waited too long, and says so once for each. */
export class Patience {
  readonly #maxMs: number
  readonly #isOver: () => void
  readonly #signal: AbortSignal
  readonly #waiting = new Map<string, { timer: NodeJS.Timeout; isOver: boolean }>()

  /** @param isOver somebody has waited too long */
  constructor(maxMs: number, isOver: () => void, signal: AbortSignal) {
    this.#maxMs = maxMs
    this.#isOver = isOver
    this.#signal = signal
    signal.addEventListener("abort", () => this.of(new Set()), { once: true })
  }

  /** Exactly these wait. Who did before goes on waiting. */
  of(who: ReadonlySet<string>): void {
    for (const [one, { timer }] of this.#waiting) {
      if (who.has(one) && !this.#signal.aborted) continue
      clearTimeout(timer)
      this.#waiting.delete(one)
    }
    for (const one of who) if (!this.#waiting.has(one)) this.#begin(one)
  }

  isOver(one: string): boolean {
    return this.#waiting.get(one)?.isOver ?? false
  }

  #begin(one: string): void {
    if (this.#signal.aborted) return
    const waiting = { timer: setTimeout(() => end(), this.#maxMs), isOver: false }
    const end = () => {
      waiting.isOver = true
      this.#isOver()
    }
    this.#waiting.set(one, waiting)
  }
}
