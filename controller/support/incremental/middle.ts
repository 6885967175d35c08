/** Where two lists differ: from `start` up to these ends. What stands before and behind is the same objects in both. */
export interface Middle {
  readonly start: number
  readonly endBefore: number
  readonly endAfter: number
}

/** Costs a comparison for each item that stayed, and nothing else: of long lists few items change at a time. Nothing for one and the same list. */
export function middleOf(before: readonly unknown[], after: readonly unknown[]): Middle {
  const shorter = Math.min(before.length, after.length)
  if (before === after) return { start: shorter, endBefore: shorter, endAfter: shorter }
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let same = 0
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1
  return { start, endBefore: before.length - same, endAfter: after.length - same }
}

/** More than so many are no arguments of one call. */
const few = 64

/** A list with other items between two of its places; one copy of it, where they are few. */
export function withMiddle<T>(
  list: readonly T[],
  start: number,
  end: number,
  items: readonly T[],
): readonly T[] {
  if (items.length <= few) return list.toSpliced(start, end - start, ...items)
  return list.slice(0, start).concat(items, list.slice(end))
}
