/** Ways to choose an endpoint; none takes one to keep away from. All of such: `DECLINE`. */
import * as numbers from "./numbers"
import * as random from "./lib/random"
import { List } from "./list"
import { isDue } from "./lib/turns"

/** No endpoint: wick's round robin chooses. */
export const DECLINE: i32 = -1

/** Draws before it is taken for granted that hardly any endpoint is left. */
const MAX_DRAWS: i32 = 32

/** One of them, all equally likely. */
export function any(list: List): i32 {
  if (list.avoided == 0) return <i32>random.below(list.count)
  for (let i = 0; i < MAX_DRAWS; i++) {
    const index = <i32>random.below(list.count)
    if (!list.isAvoided(index)) return index
  }
  return firstFrom(list, <i32>random.below(list.count))
}

/** One of them, as likely as its weight says. */
export function byWeight(list: List): i32 {
  let index = any(list)
  for (let i = 0; i < MAX_DRAWS && index != DECLINE; i++) {
    if (random.below(list.greatestWeight) < <u32>list.weight(index)) return index
    index = any(list)
  }
  return index
}

/** Each in its turn, as often as its weight says. */
export function inTurn(list: List): i32 {
  const turns = list.count * <i32>list.greatestWeight
  for (let i = 0; i < turns; i++) {
    const index = list.next
    const round = list.round
    next(list)
    if (isDue(index, list.weight(index), round, list.greatestWeight) && !list.isAvoided(index)) return index
  }
  return DECLINE
}

function next(list: List): void {
  list.next++
  if (list.next < list.count) return
  list.next = 0
  list.round = (list.round + 1) % list.greatestWeight
}

/** Turns begin somewhere else in each worker, and go on at the same place when the list changes. */
export function beginTurns(list: List): void {
  if (list.next < 0 || list.next >= list.count) list.next = <i32>random.below(list.count)
  if (list.round >= list.greatestWeight) list.round = random.below(list.greatestWeight)
}

/** Numbers are read in parts, the first of this size, each further one twice as large. */
const FIRST_PART: i32 = 4
/** So many are looked at: the least busy of a sample like this is as good as any, and a pick must not take long. */
const MAX_SEEN: i32 = 256

/** The one with the fewest running attempts for its weight, looked for from a random place on. */
export function leastBusy(list: List): i32 {
  let best = DECLINE
  let first = <i32>random.below(list.count)
  let part = FIRST_PART
  for (let left = min(list.count, MAX_SEEN); left > 0; part <<= 1) {
    const size = min(min(part, left), list.count - first)
    numbers.getMany(list, numbers.RUNNING, first, size)
    const end = first + size
    // The number of the one before the part is gone: what is best so far is remembered.
    for (let i = first; i < end; i++) if (!list.isAvoided(i)) best = lessBusy(list, best, i)
    if (best != DECLINE && bestRunning == 0 && <u32>list.weight(best) == list.greatestWeight) return best
    left -= size
    first = end == list.count ? 0 : end
  }
  return best
}

let bestRunning: u64 = 0

function lessBusy(list: List, best: i32, index: i32): i32 {
  const running = numbers.value(list, index)
  const isLess =
    best == DECLINE || (running + 1) * <u64>list.weight(best) < (bestRunning + 1) * <u64>list.weight(index)
  if (!isLess) return best
  bestRunning = running
  return index
}

function firstFrom(list: List, start: i32): i32 {
  for (let i = 0; i < list.count; i++) {
    const index = (start + i) % list.count
    if (!list.isAvoided(index)) return index
  }
  return DECLINE
}
