/** Consistent hashing of a backend's endpoints, with the ring of `upstream-hash-by`. */
import * as crc32 from "./lib/crc32"
import * as make from "./lib/ring/make"
import { DECLINE } from "./choices"
import { List } from "./list"
import { MAX_WEIGHT } from "./lib/ring/points"
import { Member, MEMBER_BYTES, find, findNext } from "./lib/ring/ring"

/** Points of a ring at most: so that it is made within the time of a call. */
const MAX_POINTS: u64 = 1 << 16
/** So many points are looked at for an endpoint not to keep away from. */
const MAX_STEPS: i32 = 256

/** The endpoint to which a hash belongs; if the attempt keeps away from it, the next one on the ring. */
export function byHash(list: List, hash: u32): i32 {
  if (list.isRingOld) makeRing(list)
  let index = <i32>find(list.ring!, hash)
  for (let left = MAX_STEPS; left > 0; left--) {
    if (!list.isAvoided(index)) return index
    index = <i32>findNext(list.ring!)
  }
  return DECLINE
}

function makeRing(list: List): void {
  const members = make.list(list.count)
  for (let i = 0; i < list.count; i++) {
    const member = changetype<Member>(members + <usize>i * MEMBER_BYTES)
    member.base = crc32.checksum(list.at(i), 8)
    member.points = min(<u32>list.weight(i), MAX_WEIGHT)
  }
  list.ring = make.make(members, list.count, list.ring, MAX_POINTS)
  list.isRingOld = false
}
