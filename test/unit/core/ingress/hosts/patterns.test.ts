import { expect, test } from "vitest"
import { literalBeginning } from "../../../../../controller/core/ingress/hosts/patterns.ts"
import { escaped } from "../../../../../controller/support/pattern.ts"

test.each([
  ["/api(/|$)(.*)", "/api"],
  ["/api/v[0-9]+/x", "/api/v"],
  ["/plain", "/plain"],
  ["/a.b", "/a"],
  ["/ab*", "/a"],
  ["/ab?c", "/a"],
  ["/ab{0,2}", "/a"],
  ["/ab+", "/ab"],
  [String.raw`/ab\E?`, "/a"],
  [String.raw`/ab\Q\E?`, "/a"],
  ["/ab(?#absent)?", "/a"],
  ["/ab(?i)?", "/a"],
  ["/ab(*ACCEPT)?", "/a"],
  ["/ab(?:c)", "/ab"],
  ["/ab(?=c)", "/ab"],
  ["/.*", "/"],
  ["/a|/b", ""],
  ["/a(b|c)d|/", ""],
  ["/a(?#()|/", ""],
  [String.raw`/a\Q(\E|/`, ""],
  ["/a[](]|/", ""],
  ["/a[^](]|/", ""],
  ["/a[[:alpha:](]|/", ""],
  ["/a)|/", ""],
  [String.raw`/a\((b|c)`, "/a"],
  ["/a[(|]b", "/a"],
  ["/ä", "/"],
])("of %s it is certain that it begins with %s", (pattern, beginning) => {
  expect(literalBeginning(pattern)).toBe(beginning)
})

test("escaped text matches itself alone", () => {
  const text = "/a.b(c)[d]{e}^$|?*+\\"
  expect(new RegExp(`^${escaped(text)}$`).exec(text)?.[0]).toBe(text)
  expect(new RegExp(`^${escaped("/v1.0")}$`).test("/v1x0")).toBe(false)
})
