import fc from "fast-check"
import { expect, test } from "vitest"
import { shown } from "../../../controller/model/shown.ts"

test("plain text is quoted", () => expect(shown("cart.test")).toBe('"cart.test"'))

test.each([
  ['a"b', '"a\\"b"'],
  ["a\nb", '"a\\nb"'],
  ["a\u009bb", '"a\\u009bb"'],
  ["a\u2028b", '"a\\u2028b"'],
  ["é", '"\\u00e9"'],
  ["\u{1f600}", '"\\ud83d\\ude00"'],
])("%j is shown escaped", (text, quoted) => expect(shown(text)).toBe(quoted))

test.each([
  ["https://user:secret@auth.test/a?b=c@d", '"https://…@auth.test/a?b=c@d"'],
  ["http://user:se@cret@auth.test", '"http://…@auth.test"'],
  ["http://auth.test/@x, ftp://u@h", '"http://auth.test/@x, ftp://…@h"'],
  [`http://user:${"p".repeat(200)}@auth.test`, '"http://…@auth.test"'],
])("%j is shown without user name and password", (text, quoted) => expect(shown(text)).toBe(quoted))

test("anything comes out as one short line of printable characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(shown(text)).toMatch(/^"[\x20-\x7e…]{0,1000}"$/)
    }),
  )
})
