import fc from "fast-check"
import { expect, test } from "vitest"
import { LayeredMap } from "../../../../controller/support/incremental/layered-map.ts"
import { SharedMap } from "../../../../controller/support/incremental/shared-map.ts"

const keys = ["a", "b", "c", "d"]
const key = fc.constantFrom(...keys)
const value = fc.option(fc.nat(3), { nil: undefined })

test("is the map below with what was put", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat(3))), fc.array(fc.tuple(key, value)), (base, put) => {
      const expected = new Map(base)
      for (const [name, number] of put) {
        if (number === undefined) expected.delete(name)
        else expected.set(name, number)
      }
      const layered = new LayeredMap(new Map(base), new Map(put))
      const told: [string, number][] = []
      layered.forEach((number, name) => {
        told.push([name, number])
      })
      expect(new Map(layered)).toEqual(expected)
      expect(new Map(told)).toEqual(expected)
      expect([layered.size, new Set(layered.keys())]).toEqual([expected.size, new Set(expected.keys())])
      expect([...layered.values()].sort()).toEqual([...expected.values()].sort())
      expect(keys.map((name) => [layered.has(name), layered.get(name)])).toEqual(
        keys.map((name) => [expected.has(name), expected.get(name)]),
      )
    }),
  )
})

test("a view stays as it was, however many keys are put after it", () => {
  const map = new SharedMap<number>()
  const views = Array.from({ length: 300 }, (_, at) => {
    map.put(`key-${at % 150}`, at % 7 === 0 ? undefined : at)
    return {
      view: map.view(),
      expected: new Map([...Array(at + 1).keys()].map((n) => [`key-${n % 150}`, n])),
    }
  })
  for (const { view, expected } of views) {
    for (const [name, n] of expected) if (n % 7 === 0) expected.delete(name)
    expect(new Map(view)).toEqual(expected)
  }
})
