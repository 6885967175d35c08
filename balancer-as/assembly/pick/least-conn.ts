/**
 * The least busy endpoint, attempts over all workers counted. The list is looked through from a random place on, so that
 * equally busy ones share evenly, and no further than to one with nothing to do.
 */
import * as avoid from "../avoid"
import * as heap from "../heap"
import * as random from "../random"
import * as slots from "../slots"
import { Backend, NOWHERE } from "../backend"

/** Gauges are read in parts, the first of this size, each further one twice as large. */
const FIRST_PART: u32 = 4
/** So many are looked at: the least busy of a sample like this is as good as any, and a pick must not take long. */
const MOST_SEEN: u32 = 256


@unmanaged
class State {
  greatestWeight: u32
}

export function prepare(backend: Backend, before: Backend | null): void {
  backend.state = heap.allocate(offsetof<State>())
  changetype<State>(backend.state).greatestWeight = backend.greatestWeight()
}

/** Where the list is looked through from. */
let start: u32 = 0
/** The best one so far and what runs on it. */
let best: u32 = NOWHERE
let running: u64 = 0

export function pick(backend: Backend): u32 {
  best = NOWHERE
  start = random.below(backend.count)
  let index = start
  let part = FIRST_PART
  for (let left = min(backend.count, MOST_SEEN); left > 0; part <<= 1) {
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
    const runningHere = slots.value(backend, index)
    if (!isBetter(backend, index, runningHere) || (avoid.isNeeded && !isDue(backend, index))) continue
    best = index
    running = runningHere
    if (running == 0 && backend.endpoint(index).weight == greatest) return true
  }
  return false
}

/** Would it be less busy than the best one so far, in relation to its weight, if it got this attempt? */
function isBetter(backend: Backend, index: u32, runningHere: u64): bool {
  if (best == NOWHERE) return true
  const weight = <u64>backend.endpoint(index).weight
  return (runningHere + 1) * backend.endpoint(best).weight < (running + 1) * weight
}

/**
 * An endpoint that warms up is idle, so it would get whatever is not kept from it: it takes part only when the list happens to
 * be looked through from there.
 */
function isDue(backend: Backend, index: u32): bool {
  return !avoid.from(backend, index) && (index == start || !avoid.isWarming(backend, index))
}
