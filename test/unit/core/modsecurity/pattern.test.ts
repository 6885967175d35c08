import { expect, test } from "vitest"
import { patternFault } from "../../../../controller/core/modsecurity/pattern.ts"

test.each([
  ...[
    "^/admin",
    "(?i:a|b)",
    "[^]a]",
    "[]a]",
    "[[:alpha:]_]",
    "[[]",
    "a\\(b",
    "[\\]]",
    "\\Q(\\E",
    "\\Q(",
    "(?>a+)b",
  ],
  ...[
    "a{2,}",
    "a{",
    "^.*x.*",
    "(?:^|[^a-z])",
    "(*UTF8)a",
    "\\\\",
    "[a\\\\]",
    "(a)|(b)",
    "a|*b".replace("*", "x"),
  ],
])("may be one: %s", (pattern) => {
  expect(patternFault(pattern)).toBeUndefined()
})

test.each([
  ["(a", "a bracket has no end"],
  ["a)", "a bracket is closed that is not open"],
  ["[a", "a class of characters has no end"],
  ["[]", "a class of characters has no end"],
  ["[[:alpha:]", "a class of characters has no end"],
  ["a\\", "it ends with a backslash"],
  ["*a", "there is nothing to repeat"],
  ["(+a)", "there is nothing to repeat"],
  ["a|+b", "there is nothing to repeat"],
])("is none: %s", (pattern, fault) => {
  expect(patternFault(pattern)).toBe(fault)
})
