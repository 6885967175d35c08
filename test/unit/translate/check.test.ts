import { expect, test } from "vitest"
import { checkHost, checkPath } from "../../../controller/translate/check.ts"

test.each([
  "shop.test",
  "*.shop.test",
  "localhost",
  "a.b-c.d",
  "xn--bcher-kva.test",
  `${"a".repeat(63)}.test`,
  "1.2.3.4",
])("host %s is fine", (host) => expect(checkHost(host)).toBeUndefined())

test.each([
  "_",
  "*",
  "*.",
  "*.*.test",
  "a.*.test",
  "*shop.test",
  "shop.test.",
  ".test",
  "a..b",
  "-a.test",
  "a-.test",
  "a_b.test",
  "bücher.test",
  "shop.test:80",
  "shop.test/",
  "shop test",
  "shop.test\n",
  "\nshop.test",
  'shop.test"',
  "shop.test;",
  "$host",
  `${"a".repeat(64)}.test`,
  `${"a.".repeat(127)}a`,
])("host %j is refused", (host) => expect(checkHost(host)).toMatch(/^(write|it is)/))

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
  `/${"x".repeat(4095)}`,
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
  `/${"x".repeat(4096)}`,
  `/${"ä".repeat(2048)}`,
])("path %j is refused", (path) => expect(checkPath(path, false)).toMatch(/^it /))

test("what nginx resolves away can match nothing, unless it is a pattern", () => {
  for (const path of ["//", "/a//b", "/./a", "/a/../b", "/a/..", "/."]) {
    expect(checkPath(path, true)).toContain("resolves")
    expect(checkPath(path, false)).toBeUndefined()
  }
})
