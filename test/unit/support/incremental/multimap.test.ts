import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Multimap, SortedMultimap } from "../../../../controller/support/incremental/multimap.ts"

const put = fc.tuple(fc.constantFrom("a", "b"), fc.nat(4), fc.boolean())
const puts = fc.array(put, { maxLength: 30 })

test("a key has the values that were added and not removed, once, in order or not", () => {
  fc.assert(
    fc.property(puts, (all) => {
      const map = new Multimap<number>()
      const sorted = new SortedMultimap<number>((a, b) => a - b)
      const expected: Record<string, Set<number>> = { a: new Set(), b: new Set() }
      for (const [key, value, isAdded] of all) {
        const values = expected[key] ?? new Set()
        if (isAdded && !values.has(value)) sorted.add(key, value)
        if (isAdded) map.add(key, value)
        else for (const each of [map, sorted]) each.remove(key, value)
        if (isAdded) values.add(value)
        else values.delete(value)
      }
      for (const [key, values] of Object.entries(expected)) {
        const inOrder = [...values].sort((a, b) => a - b)
        expect([...map.of(key)].sort((a, b) => a - b)).toEqual(inOrder)
        expect(sorted.of(key)).toEqual(inOrder)
        expect(map.has(key)).toBe(inOrder.length > 0)
      }
      expect([...map.entries()].every(([, values]) => values.size > 0)).toBe(true)
    }),
  )
})

describe("a value that moves", () => {
  test("is at its new key alone", () => {
    const map = new Multimap<string>()
    map.move("x", undefined, "a")
    map.move("x", "a", "b")
    expect([[...map.of("a")], [...map.of("b")]]).toEqual([[], ["x"]])
    map.move("x", "b", undefined)
    expect(map.has("b")).toBe(false)
  })
})
