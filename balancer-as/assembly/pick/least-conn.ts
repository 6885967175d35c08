/**
 * The least busy endpoint, attempts over all workers counted. The list is looked through from a random place on, so that
 * equally busy ones share evenly, and no further than to one with nothing to do.
 */
import * as avoid from "../avoid"
import * as heap from "../../../policy-as/assembly/lib/heap"
import * as random from "../random"
import * as slots from "../slots"
import { Backend, NOWHERE } from "../backend"

/** Gauges are read in parts, the first of this size, each further one twice as large. */
const FIRST_PART: u32 = 4
/** So many are looked at: the least busy of a sample like this is as good as any, and a pick must not take long. */
const MAX_SEEN: u32 = 256


@unmanaged
class State {
  greatestWeight: u32
}

export function prepare(backend: Backend, before: Backend | null): void {
  backend.state = heap.allocate(offsetof<State>())
  changetype<State>(backend.state).greatestWeight = backend.greatestWeight()
}

/** The best one so far, what runs on it, and its weight, which is less while it warms up. */
let best: u32 = NOWHERE
let running: u64 = 0
let weight: u64 = 0

export function pick(backend: Backend): u32 {
  best = NOWHERE
  let index = random.below(backend.count)
  let part = FIRST_PART
  for (let left = min(backend.count, MAX_SEEN); left > 0; part <<= 1) {
    const size = min(min(part, left), backend.count - index)
    if (lookThrough(backend, index, size)) break
    left -= size
    index += size
    if (index == backend.count) index = 0
  }
  return best == NOWHERE ? avoid.leftover(backend) : best
}

/** Looks at a part of the list; true if nothing can be better than what was found. */
function lookThrough(backend: Backend, from: u32, size: u32): bool {
  const greatest = changetype<State>(backend.state).greatestWeight
  slots.getMany(backend, from, size, slots.GAUGE)
  for (let index = from; index < from + size; index++) {
    if (avoid.isNeeded && avoid.from(backend, index)) continue
    compare(backend, index)
    if (best == index && running == 0 && backend.endpoint(index).weight == greatest) return true
  }
  return false
}

/** Takes the endpoint if it would be less busy than the best one so far, in relation to its weight, with this attempt too. */
function compare(backend: Backend, index: u32): void {
  const runningHere = slots.value(backend, index)
  const weightHere = backend.endpoint(index).weight * avoid.warmth(backend, index)
  if (best != NOWHERE && (runningHere + 1) * weight >= (running + 1) * weightHere) return
  best = index
  running = runningHere
  weight = weightHere
}
