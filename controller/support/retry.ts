/** From ten seconds to an hour: whoever is asked is somebody else's server. */
const backoff = { firstMs: 10_000, maxMs: 3_600_000, jitter: 0.2 }

/** Milliseconds to wait after `failures` attempts in a row, at least 1, that brought nothing. @param random 0 ≤ value < 1 */
export function retryMs(failures: number, random: number): number {
  const ms = Math.min(backoff.firstMs * 2 ** (failures - 1), backoff.maxMs)
  return ms * (1 - backoff.jitter * random)
}
