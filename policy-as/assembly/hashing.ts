/**
 * Consistent hashing of a backend's endpoints: up to a thousand of them by the ring of `upstream-hash-by`, which is made when the list changes; more by
 * rendezvous, where the endpoint that suits the hash best is looked for each time, since so large a ring would take longer than a call may.
 */
import * as bytes from "./lib/bytes"
import * as crc32 from "./lib/crc32"
import * as make from "./lib/ring/make"
import { DECLINE } from "./choices"
import { List } from "./list"
import { MAX_WEIGHT } from "./lib/ring/points"
import { Member, MEMBER_BYTES, find, findNext } from "./lib/ring/ring"

const MAX_MEMBERS: i32 = 1024
/** Points of a ring at most: 160 for each of 100 endpoints, 16 for each of 1,000. */
const MAX_POINTS: u64 = 1 << 14
/** So many points are looked at for an endpoint not to keep away from. */
const MAX_STEPS: i32 = 256

let isUsed: bool = false

/** The policy hashes: rings are wanted from the start on. */
export function use(): bool {
  isUsed = true
  return true
}

/** The list is new. */
export function prepare(list: List): void {
  if (isUsed && list.count <= MAX_MEMBERS) makeRing(list)
}

/** The endpoint to which a hash belongs; if the attempt keeps away from it, that to which it would belong without it. */
export function byHash(list: List, hash: u32): i32 {
  return list.count <= MAX_MEMBERS ? onRing(list, hash) : byRendezvous(list, hash)
}

function onRing(list: List, hash: u32): i32 {
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
}

/** All are alike here, whatever their weights. */
function byRendezvous(list: List, hash: u32): i32 {
  const key = bytes.mix(hash)
  let best = DECLINE
  let greatest: u64 = 0
  for (let i = 0; i < list.count; i++) {
    const score = bytes.mix(key ^ list.id(i))
    if (score < greatest || list.isAvoided(i)) continue
    greatest = score
    best = i
  }
  return best
}
