import { expect, test } from "vitest"
import { checkPath } from "../../../../../controller/core/ingress/read/check.ts"

test.each([
  "/",
  "/cart",
  "/cart/",
  "/a b",
  "/ä",
  '/";}',
  "/a\\b",
  "/$x",
  "/#",
  "/..a",
  "/a.",
  `/${"x".repeat(4094)}`,
])("path %.20s is fine", (path) => expect(checkPath(path, true)).toBeUndefined())

test.each([
  "",
  "cart",
  "cart/x",
  "*",
  "/a\nb",
  "/a\0",
  "/a\u0085",
  "/a\u2028",
  "/a\ud800",
  "/a\u007f",
  `/${"x".repeat(4095)}`,
  `/${"ä".repeat(2048)}`,
])("path %j is refused", (path) => expect(checkPath(path, false)).toMatch(/^it /))

test("what nginx resolves away can match nothing, unless it is a pattern", () => {
  for (const path of ["//", "/a//b", "/./a", "/a/../b", "/a/..", "/."]) {
    expect(checkPath(path, true)).toContain("resolves")
    expect(checkPath(path, false)).toBeUndefined()
  }
})
