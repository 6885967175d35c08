import { expect, test } from "vitest"
import { compareText } from "../../../controller/support/order.ts"

test("texts have the order of their code units, in every language", () => {
  expect(["ä", "b", "a", "B", "", "a1", "a"].sort(compareText)).toEqual(["", "B", "a", "a", "a1", "b", "ä"])
  expect(compareText("a", "a")).toBe(0)
})
