/**
 * Consistent hashing: requests whose key is the same go to the same endpoint, and when endpoints come or go only those keys
 * move that must.
 */
import * as avoid from "../avoid"
import * as hashKey from "./hash-key"
import * as heap from "../../../policy-as/assembly/lib/heap"
import * as onRing from "./on-ring"
import { Backend } from "../backend"


@unmanaged
class State {
  template: usize
}

function stateOf(backend: Backend): State {
  return changetype<State>(backend.state)
}

export function prepare(backend: Backend, before: Backend | null): void {
  backend.state = heap.allocate(offsetof<State>())
  const state = stateOf(backend)
  state.template = hashKey.templateOf(backend)
  backend.ring = onRing.ringOf(backend, before)
}

export function pick(backend: Backend): u32 {
  const state = stateOf(backend)
  if (!hashKey.read(backend, state.template)) return avoid.leftover(backend)
  return onRing.choose(backend, backend.ring!, hashKey.hash)
}
