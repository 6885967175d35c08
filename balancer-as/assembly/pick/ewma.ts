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
import * as heap from "../../../policy-as/assembly/lib/heap"
import * as running from "../running"
import * as slots from "../slots"
import * as two from "./two"
import { Backend } from "../backend"
import {
  averageIn,
  decayed,
  msSince,
  scoreAt,
  touchOf,
  withFailure,
  withTime,
} from "../../../policy-as/assembly/lib/ewma"

/** The cell with the average, see lib/ewma.ts of the package. */
export const CELL: u32 = 0
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

/** How soon the responses of an endpoint with this in its cell began lately, in nanoseconds; 0 without a sample. */
export function scoreIn(cell: u64): u64 {
  return cell == 0 ? 0 : <u64>scoreAt(cell, nowMs())
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
  const now = nowMs()
  const later = msSince(touchOf(cellB), now) - msSince(touchOf(cellA), now)
  if (later < 0) return decayed(averageIn(cellA) * busyA, -later) < averageIn(cellB) * busyB
  return averageIn(cellA) * busyA < decayed(averageIn(cellB) * busyB, later)
}

/** An endpoint without a sample counts as the average, or as the one that it is compared with while that is not known. */
function unknownScore(backend: Backend, other: u64): f64 {
  const average = averageScore(backend)
  return average == 0 ? scoreAt(other, nowMs()) : average
}

/** Takes the attempt into the endpoint's cell. */
export function report(backend: Backend, index: u32): void {
  if (!attempt.isTimed()) return
  while (true) {
    // What was read or written last is mostly still there.
    const cell = slots.value(backend, index)
    const next = attempt.hasAnswered()
      ? withSample(backend, cell)
      : withFailure(cell, othersOf(backend, cell), nowMs())
    if (slots.swap(backend, index, CELL, cell, next)) return
  }
}

/** The first sample of all is the average of all. */
function withSample(backend: Backend, cell: u64): u64 {
  const time = <f64>attempt.firstByteTime()
  const others = othersOf(backend, cell)
  if (cell == 0 && others == 0) noteFirst(backend, time)
  return withTime(cell, time, others, nowMs())
}

/** The average of all, for a cell without a sample. */
function othersOf(backend: Backend, cell: u64): f64 {
  return cell == 0 ? averageScore(backend) : 0
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

/** As a cell has it; comes round after 49 days. */
function nowMs(): u32 {
  return <u32>attempt.nowMs()
}
