import fc from "fast-check"
import { expect, test } from "vitest"
import { ProjectedList } from "../../../../controller/support/incremental/projected-list.ts"

const lists = fc.array(fc.array(fc.nat(30), { maxLength: 100 }), { maxLength: 6 })

test("a projected list is what the function makes of each item, and looks at those that have come", () => {
  fc.assert(
    fc.property(lists, (rounds) => {
      let looks = 0
      const list = new ProjectedList<number, string>((item) => {
        looks += 1
        return String(item)
      })
      for (const items of rounds) {
        const results = list.of(items)
        expect(results).toEqual(items.map(String))
        looks = 0
        expect(list.of([...items])).toBe(results)
        expect(looks).toBe(0)
        expect(list.of([-1, ...items.slice(1), -2])).toEqual(["-1", ...results.slice(1), "-2"])
        expect(looks).toBe(2)
        expect(list.of(items)).toEqual(results)
      }
    }),
  )
})
