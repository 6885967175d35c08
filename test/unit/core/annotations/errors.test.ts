import { expect, test } from "vitest"
import { errorAnnotations } from "../../../../controller/core/annotations/errors.ts"

const { parse } = errorAnnotations.codes

test.each([
  ["404", [404]],
  ["503, 404,503,", [404, 503]],
  ["400,599", [400, 599]],
])("%s", (text, codes) => {
  expect(parse(text)).toEqual({ kind: "value", value: codes })
})

// nginx refuses a page for 499, and with it the configuration of everybody.
test.each([
  "",
  ",",
  "200",
  "399",
  "600",
  "4o4",
  "404;",
  "404 500",
  "499",
  "404,499",
])("%j is refused", (text) => {
  expect(parse(text)).toMatchObject({ kind: "refused" })
})
