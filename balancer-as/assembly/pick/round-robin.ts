/**
 * Weighted round robin. The list is gone round again and again; in each round an endpoint of the greatest weight is
 * chosen, one of half that weight in every second round, and so on, each with a start of its own so that the light ones
 * do not come in a crowd. In as many rounds as the greatest weight each is chosen exactly as often as its weight says.
 * Equal weights: each in turn. A pick costs (greatest weight / mean weight) steps, one when the weights are equal.
 */
import * as attempt from "../attempt"
import * as random from "../random"
import { Backend, Endpoint } from "../backend"

/** Fraction of the golden ratio, times 2^32: multiples of it spread evenly over the circle. */
const GOLDEN: u32 = 0x9e3779b1


@unmanaged
class State {
  /** The endpoint whose turn is next. */
  next: u32
  /** Rounds so far, modulo the greatest weight. */
  round: u32
  greatestWeight: u32
}

export function stateBytes(backend: Backend): usize {
  return offsetof<State>()
}

/** Each instance begins somewhere else, so that the workers do not all begin with the same endpoint. */
export function prepare(backend: Backend): void {
  const state = changetype<State>(backend.state)
  let greatest: u32 = 1
  for (let i: u32 = 0; i < backend.count; i++) greatest = max(greatest, <u32>backend.endpoint(i).weight)
  state.greatestWeight = greatest
  state.next = random.below(backend.count)
  state.round = random.below(greatest)
}

/** A retry takes an endpoint that was not tried while there is one. */
export function pick(backend: Backend): Endpoint {
  const state = changetype<State>(backend.state)
  if (attempt.number() == 0) return turn(backend, state)
  for (let i: u32 = 0; i <= attempt.triedCount(); i++) {
    const endpoint = turn(backend, state)
    if (!attempt.wasTried(endpoint.tag)) return endpoint
  }
  return anyUntried(backend, state)
}

function turn(backend: Backend, state: State): Endpoint {
  while (true) {
    const index = state.next
    const round = state.round
    step(backend, state)
    const endpoint = backend.endpoint(index)
    if (isDue(index, endpoint.weight, round, state.greatestWeight)) return endpoint
  }
}

function step(backend: Backend, state: State): void {
  state.next++
  if (state.next < backend.count) return
  state.next = 0
  state.round++
  if (state.round == state.greatestWeight) state.round = 0
}

/** With `x` = weight · round + start: does `x` + weight pass a multiple of the greatest weight? */
// @ts-ignore: decorator
@inline
function isDue(index: u32, weight: u32, round: u32, greatest: u32): bool {
  if (weight == greatest) return true
  const start = <u32>((<u64>(index * GOLDEN) * greatest) >> 32)
  return (weight * round + start) % greatest >= greatest - weight
}

/** The turns brought only tried ones, as a heavy one may come several times: the next in the list that was not. */
function anyUntried(backend: Backend, state: State): Endpoint {
  for (let i: u32 = 0; i < backend.count; i++) {
    const endpoint = backend.endpoint((state.next + i) % backend.count)
    if (!attempt.wasTried(endpoint.tag)) return endpoint
  }
  return turn(backend, state)
}
