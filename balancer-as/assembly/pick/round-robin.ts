/**
 * Weighted round robin: the list is gone round again and again, and lib/turns.ts of the package says whose turn it is. Equal
 * weights: each in turn. A pick costs (greatest weight / mean weight) steps, one when the weights are equal.
 */
import * as avoid from "../avoid"
import * as heap from "../../../policy-as/assembly/lib/heap"
import * as random from "../random"
import { isDue } from "../../../policy-as/assembly/lib/turns"
import { Backend } from "../backend"


@unmanaged
export class State {
  /** The endpoint whose turn is next. */
  next: u32
  /** Rounds so far, modulo the greatest weight. */
  round: u32
  greatestWeight: u32
  /** All weights are the same: each turn is due. */
  areEqual: bool
}

/**
 * Each instance begins somewhere else, so that the workers do not all begin with the same endpoint. When the list changes
 * the turns go on at the same place.
 */
export function prepare(backend: Backend, before: Backend | null): void {
  prepareWith(backend, before, offsetof<State>())
}

/** The same for an algorithm that falls back on turns: `bytes` of state, which begin with ours. */
export function prepareWith(backend: Backend, before: Backend | null, bytes: usize): void {
  backend.state = heap.allocate(bytes)
  const state = changetype<State>(backend.state)
  const greatest = backend.greatestWeight()
  state.greatestWeight = greatest
  state.areEqual = areEqual(backend)
  if (before == null) begin(state, random.below(backend.count), random.below(greatest))
  else goOn(backend, state, changetype<State>(before.state))
}

function areEqual(backend: Backend): bool {
  let i: u32 = 1
  while (i < backend.count && backend.endpoint(i).weight == backend.endpoint(0).weight) i++
  return i == backend.count
}

function goOn(backend: Backend, state: State, before: State): void {
  const next = before.next < backend.count ? before.next : random.below(backend.count)
  begin(state, next, before.round % state.greatestWeight)
}

function begin(state: State, next: u32, round: u32): void {
  state.next = next
  state.round = round
}

/**
 * The turn of an endpoint to keep away from passes to the one behind it, and the next attempt goes on behind that: so the
 * others share its load evenly.
 */
export function pick(backend: Backend): u32 {
  const state = changetype<State>(backend.state)
  if (!avoid.isNeeded) return turn(backend, state)
  for (let i: u32 = 0; i < backend.count; i++) {
    const index = turn(backend, state)
    if (!avoid.from(backend, index)) return index
  }
  return avoid.leftover(backend)
}

// @ts-ignore: decorator
@inline
function turn(backend: Backend, state: State): u32 {
  return state.areEqual ? nextTurn(backend, state) : nextDue(backend, state)
}

/** The place of whose turn it is; the next one's turn comes. */
// @ts-ignore: decorator
@inline
function nextTurn(backend: Backend, state: State): u32 {
  const index = state.next
  const next = index + 1
  state.next = next == backend.count ? 0 : next
  return index
}

function nextDue(backend: Backend, state: State): u32 {
  while (true) {
    const round = state.round
    const index = nextTurn(backend, state)
    if (state.next == 0) state.round = round + 1 == state.greatestWeight ? 0 : round + 1
    if (isDue(index, backend.endpoint(index).weight, round, state.greatestWeight)) return index
  }
}
