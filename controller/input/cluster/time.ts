import { sleep } from "../../support/abort.ts"

/** What time it is, and how to let it pass. Tests have one of their own. */
export interface Time {
  /** milliseconds; never goes back, and may stand still while the machine sleeps */
  readonly nowMs: () => number
  /** milliseconds since 1970; may jump */
  readonly dateMs: () => number
  /** waits, or returns early when the signal aborts */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** 0 ≤ value < 1 */
  readonly random: () => number
}

/** What timers take at most: 24.8 days. */
const longestMs = 2 ** 31 - 1

export const realTime: Time = {
  nowMs: () => performance.now(),
  dateMs: () => Date.now(),
  sleep: (ms, signal) => sleep(Math.min(ms, longestMs), signal),
  random: Math.random,
}
