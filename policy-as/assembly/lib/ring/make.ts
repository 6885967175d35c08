/**
 * Makes rings. A change copies bucket by bucket the points that stay, with the new numbers of their members, and adds those
 * of new members: nothing is sorted, and only what is new is computed.
 */
import * as arena from "../arena"
import * as buckets from "./buckets"
import * as heap from "../heap"
import * as points from "./points"
import { Buckets, GONE } from "./buckets"
import { match } from "./match"
import { Member, MEMBER_BYTES, Ring, destroy } from "./ring"

/** Room for a list of members in the arena. The caller fills in the bases, and the weights (1 to `MAX_WEIGHT`) as points. */
export function list(count: u32): usize {
  return arena.allocate(<usize>count * MEMBER_BYTES)
}

/**
 * A ring of `count` members, one at least, from a `list`. Takes what it can from `before`, and frees it unless that is
 * already the ring that is wanted. It has not many more points than `maxPoints`.
 */
export function make(
  members: usize,
  count: u32,
  before: Ring | null,
  maxPoints: u64 = points.MAX_POINTS,
): Ring {
  const pointCount = weigh(members, count, maxPoints)
  if (before != null && isSame(before, members, count)) return before
  scratch = arena.allocate((<usize>points.MAX_OF_MEMBER) << 2)
  const ring = create(members, count)
  const indexBits = 32 - clz(count - 1)
  if (before != null && buckets.suits(before.buckets.bits, pointCount, indexBits)) {
    ring.buckets = buckets.create(before.buckets.bits, indexBits, pointCount)
    change(ring, before)
  } else {
    ring.buckets = buckets.create(buckets.bitsFor(pointCount, indexBits), indexBits, pointCount)
    fill(ring, everyone(count), count, null, 0)
  }
  if (before != null) destroy(before)
  return ring
}

/** Turns weights into numbers of points; returns their sum. */
function weigh(members: usize, count: u32, maxPoints: u64): u32 {
  const end = members + <usize>count * MEMBER_BYTES
  let weight: u64 = 0
  for (let at = members; at < end; at += MEMBER_BYTES) weight += changetype<Member>(at).points
  const halvings = points.halvings(weight, maxPoints)
  let sum: u32 = 0
  for (let at = members; at < end; at += MEMBER_BYTES) {
    const member = changetype<Member>(at)
    member.points = points.count(member.points, halvings)
    sum += member.points
  }
  return sum
}

function isSame(ring: Ring, members: usize, count: u32): bool {
  return ring.count == count && memory.compare(ring.members, members, <usize>count * MEMBER_BYTES) == 0
}

function create(members: usize, count: u32): Ring {
  const bytes = <usize>count * MEMBER_BYTES
  const ring = changetype<Ring>(heap.allocate(offsetof<Ring>() + bytes))
  ring.count = count
  memory.copy(ring.members, members, bytes)
  return ring
}

function everyone(count: u32): usize {
  const chosen = arena.allocate((<usize>count) << 2)
  for (let i: u32 = 0; i < count; i++) store<u32>(chosen + ((<usize>i) << 2), i)
  return chosen
}

function change(ring: Ring, before: Ring): void {
  const moved = arena.allocate((<usize>before.count) << 2)
  const added = arena.allocate((<usize>ring.count) << 2)
  const addedCount = match(ring, before, moved, added)
  buckets.clear(ring.buckets)
  fill(ring, added, addedCount, before.buckets, tallyGone(before, moved))
  buckets.copy(ring.buckets, before.buckets, moved)
}

/** How many points of each bucket belong to members that are gone. */
function tallyGone(ring: Ring, moved: usize): usize {
  const bytes = (<usize>ring.buckets.count) << 2
  const counts = arena.allocate(bytes)
  memory.fill(counts, 0, bytes)
  for (let i: u32 = 0; i < ring.count; i++) {
    const isGone = load<u32>(moved + ((<usize>i) << 2)) == GONE
    if (isGone) tally(ring, counts, ring.member(i))
  }
  return counts
}

/** Puts in the points of the added members (u32 numbers). They are computed twice: that takes less time than to keep them. */
function fill(ring: Ring, added: usize, count: u32, before: Buckets | null, gone: usize): void {
  const end = added + ((<usize>count) << 2)
  for (let at = added; at < end; at += 4) tally(ring, ring.buckets.starts, ring.member(load<u32>(at)))
  buckets.layOut(ring.buckets, before, gone)
  for (let at = added; at < end; at += 4) {
    const member = ring.member(load<u32>(at))
    buckets.put(ring.buckets, pointsOf(member), member.points, load<u32>(at))
  }
}

function tally(ring: Ring, counts: usize, member: Member): void {
  buckets.tally(ring.buckets, counts, pointsOf(member), member.points)
}

/** Scratch memory for the points of one member. */
let scratch: usize = 0

function pointsOf(member: Member): usize {
  points.write(member.base, member.points, scratch)
  return scratch
}
