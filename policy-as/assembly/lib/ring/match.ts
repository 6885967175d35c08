/** Which members of a ring were in the ring before it. */
import * as arena from "../arena"
import { GONE } from "./buckets"
import { Member, Ring } from "./ring"

/** Hash table of the new members: u32 number + 1. */
let table: usize = 0
let bits: u32 = 0
const EMPTY: u32 = 0
const TAKEN: u32 = 0xffffffff

/**
 * Finds for each member of `before` its number in `ring`, or `GONE` (u32, to `moved`). Writes the numbers of the others, in
 * any order, to `added` and returns how many they are. A member with another number of points than before is another one.
 */
export function match(ring: Ring, before: Ring, moved: usize, added: usize): u32 {
  bits = 33 - clz(ring.count)
  const bytes = (<usize>4) << bits
  table = arena.allocate(bytes)
  memory.fill(table, 0, bytes)
  for (let i: u32 = 0; i < ring.count; i++) insert(ring.member(i).base, i)
  for (let i: u32 = 0; i < before.count; i++)
    store<u32>(moved + ((<usize>i) << 2), take(ring, before.member(i)))
  return takeRest(added)
}

/** At most half of the places are in use. */
function insert(base: u32, index: u32): void {
  let place = first(base)
  while (load<u32>(place) != EMPTY) place = next(place)
  store<u32>(place, index + 1)
}

function take(ring: Ring, member: Member): u32 {
  for (let place = first(member.base); load<u32>(place) != EMPTY; place = next(place)) {
    if (load<u32>(place) == TAKEN) continue
    const index = load<u32>(place) - 1
    if (ring.member(index).base != member.base || ring.member(index).points != member.points) continue
    store<u32>(place, TAKEN)
    return index
  }
  return GONE
}

function takeRest(added: usize): u32 {
  let count: u32 = 0
  for (let i: usize = 0; i < (<usize>1) << bits; i++) {
    const entry = load<u32>(table + (i << 2))
    if (entry == EMPTY || entry == TAKEN) continue
    store<u32>(added + ((<usize>count) << 2), entry - 1)
    count++
  }
  return count
}

function first(base: u32): usize {
  return table + ((<usize>((base * 0x9e3779b1) >> (32 - bits))) << 2)
}

function next(place: usize): usize {
  return table + ((place - table + 4) & (((<usize>4) << bits) - 1))
}
