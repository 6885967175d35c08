import { expect, test } from "vitest"
import { SharedValues } from "../../../controller/support/shared-values.ts"

test("equal values are the first of them", () => {
  const shared = new SharedValues<{ timeout: number; names?: readonly string[] }>()
  const first = shared.of({ timeout: 5, names: ["a"] })
  expect(shared.of({ timeout: 5, names: ["a"] })).toBe(first)
})

test("others stay what they are", () => {
  const shared = new SharedValues<{ timeout: number | string }>()
  shared.of({ timeout: 5 })
  expect(shared.of({ timeout: "5" })).toEqual({ timeout: "5" })
})

test("values of which there are too many are forgotten, and are equal all the same", () => {
  const shared = new SharedValues<{ at: number }>()
  const first = shared.of({ at: 0 })
  for (let at = 1; at <= 3000; at += 1) shared.of({ at })
  const again = shared.of({ at: 0 })
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})
