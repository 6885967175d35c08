/**
 * Peak EWMA: of two endpoints drawn at random the one with the lower score, which is how soon its responses began lately, times
 * the attempts of this worker that run on it and this one. Each endpoint has a cell that all workers share: a moving average of
 * the times to the first byte, which rises fast and forgets with e^(-t / 10 s), and when it was touched. It is written by
 * compare-and-swap, so no sample is lost and nobody waits.
 *
 * Without the count of what runs the workers all turn to the endpoint that was the quickest until it is no more: in the
 * simulation of half loaded endpoints p99 was then twice that of round robin. Weights have no part in it.
 */
import * as attempt from "../attempt"
import * as heap from "../heap"
import * as running from "../running"
import * as slots from "../slots"
import * as two from "./two"
import { Backend } from "../backend"
import { expOfMinus } from "../exponential"

/** Cell: u32 when it was touched, in milliseconds · f32 average in nanoseconds, in the high bits. 0: no sample yet. */
const CELL: u32 = 0
const DECAY_MS: f64 = 10_000

/** So many times the average may become with one attempt. */
const MAX_RISE: f64 = 2
/** Failures raise the average up to a minute, in nanoseconds. */
const MAX_PENALTY: f64 = 60e9
/** How old the average over all endpoints may be. */
const MAX_AGE_MS: i32 = 1000


@unmanaged
class State {
  /** Average score of the endpoints that have one, 0 if none has. */
  average: f64
  averagedAt: u32
}

export function prepare(backend: Backend, before: Backend | null): void {
  backend.state = heap.allocate(offsetof<State>())
  const state = changetype<State>(backend.state)
  state.average = 0
  state.averagedAt = nowMs() - MAX_AGE_MS
}

/** The one of two with the lower score; the first if they are equal. */
export function pick(backend: Backend): u32 {
  two.draw(backend)
  const a = two.a
  const b = two.b
  if (a == b) return a
  slots.getTwo(backend, a, b, CELL)
  return isBetter(backend, b, a) ? b : a
}

/** Is the score of `a` below that of `b`? */
function isBetter(backend: Backend, a: u32, b: u32): bool {
  const cellA = slots.value(backend, a)
  const cellB = slots.value(backend, b)
  const busyA = <f64>(running.here(backend, a) + 1)
  const busyB = <f64>(running.here(backend, b) + 1)
  if (cellA == cellB) return busyA < busyB
  if (cellA == 0) return unknownScore(backend, cellB) * busyA < scoreAt(cellB, nowMs()) * busyB
  if (cellB == 0) return scoreAt(cellA, nowMs()) * busyA < unknownScore(backend, cellA) * busyB
  // Both decay alike from the later touch on: only the time between them counts.
  const later = <i32>(touchOf(cellA) - touchOf(cellB))
  if (later < 0) return decayed(averageIn(cellA) * busyA, -later) < averageIn(cellB) * busyB
  return averageIn(cellA) * busyA < decayed(averageIn(cellB) * busyB, later)
}

/** An endpoint without a sample counts as the average, or as the one that it is compared with while that is not known. */
function unknownScore(backend: Backend, other: u64): f64 {
  const average = averageScore(backend)
  return average == 0 ? scoreAt(other, nowMs()) : average
}

/** What a time of `average` nanoseconds counts for after `ms`: a slow endpoint is tried again. */
function decayed(average: f64, ms: i32): f64 {
  return average * expOfMinus(<f64>ms / DECAY_MS)
}

function scoreAt(cell: u64, nowMs: u32): f64 {
  return decayed(averageIn(cell), msSince(touchOf(cell), nowMs))
}

/** Takes the attempt into the endpoint's cell. */
export function report(backend: Backend, index: u32): void {
  if (!attempt.isTimed()) return
  while (true) {
    // What was read or written last is mostly still there.
    const cell = slots.value(backend, index)
    const next = attempt.hasAnswered() ? withSample(backend, cell) : withFailure(backend, cell)
    if (slots.swap(backend, index, CELL, cell, next)) return
  }
}

/**
 * A time above the average raises it at once, but to no more than twice: one request that is slow by itself is soon forgotten,
 * while an endpoint that has become slow is at its level after a few. Below it the average follows slowly. The first time of an
 * endpoint counts as it is, unless it is far above those of the others: many are slow just once.
 */
function withSample(backend: Backend, cell: u64): u64 {
  const time = <f64>attempt.firstByteTime()
  const average = cell == 0 ? averageScore(backend) : averageIn(cell)
  if (cell == 0 && average == 0) noteFirst(backend, time)
  if (time >= average) return cellOf(average == 0 ? time : min(time, MAX_RISE * average))
  if (cell == 0) return cellOf(time)
  const weight = expOfMinus(<f64>msSince(touchOf(cell), nowMs()) / DECAY_MS)
  return cellOf(time + (average - time) * weight)
}

/**
 * A failure makes no score better, however quick it was: it doubles the average, up to a limit. So an endpoint that refuses
 * loses against the others after a few attempts, and is tried again as that decays. Where nothing is known yet, that stays so.
 */
function withFailure(backend: Backend, cell: u64): u64 {
  const average = cell == 0 ? averageScore(backend) : averageIn(cell)
  if (average == 0) return cell
  return cellOf(max(average, min(MAX_RISE * average, MAX_PENALTY)))
}

/** Computed from all cells, but not more often than once in a while. 0 if there was no sample at all. */
function averageScore(backend: Backend): f64 {
  const state = changetype<State>(backend.state)
  const now = nowMs()
  if (msSince(state.averagedAt, now) >= (state.average == 0 ? 1 : MAX_AGE_MS)) {
    state.averagedAt = now
    state.average = computeAverage(backend, now)
  }
  return state.average
}

/** The first sample of all is their average. */
function noteFirst(backend: Backend, time: f64): void {
  const state = changetype<State>(backend.state)
  state.average = time
  state.averagedAt = nowMs()
}

function computeAverage(backend: Backend, now: u32): f64 {
  let sum: f64 = 0
  let known: u32 = 0
  slots.getMany(backend, 0, backend.count, CELL)
  for (let i: u32 = 0; i < backend.count; i++) {
    const cell = slots.value(backend, i)
    if (cell == 0) continue
    sum += scoreAt(cell, now)
    known++
  }
  return known == 0 ? 0 : sum / <f64>known
}

function cellOf(average: f64): u64 {
  return ((<u64>reinterpret<u32>(<f32>average)) << 32) | nowMs()
}

function averageIn(cell: u64): f64 {
  return <f64>reinterpret<f32>(<u32>(cell >> 32))
}

/** As a cell has it; comes round after 49 days. */
function nowMs(): u32 {
  return <u32>attempt.nowMs()
}

function touchOf(cell: u64): u32 {
  return <u32>cell
}

/** 0 for what another process touched a moment ahead of this one's clock. */
function msSince(touch: u32, now: u32): i32 {
  return max(<i32>(now - touch), 0)
}
