import { expect, test } from "vitest"
import { compact } from "../../../controller/support/compact.ts"

test("the items stay what and where they are", () => {
  const items = [{ at: 0 }, { at: 1 }]
  expect(compact(items)).toEqual(items)
  expect(compact(items)[1]).toBe(items[1])
  expect(compact(items)).not.toBe(items)
})

test("of no items there is one array for all", () => {
  expect(compact([])).toEqual([])
  expect(compact([])).toBe(compact<string>([]))
})
