import { middleOf } from "./middle.ts"

/** One place of two lists where they differ. */
export interface Change<T> {
  /** absent: it is new */
  readonly before: T | undefined
  /** absent: it is gone */
  readonly after: T | undefined
}

/**
 * Where two sorted lists differ: other objects stand in one place, or there is something in one list alone.
 *
 * @param order no two items of one list are equal; those of both lists that are equal stand in one place
 */
export function changesBetween<T>(
  before: readonly T[],
  after: readonly T[],
  order: (a: T, b: T) => number,
): readonly Change<T>[] {
  const changes: Change<T>[] = []
  const { start, endBefore, endAfter } = middleOf(before, after)
  let [from, to] = [start, start]
  while (from < endBefore || to < endAfter) {
    const was = from < endBefore ? before[from] : undefined
    const is = to < endAfter ? after[to] : undefined
    const compared = was === is ? 0 : compareEnds(was, is, order)
    if (was !== is)
      changes.push({ before: compared <= 0 ? was : undefined, after: compared >= 0 ? is : undefined })
    if (compared <= 0) from += 1
    if (compared >= 0) to += 1
  }
  return changes
}

/** What is behind the end of its list comes last. */
function compareEnds<T>(a: T | undefined, b: T | undefined, order: (a: T, b: T) => number): number {
  if (a === undefined) return 1
  return b === undefined ? -1 : order(a, b)
}
