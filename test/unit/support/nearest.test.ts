import fc from "fast-check"
import { distance } from "fastest-levenshtein"
import { expect, test } from "vitest"
import { knownNames } from "../../../controller/core/annotations/table.ts"
import { nearest } from "../../../controller/support/nearest.ts"

test.each([
  ["proxy-read-timout", "proxy-read-timeout"],
  ["proxy-body-size-", "proxy-body-size"],
  ["Proxy-Body-Size", "proxy-body-size"],
  ["rewrite-traget", "rewrite-target"],
  ["ssl-redirects", "ssl-redirect"],
  ["send-timeout", "proxy-send-timeout"],
  ["proxy-buffers", "proxy-buffers-number"],
  ["canray", "canary"],
])("%s was meant to be %s", (text, word) => expect(nearest(text, knownNames)).toBe(word))

test.each([
  "enable-influxdb",
  "modsecurity-enable",
  "canary-by-cookie-value",
  "size",
  "x",
  "",
  "a".repeat(70_000),
])("nothing is like %.20s", (text) => {
  expect(nearest(text, knownNames)).toBeUndefined()
})

test("the distance is a metric", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 8 })
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      expect(distance(a, b) === 0).toBe(a === b)
      expect(distance(a, b)).toBe(distance(b, a))
      expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c))
    }),
  )
})
