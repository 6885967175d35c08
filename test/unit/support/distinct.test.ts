import { expect, test } from "vitest"
import { distinctBy } from "../../../controller/support/distinct.ts"

test("of things with one key the first is left, at its place", () => {
  const things = [
    { name: "b", at: 0 },
    { name: "a", at: 1 },
    { name: "b", at: 2 },
  ]
  expect(distinctBy(things, ({ name }) => name).map(({ at }) => at)).toEqual([0, 1])
  expect(distinctBy([], () => "")).toEqual([])
})
