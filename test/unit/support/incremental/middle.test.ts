import fc from "fast-check"
import { expect, test } from "vitest"
import { middleOf, withMiddle } from "../../../../controller/support/incremental/middle.ts"
import { RunningSum } from "../../../../controller/support/incremental/running-sum.ts"

const lists = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 8 })

test.each([
  ["nothing", [1, 2], [1, 2], { start: 2, endBefore: 2, endAfter: 2 }],
  ["one item", [1, 2, 3], [1, 4, 3], { start: 1, endBefore: 2, endAfter: 2 }],
  ["one more", [1, 3], [1, 2, 3], { start: 1, endBefore: 1, endAfter: 2 }],
  ["one less, of equal ones", [1, 1, 1], [1, 1], { start: 2, endBefore: 3, endAfter: 2 }],
  ["all", [1, 2], [3], { start: 0, endBefore: 2, endAfter: 1 }],
])("where lists differ: %s", (_, before, after, middle) => {
  expect(middleOf(before, after)).toEqual(middle)
})

test("a list is its ends and its middle", () => {
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const { start, endBefore, endAfter } = middleOf(before, after)
      expect(withMiddle(before, start, endBefore, after.slice(start, endAfter))).toEqual(after)
    }),
  )
})

test("a middle may have any number of items", () => {
  const many = Array.from({ length: 100_000 }, (_, at) => at)
  expect(withMiddle([-1, 0, 1], 1, 2, many)).toEqual([-1, ...many, 1])
})

test("a running sum is the sum", () => {
  fc.assert(
    fc.property(fc.array(lists, { maxLength: 6 }), (rounds) => {
      const running = new RunningSum((number: number) => number)
      for (const list of rounds) expect(running.of(list)).toBe(list.reduce((sum, number) => sum + number, 0))
    }),
  )
})
