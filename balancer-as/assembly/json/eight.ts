/** Eight bytes of a text at a time. Each may say no although the answer is yes, never the other way round. */

const HIGH_BITS: u64 = 0x8080808080808080
const ONES: u64 = 0x0101010101010101
const QUOTES: u64 = 0x22 * ONES
const BACKSLASHES: u64 = 0x5c * ONES
const SPACES: u64 = 0x20 * ONES

// @ts-ignore: decorator
@inline
export function areAscii(word: u64): bool {
  return (word & HIGH_BITS) == 0
}

/** Is none of them a quote, a backslash or a control character? */
// @ts-ignore: decorator
@inline
export function needNoEscape(word: u64): bool {
  const quote = word ^ QUOTES
  const backslash = word ^ BACKSLASHES
  // Taking 1 from a byte that is 0 (or 32 from one below) sets its high bit, unless that was set before.
  const below = ((word - SPACES) & ~word) | ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash)
  return (below & HIGH_BITS) == 0
}
