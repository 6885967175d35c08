// When a responder is asked again.

/** Responders that have served an answer from a cache may have another one soon, those that say 0 seconds may not be asked all the time. */
const minRefreshMs = 10_000

/** Half of an answer's life, more or less: what was asked for side by side does not stay so. */
const refresh = { from: 0.4, width: 0.2 }

/** Certificates that come together are asked about at this distance, on the average twice that: an answer takes a millisecond or two of the CPU. */
const distanceMs = 20

/** Milliseconds until an answer that holds for `leftMs` is asked for again. @param random 0 ≤ value < 1 */
export function refreshMs(leftMs: number, random: number): number {
  return Math.max(leftMs * (refresh.from + refresh.width * random), minRefreshMs)
}

/** Milliseconds until the first attempt for one of so many certificates that came together. @param random 0 ≤ value < 1 */
export function firstMs(together: number, random: number): number {
  return (together - 1) * distanceMs * random
}
