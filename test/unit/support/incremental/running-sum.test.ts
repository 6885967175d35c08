import fc from "fast-check"
import { expect, test } from "vitest"
import { RunningSum } from "../../../../controller/support/incremental/running-sum.ts"

interface Weighed {
  readonly weight: number
}

test("the sum is that of the list, whatever the list before was", () => {
  const pool = Array.from({ length: 12 }, (_, at): Weighed => ({ weight: at * at }))
  const lists = fc.array(fc.array(fc.constantFrom(...pool), { maxLength: 12 }), { maxLength: 8 })
  fc.assert(
    fc.property(lists, (rounds) => {
      const sum = new RunningSum<Weighed>(({ weight }) => weight)
      for (const list of rounds) expect(sum.of(list)).toBe(list.reduce((all, { weight }) => all + weight, 0))
    }),
  )
})

test("what stands where it stood is not looked at again", () => {
  const looked: number[] = []
  const sum = new RunningSum<Weighed>(({ weight }) => {
    looked.push(weight)
    return weight
  })
  const list = Array.from({ length: 9 }, (_, weight): Weighed => ({ weight }))
  sum.of(list)
  looked.length = 0
  expect(sum.of(list.with(2, { weight: 20 }).with(7, { weight: 70 }))).toBe(36 + 20 + 70 - 2 - 7)
  expect(looked.toSorted((a, b) => a - b)).toEqual([2, 7, 20, 70])
})
