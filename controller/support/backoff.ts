/** How long to wait between attempts that fail in a row. */
export interface Backoff {
  /** after the first failure, milliseconds */
  readonly firstMs: number
  /** longest wait before jitter, milliseconds; absent: no limit */
  readonly maxMs?: number
  /** each wait is so many times the one before; default: 2 */
  readonly factor?: number
  /** default: none */
  readonly jitter?: Jitter
}

/** A wait is multiplied by a random number between these two, so that many clients do not move in step; `[1, 1.1]`: up to a tenth longer. */
export type Jitter = readonly [from: number, to: number]

/** Milliseconds to wait after `failures` attempts in a row, at least 1, that failed. @param random 0 ≤ value < 1 */
export function backoffMs(backoff: Backoff, failures: number, random = 0): number {
  const { firstMs, maxMs = Number.POSITIVE_INFINITY, factor = 2, jitter = [1, 1] } = backoff
  return jitteredMs(Math.min(firstMs * factor ** (failures - 1), maxMs), jitter, random)
}

/** @param random 0 ≤ value < 1: `from` and `to` of the jitter */
export function jitteredMs(ms: number, [from, to]: Jitter, random: number): number {
  return ms * (from * (1 - random) + to * random)
}
