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
/** Where the search began. */
let firstBucket: i32 = 0
let firstWord: i32 = 0
/** All points below were found already. */
let isRising: bool = false

/** The member to which a hash belongs. */
export function find(ring: Ring, hash: u32): u32 {
  const all = ring.buckets
  firstBucket = all.bucketOf(hash)
  firstWord = all.wordOf(hash, all.greatestIndex)
  isRising = !descend(all, firstBucket, firstWord)
  if (isRising) ascend(all, firstBucket, firstWord)
  return all.indexOf(word)
}

/**
 * The member of the next point, from that which was found last: downwards, then upwards from where the search began. So the
 * first other member is that to which the hash would belong if the ones before were not there. After the last point it
 * stays there.
 */
export function findNext(ring: Ring): u32 {
  const all = ring.buckets
  if (isRising) ascend(all, bucket, word)
  else if (!descend(all, bucket, word - 1)) {
    isRising = true
    ascend(all, firstBucket, firstWord)
  }
  return all.indexOf(word)
}

/** Finds the greatest point that is not above `limit` of the bucket `from`; false if there is none. */
function descend(all: Buckets, from: i32, limit: i32): bool {
  for (let i = from; i >= 0; i--) {
    const greatest = buckets.greatest(all, i, limit)
    if (greatest != buckets.NONE) {
      bucket = i
      word = greatest
      return true
    }
    limit = i32.MAX_VALUE
  }
  return false
}

/** Finds the least point above `limit` of the bucket `from`, if there is one. */
function ascend(all: Buckets, from: i32, limit: i32): void {
  for (let i = from; i < all.count; i++) {
    const least = buckets.least(all, i, limit)
    if (least != buckets.NONE) {
      bucket = i
      word = least
      return
    }
    limit = buckets.NONE
  }
}

export function destroy(ring: Ring): void {
  buckets.destroy(ring.buckets)
  heap.free(changetype<usize>(ring))
}
