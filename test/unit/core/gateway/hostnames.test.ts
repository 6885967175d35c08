import fc from "fast-check"
import { expect, test } from "vitest"
import {
  bySpecificity,
  declaredName,
  intersection,
  isOwnName,
  isWithin,
} from "../../../../controller/core/gateway/hosts/hostnames.ts"
import { runs } from "../../../support/runs.ts"

test.each([
  ["", "a.test", "a.test"],
  ["a.test", "", "a.test"],
  ["*.test", "a.test", "a.test"],
  ["*.test", "b.a.test", "b.a.test"],
  ["*.test", "*.a.test", "*.a.test"],
  ["*.test", "test", undefined],
  ["*.a.test", "a.test", undefined],
  ["*.test", "atest", undefined],
  ["a.test", "b.test", undefined],
  ["*.test", "*.test", "*.test"],
  ["", "", ""],
])("%s and %s have %s in common", (a, b, common) => {
  expect(intersection(a, b)).toBe(common)
  expect(intersection(b, a)).toBe(common)
})

const label = fc.constantFrom("a", "b", "c")
const name = fc
  .tuple(fc.boolean(), fc.array(label, { maxLength: 3 }))
  .map(([isWild, labels]) => (labels.length === 0 ? "" : `${isWild ? "*." : ""}${labels.join(".")}`))

test("what two names have in common is within both, and nothing else of either is", () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      const common = intersection(a, b)
      if (common === undefined) return
      expect(isWithin(common, a) && isWithin(common, b)).toBe(true)
      expect([a, b]).toContain(common)
    }),
    runs(1000),
  )
})

test("exact names come before wildcards, longer ones before shorter ones", () => {
  const names = ["", "*.test", "*.a.test", "a.test", "b.a.test"]
  expect(names.toSorted(bySpecificity)).toEqual(["b.a.test", "a.test", "*.a.test", "*.test", ""])
})

test("a name is that of the listener with the most specific hostname", () => {
  const listeners = ["", "*.test", "*.a.test", "b.a.test"]
  expect(listeners.filter((hostname) => isOwnName("b.a.test", hostname, new Set(listeners)))).toEqual([
    "b.a.test",
  ])
  expect(
    ["", "*.test", "*.a.test"].filter((hostname) => isOwnName("c.a.test", hostname, new Set(listeners))),
  ).toEqual(["*.a.test"])
  expect(isOwnName("*.test", "*.test", new Set(listeners))).toBe(true)
})

test("a wildcard stands for several labels in the data plane, and no name for every host", () => {
  expect(["", "*.a.test", "a.test"].map(declaredName)).toEqual(["_", "**.a.test", "a.test"])
})
