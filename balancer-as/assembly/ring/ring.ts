/**
 * A consistent hash ring with the points of ingress-nginx's (lua-resty-balancer), so that keys and sessions stay where they
 * are when wick takes its place. A key belongs to the greatest point that is not above its hash, and if there is none to
 * the lowest of all. Which member has a point hangs on the members alone, not on how the ring came to be: all workers agree.
 */
import * as buckets from "./buckets"
import { Buckets } from "./buckets"
import * as heap from "../heap"

/** A member in the ring's list. Its base is the CRC-32 of its name: members of one base have the same points. */
@unmanaged
export class Member {
  base: u32
  points: u32
}

export const MEMBER_BYTES: usize = 8

/** Behind it lies the list of members. */
@unmanaged
export class Ring {
  count: u32
  buckets: Buckets
  /** Where the lowest point is. */
  lowestBucket: i32
  lowestWord: i32


  @inline get members(): usize {
    return changetype<usize>(this) + offsetof<Ring>()
  }


  @inline member(index: u32): Member {
    return changetype<Member>(this.members + <usize>index * MEMBER_BYTES)
  }
}

/** The point that was found last. */
let bucket: i32 = 0
let word: i32 = 0

/** The member to which a hash belongs. */
export function find(ring: Ring, hash: u32): u32 {
  const all = ring.buckets
  const limit = all.wordOf(hash, all.greatestIndex)
  if (!descend(all, all.bucketOf(hash), limit)) {
    bucket = ring.lowestBucket
    word = ring.lowestWord
  }
  return all.indexOf(word)
}

/**
 * The member of the next lower point, from that which was found last; below the lowest comes the highest. It is often the
 * same member again. The first other one is that to which the hash would belong if the member found first were not there.
 */
export function findNext(ring: Ring): u32 {
  const all = ring.buckets
  if (!descend(all, bucket, word - 1)) descend(all, all.count - 1, i32.MAX_VALUE)
  return all.indexOf(word)
}

/** Finds the greatest point that is not above `limit` of the bucket `from`; false if there is none. */
function descend(all: Buckets, from: i32, limit: i32): bool {
  for (let i = from; i >= 0; i--) {
    const greatest = buckets.greatest(all, i, limit)
    if (greatest >= 0) {
      bucket = i
      word = greatest
      return true
    }
    limit = i32.MAX_VALUE
  }
  return false
}

export function destroy(ring: Ring): void {
  buckets.destroy(ring.buckets)
  heap.free(changetype<usize>(ring))
}
