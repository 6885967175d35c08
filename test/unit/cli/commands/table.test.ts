import { expect, test } from "vitest"
import { aligned, printable } from "../../../../cli/commands/table.ts"

test("columns are as wide as their widest cell, and no line ends in blanks", () => {
  expect(
    aligned([
      ["HOST", "PATH", "NOTES"],
      ["a.test", "/", ""],
      ["b.test", "/long/path", "status 503"],
    ]),
  ).toEqual(["HOST    PATH        NOTES", "a.test  /", "b.test  /long/path  status 503"])
})

test("there may be more lines than a function takes arguments", () => {
  const rows = Array.from({ length: 300_000 }, () => ["a.test", "/"])
  expect(aligned([["HOST", "PATH"], ...rows])).toHaveLength(rows.length + 1)
})

test("what could tell a terminal to do something is escaped", () => {
  expect(printable("/a\u001b[31m\n\u009b\u2028\u202eb")).toBe("/a\\u001b[31m\\u000a\\u009b\\u2028\\u202eb")
  expect(printable("a\u061c\u200e\u200f\u2066b\u2069")).toBe("a\\u061c\\u200e\\u200f\\u2066b\\u2069")
  expect(printable("/grün/日本")).toBe("/grün/日本")
})
