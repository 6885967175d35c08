/** The points of one member of a ring, as lua-resty-balancer computes them (nginx chains them in the same way). */
import * as crc32 from "../crc32"

const POINTS_PER_WEIGHT: u32 = 160
/** No ring of the filter has many more points: so the first ring of a backend takes a quarter of a callback's time at most. */
export const MAX_POINTS: u64 = 1 << 19
/** A weight counts as this at most, whatever a record says. */
export const MAX_WEIGHT: u32 = 100
export const MAX_OF_MEMBER: u32 = MAX_WEIGHT * POINTS_PER_WEIGHT

/**
 * How often each member's number of points is halved in a ring of this total weight: 0 up to a weight of 3,276 where
 * `MAX_POINTS` is the limit. A member
 * keeps its first points, so that only the keys of the others move.
 */
export function halvings(weight: u64, maxPoints: u64): u32 {
  let halvings: u32 = 0
  while ((weight * POINTS_PER_WEIGHT) >> halvings > maxPoints) halvings++
  return halvings
}

/** How many points a member of this weight has; a multiple of 4. */
export function count(weight: u32, halvings: u32): u32 {
  return max(((weight * POINTS_PER_WEIGHT) >> halvings) & ~3, 4)
}

/**
 * Writes `count` points (a multiple of 4) to `to`. Each is ~R(base ^ point before it), with 0 before the first and R what
 * a register goes through while four bytes of zero pass. R is linear, so four chains of every fourth point go side by side.
 */
export function write(base: u32, count: u32, to: usize): void {
  const step = ~R(base)
  const fourSteps = step ^ R(step ^ R(step ^ R(step)))
  let first = step
  let second = step ^ R(first)
  let third = step ^ R(second)
  let fourth = step ^ R(third)
  const end = to + ((<usize>count) << 2)
  while (true) {
    store<u32>(to, first)
    store<u32>(to, second, 4)
    store<u32>(to, third, 8)
    store<u32>(to, fourth, 12)
    to += 16
    if (to == end) return
    first = fourSteps ^ crc32.passFourZeroWords(first)
    second = fourSteps ^ crc32.passFourZeroWords(second)
    third = fourSteps ^ crc32.passFourZeroWords(third)
    fourth = fourSteps ^ crc32.passFourZeroWords(fourth)
  }
}

// @ts-ignore: decorator
@inline
function R(register: u32): u32 {
  return crc32.passZeroWord(register)
}
