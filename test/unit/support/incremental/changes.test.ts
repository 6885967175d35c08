import fc from "fast-check"
import { expect, test } from "vitest"
import { changesBetween } from "../../../../controller/support/incremental/changes.ts"

interface Item {
  readonly key: number
}

const byKey = (a: Item, b: Item) => a.key - b.key
const known = Array.from({ length: 6 }, (_, key): Item => ({ key }))

/** Each key once; some of the objects are the same in all lists. */
const list = fc
  .uniqueArray(fc.tuple(fc.nat(5), fc.boolean()), { selector: ([key]) => key })
  .map((items) => items.map(([key, isKnown]) => (isKnown && known[key]) || { key }).sort(byKey))

test("changes are what leads from one list to the other, and nothing else", () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const changes = changesBetween(before, after, byKey)
      const gone = new Set(changes.map((change) => change.before))
      const kept = before.filter((item) => !gone.has(item))
      const come = changes.flatMap((change) => change.after ?? [])
      expect([...kept, ...come].sort(byKey)).toEqual(after)
      expect(kept.every((item) => after.includes(item))).toBe(true)
      expect(come.some((item) => before.includes(item))).toBe(false)
    }),
  )
})

test("what stands in one place of both lists is one change", () => {
  const [a, b, c] = [{ key: 1 }, { key: 1 }, { key: 2 }]
  expect(changesBetween([a], [b, c], byKey)).toEqual([
    { before: a, after: b },
    { before: undefined, after: c },
  ])
})
