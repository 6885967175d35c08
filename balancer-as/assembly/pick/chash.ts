/**
 * Consistent hashing: requests whose key is the same go to the same endpoint, and when endpoints come or go only those keys
 * move that must.
 */
import * as avoid from "../avoid"
import * as hashKey from "./hash-key"
import * as heap from "../heap"
import * as onRing from "./on-ring"
import { Backend } from "../backend"
import { Ring, destroy } from "../ring/ring"


@unmanaged
class State {
  /** Null when the next list has taken it over. */
  ring: Ring | null
  template: usize
}

function stateOf(backend: Backend): State {
  return changetype<State>(backend.state)
}

export function prepare(backend: Backend, before: Backend | null): void {
  backend.state = heap.allocate(offsetof<State>())
  const state = stateOf(backend)
  state.template = hashKey.templateOf(backend)
  state.ring = onRing.ringOf(backend, before == null ? null : handOver(before))
}

function handOver(before: Backend): Ring | null {
  const state = stateOf(before)
  const ring = state.ring
  state.ring = null
  return ring
}

export function pick(backend: Backend): u32 {
  const state = stateOf(backend)
  if (!hashKey.read(backend, state.template)) return avoid.leftover(backend)
  return onRing.choose(backend, state.ring!, hashKey.hash)
}

export function release(backend: Backend): void {
  const ring = stateOf(backend).ring
  if (ring != null) destroy(ring)
}
