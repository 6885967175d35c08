import { type Backoff, backoffMs } from "./backoff.ts"
import { RateLimit } from "./rate-limit.ts"

export interface QueueOptions {
  /** one pass over everything; a rejection is a failure and makes the queue try again */
  readonly pass: () => Promise<void>
  /** told of each failed pass; `retryMs` is when the next one comes unless something changes before */
  readonly failed: (error: unknown, retryMs: number) => void
  readonly signal: AbortSignal
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

/**
 * Delay after a failure: ingress-nginx's work queue, and a jitter so that instances do not move in step. That queue waits up to a quarter of an hour;
 * a pass costs little, and what it failed for may be over soon.
 */
export const passBackoff: Backoff = { firstMs: 5, maxMs: 30_000, jitter: [1, 1.1] }

/** Passes after failures, all together: ingress-nginx's work queue. It holds even when changes keep coming. */
const RETRIES = { perSecond: 10, burst: 100 }

/**
 * Runs passes one at a time, with a single slot for the next: however many changes come in, at most one more pass is due.
 * A failed pass is tried again after 5 ms, doubling up to 30 s; a change in between does not wait for that.
 */
export class Queue {
  readonly #options: QueueOptions
  readonly #retries = new RateLimit(RETRIES.perSecond, RETRIES.burst)
  #dueMs = Number.POSITIVE_INFINITY
  #failures = 0
  #running: Promise<void> | undefined
  #cancelTimer = () => {}

  constructor(options: QueueOptions) {
    this.#options = options
    options.signal.addEventListener("abort", () => this.#cancelTimer(), { once: true })
  }

  /** Something changed: a pass that starts after this call will see it. Merges with one that is already due. */
  request(): void {
    this.requestIn(0)
  }

  /** A pass is wanted in a while, for instance when a reload that is held back may go. Any pass before that time serves as well. */
  requestIn(delayMs: number): void {
    this.#dueMs = Math.min(this.#dueMs, performance.now() + delayMs)
    this.#arm()
  }

  /** Resolves when no pass is running. After the signal has aborted none starts any more. */
  async idle(): Promise<void> {
    await this.#running
  }

  #arm(): void {
    if (this.#running || this.#options.signal.aborted || this.#dueMs === Number.POSITIVE_INFINITY) return
    this.#cancelTimer()
    const heldMs = this.#failures > 0 ? this.#retries.waitMs() : 0
    this.#cancelTimer = callAfter(Math.max(heldMs, this.#dueMs - performance.now()), () => this.#start())
  }

  #start(): void {
    this.#dueMs = Number.POSITIVE_INFINITY
    if (this.#failures > 0) this.#retries.take()
    this.#running = this.#run().finally(() => {
      this.#running = undefined
      this.#arm()
    })
  }

  async #run(): Promise<void> {
    try {
      await this.#options.pass()
      this.#failures = 0
    } catch (error) {
      this.#retry(error)
    }
  }

  #retry(error: unknown): void {
    if (this.#options.signal.aborted) return
    this.#failures += 1
    const retryMs = backoffMs(passBackoff, this.#failures, (this.#options.random ?? Math.random)())
    this.#options.failed(error, retryMs)
    this.requestIn(retryMs)
  }
}

/** Calls back once, in this turn of the event loop when nothing is left to wait for (a timer takes at least 1 ms). Returns the cancellation. */
function callAfter(delayMs: number, callback: () => void): () => void {
  if (delayMs > 0) {
    const timer = setTimeout(callback, Math.ceil(delayMs))
    return () => clearTimeout(timer)
  }
  const immediate = setImmediate(callback)
  return () => clearImmediate(immediate)
}
