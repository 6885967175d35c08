/**
 * Points of a ring, in buckets by their highest bits, four to eight in each on average and in no order: a lookup reads one
 * or two short runs. Within a bucket the highest bits are known, and their room in the word is taken by the number of the
 * member: a point is one u32, and of two equal points the one of the later member is the greater.
 */
import * as heap from "../heap"

/** Where a member went: nowhere. */
export const GONE: u32 = 0xffffffff
/** A place without a point. */
const FREE: i32 = -1

/** One block: this, then where each bucket starts (the number of a point) with the end behind them, then the points. */
@unmanaged
export class Buckets {
  /** 1 to 31. So many bits of a point tell its bucket. */
  bits: u32
  /** Less than `bits`. So many bits of a word tell the member: the word is never negative. */
  indexBits: u32
  pointCount: u32


  @inline get starts(): usize {
    return changetype<usize>(this) + offsetof<Buckets>()
  }


  @inline get points(): usize {
    return this.starts + ((((<usize>1) << this.bits) + 1) << 2)
  }


  @inline get count(): i32 {
    return 1 << this.bits
  }

  /** Address of a bucket's first point; that of the next bucket is its end. */
  @inline first(bucket: i32): usize {
    return this.points + ((<usize>load<u32>(this.starts + ((<usize>bucket) << 2))) << 2)
  }


  @inline bucketOf(point: u32): i32 {
    return <i32>(point >> (32 - this.bits))
  }


  @inline wordOf(point: u32, index: u32): u32 {
    return ((point << this.bits) >> (this.bits - this.indexBits)) | index
  }


  @inline indexOf(word: u32): u32 {
    return word & this.greatestIndex
  }


  @inline get greatestIndex(): u32 {
    return (1 << this.indexBits) - 1
  }
}

/** Room for `pointCount` points; nothing is in it yet. */
export function create(bits: u32, indexBits: u32, pointCount: u32): Buckets {
  const starts = (((<usize>1) << bits) + 1) << 2
  const block = heap.allocate(offsetof<Buckets>() + starts + ((<usize>pointCount) << 2))
  const buckets = changetype<Buckets>(block)
  buckets.bits = bits
  buckets.indexBits = indexBits
  buckets.pointCount = pointCount
  memory.fill(buckets.starts, 0, starts)
  return buckets
}

export function destroy(buckets: Buckets): void {
  heap.free(changetype<usize>(buckets))
}

/** How many bits suit so many points: four to eight in a bucket. */
export function bitsFor(pointCount: u32, indexBits: u32): u32 {
  return max(31 - clz(pointCount >> 2), indexBits + 1)
}

/** Buckets that suited once may be kept while few or many more points come. */
export function suits(bits: u32, pointCount: u32, indexBits: u32): bool {
  const perBucket = pointCount >> bits
  return bits > indexBits && perBucket >= 2 && perBucket < 16
}

/** No word; less than all words. */
export const NONE: i32 = -1

/** The least word of a bucket that is above `limit`, or `NONE`. */
export function least(buckets: Buckets, bucket: i32, limit: i32): i32 {
  let least: i32 = NONE
  const end = buckets.first(bucket + 1)
  for (let at = buckets.first(bucket); at < end; at += 4) {
    const word = load<i32>(at)
    if (word > limit && (least == NONE || word < least)) least = word
  }
  return least
}

/** The greatest word of a bucket that is at most `limit`, or `NONE`. */
// @ts-ignore: decorator
@inline
export function greatest(buckets: Buckets, bucket: i32, limit: i32): i32 {
  let greatest: i32 = NONE
  const end = buckets.first(bucket + 1)
  for (let at = buckets.first(bucket); at < end; at += 4) {
    const word = load<i32>(at)
    greatest = max(greatest, word <= limit ? word : NONE)
  }
  return greatest
}

/** All places are free. */
export function clear(all: Buckets): void {
  memory.fill(all.points, 0xff, (<usize>all.pointCount) << 2)
}

/** Adds up in `counts` (u32 per bucket) how many of the points are in each bucket. */
export function tally(all: Buckets, counts: usize, points: usize, pointCount: u32): void {
  const end = points + ((<usize>pointCount) << 2)
  for (; points < end; points += 4) {
    const place = counts + ((<usize>all.bucketOf(load<u32>(points))) << 2)
    store<u32>(place, load<u32>(place) + 1)
  }
}

/**
 * Sets the starts: each behind as many places of its bucket as were tallied there, which `put` then fills. The buckets hold
 * the points of `before`, too, except as many as are tallied in `gone`.
 */
export function layOut(all: Buckets, before: Buckets | null, gone: usize): void {
  let first: u32 = 0
  const end = all.points - 4
  for (let start = all.starts; start < end; start += 4) {
    const added = load<u32>(start)
    store<u32>(start, first + added)
    first += added
    if (before != null) first += staying(before, start - all.starts, gone)
  }
  store<u32>(end, first)
}

/** How many points of the bucket whose start is `offset` bytes behind the first one are not gone. */
// @ts-ignore: decorator
@inline
function staying(before: Buckets, offset: usize, gone: usize): u32 {
  const start = before.starts + offset
  return load<u32>(start, 4) - load<u32>(start) - load<u32>(gone + offset)
}

/** Puts in points of a member. */
export function put(to: Buckets, points: usize, count: u32, index: u32): void {
  const end = points + ((<usize>count) << 2)
  for (; points < end; points += 4) {
    const point = load<u32>(points)
    const start = to.starts + ((<usize>to.bucketOf(point)) << 2)
    const number = load<u32>(start) - 1
    store<u32>(start, number)
    store<u32>(to.points + ((<usize>number) << 2), to.wordOf(point, index))
  }
}

/**
 * Copies the points of the members that stay to the free places: in order, so that each comes into its bucket. `moved` has
 * each member's new number (u32).
 */
export function copy(to: Buckets, from: Buckets, moved: usize): void {
  let place = to.points
  const end = from.points + ((<usize>from.pointCount) << 2)
  for (let at = from.points; at < end; at += 4) {
    const word = load<u32>(at)
    const index = load<u32>(moved + ((<usize>from.indexOf(word)) << 2))
    if (index == GONE) continue
    while (load<i32>(place) != FREE) place += 4
    store<u32>(place, ((word >> from.indexBits) << to.indexBits) | index)
  }
}
