/**
 * Slow start: an endpoint that is added to a backend in use gets a share that grows in proportion to its age, until it is as
 * old as the window. The workers agree on the age: the first one that sees the endpoint writes the time into its slot.
 */
import * as attempt from "./attempt"
import * as heap from "../../policy-as/assembly/lib/heap"
import * as record from "./record"
import * as slots from "./slots"
import { Backend } from "./backend"
import { Need } from "./need"
import { Setting } from "./ids"

/** Cell of an endpoint: when it was added, in milliseconds; 0: nobody has seen it yet. */
export const CELL: u32 = 2
/** It was there when the backend came into use. */
const EVER: u64 = 1
/** The backend's own cell: fingerprint (odd) of the only record that was in use so far; 0: none; this: there were others. */
const SEVERAL: u64 = 2


@unmanaged
class State {
  windowMs: u64
  /** When the last one will be warm. */
  warmAt: u64
  /** When the oldest one was added. */
  oldest: u64
  /** Of the attempt that `begin` was called for. */
  now: u64
  oldestAge: u64
}

const SINCE: usize = offsetof<State>()

export function needsOf(at: usize): u32 {
  return windowOf(at) == 0 ? Need.NOTHING : Need.SLOTS
}

function windowOf(at: usize): u64 {
  const setting = record.setting(at, Setting.SLOW_START)
  return setting == 0 ? 0 : load<u32>(record.fieldValue(setting))
}

/** The backend has taken a record, and its slots. Memory: `State`, then u64 time of addition per endpoint. */
export function take(backend: Backend): void {
  const window = windowOf(backend.head)
  if (window == 0) return
  backend.warming = heap.allocate(SINCE + ((<usize>backend.count) << 3))
  const state = changetype<State>(backend.warming)
  state.windowMs = window
  state.warmAt = 0
  state.oldest = u64.MAX_VALUE
  const time = isFirstRecord(backend) ? EVER : max(attempt.nowMs(), EVER)
  slots.getMany(backend, 0, backend.count, CELL)
  for (let i: u32 = 0; i < backend.count; i++) note(backend, state, i, addedAt(backend, i, time))
}

/** Workers that come to the backend one by one find the same record, or another one. */
function isFirstRecord(backend: Backend): bool {
  if (slots.swap(backend, slots.OWN, CELL, 0, backend.fingerprint)) return true
  const first = slots.value(backend, slots.OWN)
  if (first == backend.fingerprint) return true
  slots.swap(backend, slots.OWN, CELL, first, SEVERAL)
  return false
}

/** When an endpoint was added whose cell was read: `time` if nobody has seen it before. */
function addedAt(backend: Backend, index: u32, time: u64): u64 {
  const known = slots.value(backend, index)
  if (known != 0) return known
  slots.swap(backend, index, CELL, 0, time)
  return slots.value(backend, index)
}

function note(backend: Backend, state: State, index: u32, since: u64): void {
  store<u64>(sinceOf(backend, index), since)
  state.warmAt = max(state.warmAt, since + state.windowMs)
  state.oldest = min(state.oldest, since)
}

/** For so many milliseconds more an endpoint with this in its cell has less than its share; 0: it has all. */
export function leftMs(backend: Backend, since: u64): u64 {
  const warmAt = since + windowOf(backend.head)
  return since > EVER && warmAt > attempt.nowMs() ? warmAt - attempt.nowMs() : 0
}

/** An attempt begins: is any endpoint still warming up? */
export function begin(backend: Backend): bool {
  const state = changetype<State>(backend.warming)
  const now = attempt.nowMs()
  if (now >= state.warmAt) return false
  state.now = now
  state.oldestAge = age(state, state.oldest)
  return true
}

/**
 * Is the endpoint not yet due an attempt with this luck? It is with the part of all luck that its age is of the oldest one's:
 * when all are new, all are alike.
 */
export function holdsBack(backend: Backend, index: u32, luck: u32): bool {
  return luck * changetype<State>(backend.warming).oldestAge > warmth(backend, index) << 32
}

export function isWarming(backend: Backend, index: u32): bool {
  return warmth(backend, index) < changetype<State>(backend.warming).oldestAge
}

/** The age of the endpoint, as far as it counts. */
export function warmth(backend: Backend, index: u32): u64 {
  return age(changetype<State>(backend.warming), load<u64>(sinceOf(backend, index)))
}

/** In milliseconds, as far as it counts. */
function age(state: State, since: u64): u64 {
  return since >= state.now ? 0 : min(state.now - since, state.windowMs)
}

function sinceOf(backend: Backend, index: u32): usize {
  return backend.warming + SINCE + ((<usize>index) << 3)
}
