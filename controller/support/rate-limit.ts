/** What rounding may cost: a bucket that is full but for this is full, or waiting could end just before the token is there. */
const rounding = 1e-9

/** A token bucket. Full at first; a token comes back every `1 / perSecond` seconds, at most `burst` are kept. */
export class RateLimit {
  readonly #msPerToken: number
  readonly #burst: number
  readonly #now: () => number
  #tokens: number
  #filledMs: number

  /** @param now a clock in milliseconds that never goes back; @param perSecond greater than 0 */
  constructor(perSecond: number, burst: number, now: () => number = () => performance.now()) {
    this.#msPerToken = 1000 / perSecond
    this.#burst = burst
    this.#now = now
    this.#tokens = burst
    this.#filledMs = now()
  }

  /** Milliseconds until a token is there; 0 when `take` would succeed now. Takes nothing. */
  waitMs(): number {
    this.#fill()
    return this.#tokens >= 1 - rounding ? 0 : Math.ceil((1 - this.#tokens) * this.#msPerToken)
  }

  /** Nothing of what was taken is missing. */
  get isFull(): boolean {
    this.#fill()
    return this.#tokens >= this.#burst - rounding
  }

  /** Takes a token if there is one. */
  take(): boolean {
    this.#fill()
    if (this.#tokens < 1 - rounding) return false
    this.#tokens -= 1
    return true
  }

  #fill(): void {
    const nowMs = this.#now()
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#filledMs) / this.#msPerToken)
    this.#filledMs = nowMs
  }
}
