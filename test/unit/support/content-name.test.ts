import { describe, expect, test } from "vitest"
import { byContentName, contentName, isAmong, isSameById } from "../../../controller/support/content-name.ts"

const one = { name: "n", text: "one" }
const two = { name: "n", text: "two" }
const collision = /Two different things have the name "n"/

test("a name has 128 bits of its text's hash", () => {
  expect(contentName("shop")).toMatch(/^[0-9a-f]{32}$/)
  expect(contentName("shop")).toBe(contentName("shop"))
  expect(contentName("shop")).not.toBe(contentName("Shop"))
})

describe("things of one name", () => {
  test("are one thing if they are equal", () => {
    const found = byContentName([one, { ...one }, { name: "m", text: "one" }])
    expect([...found.values()]).toEqual([one, { name: "m", text: "one" }])
    expect(found.get("n")).toBe(one)
    expect(isAmong(found, "n", { ...one })).toBe(true)
    expect(isSameById({ id: "n", text: "" }, { id: "n", text: "" })).toBe(true)
  })

  test("that differ are a bug or an attack, and none of them wins", () => {
    expect(() => byContentName([one, two])).toThrow(collision)
    expect(() => isAmong(byContentName([one]), "n", two)).toThrow(collision)
    expect(() => isSameById({ id: "n", text: "" }, { id: "n", text: "x" })).toThrow(collision)
  })

  test("differ as whoever knows them says", () => {
    const isSame = (a: typeof one, b: typeof one) => a.text.length === b.text.length
    expect([...byContentName([one, two], isSame).values()]).toEqual([one])
  })

  test("are not looked for where the names differ", () => {
    expect(isAmong(byContentName([one]), "m", { name: "m", text: "one" })).toBe(false)
    expect(isSameById({ id: "n", text: "" }, { id: "m", text: "" })).toBe(false)
  })
})
