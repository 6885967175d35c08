import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compileSnippet } from "../../../../controller/core/snippets/compile.ts"
import { guardIn } from "../../../../controller/core/snippets/guards.ts"
import type { CompilePlace } from "../../../../controller/core/snippets/scope.ts"
import { directiveNames } from "../../../../controller/core/snippets/table.ts"
import { checkCompiled } from "../../../support/compiled-snippets.ts"
import { hostile } from "../../../support/hostile.ts"

const places: readonly CompilePlace[] = ["location", "server", "auth", "http", "main", "stream"]
const seed = 33

const options = {
  namespace: "shop",
  isVariable: (name: string) => /^(host|uri|args|remote_addr|request_method|(http|arg)_\w+)$/.test(name),
  requestZones: new Set(["z"]),
}

const word = fc.constantFrom(
  ...[
    "$host",
    "$a",
    "$1",
    `$\{http_a}b`,
    "on",
    "off",
    "1",
    "8k",
    "1m",
    "all",
    "10.0.0.0/8",
    "/a",
    "^/(?<n>.)$",
    "403",
  ],
  ...[
    "=",
    "~",
    "~*",
    "!=",
    "($host",
    "a)",
    "($a)",
    "'",
    '"',
    "''",
    "@a",
    "last",
    "always",
    "-s",
    "A: b",
    "A",
    "zone=z",
  ],
  ...[
    "http://cart:80/b",
    "http://unix:/x",
    "none",
    "default",
    "\\",
    "$",
    "${",
    "include",
    "GET",
    "{",
    "}",
    ";",
    "#",
    "\n",
  ],
  ...hostile,
)
const name = fc.constantFrom(
  ...directiveNames,
  ...[
    "if",
    "location",
    "set",
    "return",
    "rewrite",
    "add_header",
    "more_set_headers",
    "map",
    "server",
    "upstream",
    "xyz",
  ],
)
const statement = fc
  .tuple(name, fc.array(word, { maxLength: 4 }), fc.boolean())
  .map(([first, rest, isQuoted]) =>
    [first, ...rest.map((it) => (isQuoted ? JSON.stringify(it) : it))].join(" "),
  )
const block = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    statement.map((it) => `${it};`),
    fc
      .tuple(statement, fc.array(tie("text"), { maxLength: 4 }))
      .map(([it, inside]) => `${it} {${inside.join("\n")}}`),
  ),
})).text
const wellFormed = fc.array(block, { maxLength: 6 }).map((it) => it.join(" "))
const damaged = fc
  .tuple(wellFormed, fc.nat(), fc.nat({ max: 3 }), word)
  .map(
    ([text, at, length, put]) =>
      text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + length),
  )
const anyText = fc.oneof(fc.string({ unit: "binary" }), wellFormed, damaged)

describe("any text", () => {
  test("is compiled without a failure, to what records and nginx take", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...places), (text, place) =>
        checkCompiled(compileSnippet(text, place, options)),
      ),
      { seed, numRuns: 3000 },
    )
  })

  test("that cannot be read closes, and nothing of it is in force", () => {
    fc.assert(
      fc.property(damaged, fc.constantFrom(...places), (text, place) => {
        const { refused, directives, text: printed } = compileSnippet(text, place, options)
        if (!refused.some(({ directive }) => directive === "") || directives.length > 0) return
        expect(refused).toMatchObject([{ mayGuard: true }])
        expect(printed).toEqual([])
      }),
      { seed, numRuns: 1000 },
    )
  })

  test("that only adds or changes something closes nothing", () => {
    fc.assert(
      fc.property(wellFormed, fc.constantFrom("location" as const, "server" as const), (text, place) => {
        fc.pre(guardIn(text, place) === undefined)
        expect(compileSnippet(text, place, options).refused.filter(({ mayGuard }) => mayGuard)).toEqual([])
      }),
      { seed, numRuns: 1000 },
    )
  })
})
