// When a name is looked up again.
import { type Backoff, backoffMs } from "../../support/backoff.ts"

/** A zone that says 0 would have us ask all the time; one that says a week could not be changed. */
const ttl = { minMs: 1000, maxMs: 3_600_000 }

/** Names that are looked up side by side would otherwise stay so. */
const ttlJitter = { share: 0.1, maxMs: 1000 }

/** After a failure, and where DNS knows nothing: such answers are not cached by us, somebody may be waiting for the name to appear. */
const backoff: Backoff = { firstMs: 1000, maxMs: 30_000, jitter: [1, 1.1] }

/** Milliseconds until what was found has to be looked up again. @param random 0 ≤ value < 1 */
export function refreshMs(ttlSeconds: number, random: number): number {
  const ms = Math.min(Math.max(ttlSeconds * 1000, ttl.minMs), ttl.maxMs)
  return ms + random * Math.min(ms * ttlJitter.share, ttlJitter.maxMs)
}

/** Milliseconds to wait after `misses` lookups in a row, at least 1, that found nothing. @param random 0 ≤ value < 1 */
export function retryMs(misses: number, random: number): number {
  return backoffMs(backoff, misses, random)
}
