/**
 * A moving average of times that rises fast and forgets with e^(-t / 10 s), in one word that workers can share and write by
 * compare-and-swap: u32 when it was touched, in milliseconds · f32 average in nanoseconds, in the high bits. 0: no sample yet.
 * What a time is, and of which endpoint, is the caller's.
 */
import { expOfMinus } from "./exponential"

const DECAY_MS: f64 = 10_000
/** So many times the average may become with one attempt. */
const MAX_RISE: f64 = 2
/** Failures raise the average up to a minute, in nanoseconds. */
const MAX_PENALTY: f64 = 60e9

/** What a time of `average` nanoseconds counts for after `ms`: a slow endpoint is tried again. */
export function decayed(average: f64, ms: i32): f64 {
  return average * expOfMinus(<f64>ms / DECAY_MS)
}

/** What the average counts for by now. */
export function scoreAt(cell: u64, nowMs: u32): f64 {
  return decayed(averageIn(cell), msSince(touchOf(cell), nowMs))
}

/**
 * The cell with one more time. One above the average raises it at once, but to no more than twice: one request that is slow by
 * itself is soon forgotten, while an endpoint that has become slow is at its level after a few. Below it the average follows slowly. The
 * first time of an endpoint counts as it is, unless it is far above those of the others: many are slow just once.
 *
 * @param others what the others' averages are, 0 if not known: only asked of a cell without a sample
 */
export function withTime(cell: u64, time: f64, others: f64, nowMs: u32): u64 {
  const average = cell == 0 ? others : averageIn(cell)
  if (time >= average) return cellOf(average == 0 ? time : min(time, MAX_RISE * average), nowMs)
  if (cell == 0) return cellOf(time, nowMs)
  const weight = expOfMinus(<f64>msSince(touchOf(cell), nowMs) / DECAY_MS)
  return cellOf(time + (average - time) * weight, nowMs)
}

/**
 * The cell after a failure, which makes no average better, however quick it was: it doubles it, up to a limit. So an endpoint that
 * refuses loses against the others after a few attempts, and is tried again as that decays. Where nothing is known yet, that stays so.
 */
export function withFailure(cell: u64, others: f64, nowMs: u32): u64 {
  const average = cell == 0 ? others : averageIn(cell)
  if (average == 0) return cell
  return cellOf(max(average, min(MAX_RISE * average, MAX_PENALTY)), nowMs)
}

export function cellOf(average: f64, nowMs: u32): u64 {
  return ((<u64>reinterpret<u32>(<f32>average)) << 32) | nowMs
}

export function averageIn(cell: u64): f64 {
  return <f64>reinterpret<f32>(<u32>(cell >> 32))
}

/** Comes round after 49 days, from which on it is new again. */
export function touchOf(cell: u64): u32 {
  return <u32>cell
}

/** Other processes' clocks are ahead by moments, what nobody has touched for 25 days seems to be so by days. */
const MAX_AHEAD_MS: i32 = 60_000

/** 0 for what another process touched a moment ahead of this one's clock; at most 25 days. */
export function msSince(touch: u32, now: u32): i32 {
  const ms = <i32>(now - touch)
  if (ms >= 0) return ms
  return ms > -MAX_AHEAD_MS ? 0 : i32.MAX_VALUE
}
