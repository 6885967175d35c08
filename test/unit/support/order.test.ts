import { expect, test } from "vitest"
import { byText, compareText } from "../../../controller/support/order.ts"

test("texts have the order of their code units, in every language", () => {
  expect(["ä", "b", "a", "B", "", "a1", "a"].sort(compareText)).toEqual(["", "B", "a", "a", "a1", "b", "ä"])
  expect(compareText("a", "a")).toBe(0)
})

test("things have the order of their texts; equal ones stay as they stand", () => {
  const things = [
    { name: "b", at: 0 },
    { name: "a", at: 1 },
    { name: "b", at: 2 },
  ]
  expect(things.sort(byText(({ name }) => name)).map(({ at }) => at)).toEqual([1, 0, 2])
})
