import { type Backoff, backoffMs } from "../../support/backoff.ts"

/** From ten seconds to an hour: the server that is asked is somebody else's. */
const backoff: Backoff = { firstMs: 10_000, maxMs: 3_600_000, jitter: [1, 0.8] }

/** Milliseconds to wait after `failures` attempts in a row, at least 1, that brought nothing. @param random 0 ≤ value < 1 */
export function retryMs(failures: number, random: number): number {
  return backoffMs(backoff, failures, random)
}
