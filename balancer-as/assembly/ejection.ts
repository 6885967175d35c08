/**
 * Outlier ejection: an endpoint that failed several times in a row is left out for a while. Failures are counted in the
 * endpoint's slot, over all workers. Never more than half of the endpoints are left out, also when several workers eject at
 * once: of more than that only those count whose time ends first, and all workers see the same.
 */
import * as attempt from "./attempt"
import * as heap from "../../policy-as/assembly/lib/heap"
import * as record from "./record"
import * as slots from "./slots"
import { Backend } from "./backend"
import { Need } from "./need"
import { Setting } from "./ids"

/** Cell of an endpoint: u16 failures in a row · u48 until when it is left out, in milliseconds, in the high bits. */
export const CELL: u32 = 1
const UNTIL_SHIFT: u64 = 16
const FAILURES: u64 = 0xffff
/** The backend's own cell counts ejections: when it stands still there is nothing new in the others. */
const NEVER: u64 = u64.MAX_VALUE


@unmanaged
class State {
  /** Failures in a row that are too many. */
  limit: u64
  ejectionMs: u64
  /** When the backend's own cell was read last, and what it held. */
  checkedAt: u64
  seen: u64
  /** When the first of those who are left out comes back, and the last. */
  firstBack: u64
  lastBack: u64
  /** How many are left out. */
  out: u32
}

const UNTIL: usize = offsetof<State>()

export function needsOf(at: usize): u32 {
  return limitOf(at) == 0 ? Need.NOTHING : Need.SLOTS | Need.REPORT
}

/** 0 if the record does not ask for it. */
function limitOf(at: usize): u32 {
  const setting = record.setting(at, Setting.OUTLIER_EJECTION)
  return setting == 0 ? 0 : load<u32>(record.fieldValue(setting))
}

/** The backend has taken a record, and its slots. Memory: `State`, then u64 until when it is left out, per endpoint. */
export function take(backend: Backend): void {
  const limit = limitOf(backend.head)
  if (limit == 0) return
  backend.ejections = heap.allocate(UNTIL + ((<usize>backend.count) << 3))
  const state = changetype<State>(backend.ejections)
  state.limit = limit
  state.ejectionMs = load<u32>(record.fieldValue(record.setting(backend.head, Setting.OUTLIER_EJECTION)), 4)
  lookAgain(backend, state)
}

/** Reads which endpoints are left out now. */
function lookAgain(backend: Backend, state: State): void {
  const now = attempt.nowMs()
  state.checkedAt = now
  // Before the cells: an ejection in between moves it again.
  state.seen = slots.get(backend, slots.OWN, CELL)
  state.out = 0
  slots.getMany(backend, 0, backend.count, CELL)
  for (let i: u32 = 0; i < backend.count; i++) {
    const until = slots.value(backend, i) >> UNTIL_SHIFT
    leaveOut(backend, i, until > now ? until : 0)
    if (until > now) state.out++
  }
  if (state.out > maxOut(backend)) keepEarliest(backend, state)
  noteTimes(backend, state)
}

function maxOut(backend: Backend): u32 {
  return backend.count >> 1
}

/** Takes back the ejections that end last until half of the endpoints are left; of equal ones those later in the list. */
function keepEarliest(backend: Backend, state: State): void {
  const kept = maxOut(backend)
  const last = lastKept(backend, kept)
  let left = kept - countUntil(backend, last - 1)
  for (let i: u32 = 0; i < backend.count; i++) {
    const until = untilOf(backend, i)
    if (until < last || (until == last && left-- > 0)) continue
    leaveOut(backend, i, 0)
  }
  state.out = kept
}

/** The least time by which at least `count` of those who are left out will be back. */
function lastKept(backend: Backend, count: u32): u64 {
  let low: u64 = 0
  let high: u64 = NEVER >> UNTIL_SHIFT
  while (low < high) {
    const middle = (low + high) >> 1
    if (countUntil(backend, middle) >= count) high = middle
    else low = middle + 1
  }
  return low
}

/** How many are left out, but not beyond this time. */
function countUntil(backend: Backend, time: u64): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < backend.count; i++) {
    const until = untilOf(backend, i)
    if (until != 0 && until <= time) count++
  }
  return count
}

function noteTimes(backend: Backend, state: State): void {
  state.firstBack = NEVER
  state.lastBack = 0
  for (let i: u32 = 0; i < backend.count; i++) {
    const until = untilOf(backend, i)
    if (until == 0) continue
    state.firstBack = min(state.firstBack, until)
    state.lastBack = max(state.lastBack, until)
  }
}

/** An attempt begins: is any endpoint left out? What other workers eject is seen with the clock's next step. */
export function begin(backend: Backend): bool {
  const state = changetype<State>(backend.ejections)
  const now = attempt.nowMs()
  if (now != state.checkedAt) check(backend, state, now)
  return state.out > 0
}

function check(backend: Backend, state: State, now: u64): void {
  state.checkedAt = now
  const hasNews = slots.get(backend, slots.OWN, CELL) != state.seen
  if (hasNews || now >= state.firstBack) lookAgain(backend, state)
}

export function isOut(backend: Backend, index: u32): bool {
  return untilOf(backend, index) != 0
}

/** For so many milliseconds more it is left out; 0: it is not. */
export function leftMs(backend: Backend, index: u32): u64 {
  const until = untilOf(backend, index)
  return until > attempt.nowMs() ? until - attempt.nowMs() : 0
}

/** Failures in a row, in the cell of an endpoint. */
export function failuresIn(cell: u64): u64 {
  return cell & FAILURES
}

/** An attempt with this endpoint has ended. A client that went away before says nothing about it. */
export function report(backend: Backend, index: u32): void {
  if (!attempt.wasDecided()) return
  if (attempt.hasFailed()) addFailure(backend, index)
  else forgetFailures(backend, index)
}

function forgetFailures(backend: Backend, index: u32): void {
  let cell = slots.get(backend, index, CELL)
  while ((cell & FAILURES) != 0 && !slots.swap(backend, index, CELL, cell, cell & ~FAILURES)) {
    cell = slots.value(backend, index)
  }
}

function addFailure(backend: Backend, index: u32): void {
  const state = changetype<State>(backend.ejections)
  const now = attempt.nowMs()
  let cell = slots.get(backend, index, CELL)
  // While it is left out, failures of attempts from before count no more.
  while (cell >> UNTIL_SHIFT <= now) {
    const failures = min((cell & FAILURES) + 1, FAILURES)
    const isTooMany = failures >= state.limit && mayEject(backend, state)
    const next = isTooMany ? (now + state.ejectionMs) << UNTIL_SHIFT : failures
    if (slots.swap(backend, index, CELL, cell, next)) {
      if (isTooMany) announce(backend, state)
      return
    }
    cell = slots.value(backend, index)
  }
}

function mayEject(backend: Backend, state: State): bool {
  lookAgain(backend, state)
  return state.out < maxOut(backend)
}

/** Tells the other workers that there is something new in the cells. */
function announce(backend: Backend, state: State): void {
  slots.add(backend, slots.OWN, CELL, 1)
  lookAgain(backend, state)
}

function untilOf(backend: Backend, index: u32): u64 {
  return load<u64>(backend.ejections + UNTIL + ((<usize>index) << 3))
}

function leaveOut(backend: Backend, index: u32, until: u64): void {
  store<u64>(backend.ejections + UNTIL + ((<usize>index) << 3), until)
}
