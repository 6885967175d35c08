// How many faults are too many.
import { expect, test } from "vitest"
import { FaultWatch } from "../../../../controller/facts/policies/fault-watch.ts"

const digest = "a".repeat(64)

/** What is found when the counter stands at each of these numbers, every five seconds. */
function found(counts: readonly number[], max = 5, everyMs = 5000): (number | undefined)[] {
  const watch = new FaultWatch()
  return counts.map((faults, at) => watch.note([{ digest, faults }], at * everyMs, max).get(digest))
}

test("faults before the controller began to look do not count", () => {
  expect(found([1000, 1000, 1005])).toEqual([undefined, undefined, undefined])
})

test("more than so many within a minute do", () => {
  expect(found([0, 3, 5, 6])).toEqual([undefined, undefined, undefined, 6])
})

test("as many over a longer time do not", () => {
  expect(found([0, 2, 4, 6, 8, 10], 5, 30_000)).toEqual(Array(6).fill(undefined))
})

test("of a version that appears later every fault counts", () => {
  const watch = new FaultWatch()
  watch.note([], 0, 5)
  expect(watch.note([{ digest, faults: 7 }], 5000, 5).get(digest)).toBe(7)
})

test("another nginx begins at 0, and what it counts is new", () => {
  expect(found([100, 102, 2, 8])).toEqual([undefined, undefined, undefined, 8])
})

test("a version that comes back is not blamed for what it did long ago", () => {
  const watch = new FaultWatch()
  watch.note([], 0, 5)
  expect(watch.note([{ digest, faults: 7 }], 5000, 5).get(digest)).toBe(7)
  watch.note([], 600_000, 5)
  expect(watch.note([{ digest, faults: 7 }], 605_000, 5).size).toBe(0)
})
