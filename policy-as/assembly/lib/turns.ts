/**
 * Weighted turns. The list is gone round again and again; in each round an endpoint of the greatest weight has a turn, one of
 * half that weight in every second round, and so on, each with a start of its own so that the light ones do not come in a
 * crowd. In as many rounds as the greatest weight each has exactly as many turns as its weight says.
 */

/** Fraction of the golden ratio, times 2^32: multiples of it spread evenly over the circle. */
const GOLDEN: u32 = 0x9e3779b1

/**
 * Has the endpoint with this place in the list and this weight a turn in this round (0 to `greatest` − 1)? With
 * `x` = weight · round + start: does `x` + weight pass a multiple of the greatest weight?
 */
// @ts-ignore: decorator
@inline
export function isDue(index: u32, weight: u32, round: u32, greatest: u32): bool {
  if (weight == greatest) return true
  const start = <u32>((<u64>(index * GOLDEN) * greatest) >> 32)
  return (weight * round + start) % greatest >= greatest - weight
}
