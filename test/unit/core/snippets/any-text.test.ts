import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compileSnippet } from "../../../../controller/core/snippets/compile.ts"
import { guardIn } from "../../../../controller/core/snippets/guards.ts"
import type { CompilePlace } from "../../../../controller/core/snippets/scope.ts"
import { directiveNames } from "../../../../controller/core/snippets/table.ts"
import { caseOf } from "../../../nginx/snippets/support/grammar.ts"
import { checkCompiled } from "../../../support/compiled-snippets.ts"
import { hostile } from "../../../support/hostile.ts"
import { runs } from "../../../support/runs.ts"

const places: readonly CompilePlace[] = ["location", "server", "auth", "http", "main", "stream"]

const options = {
  namespace: "shop",
  isVariable: (name: string) => /^(host|uri|args|remote_addr|request_method|(http|arg)_\w+)$/.test(name),
  requestZones: new Set(["z"]),
}

/** What every object of JavaScript has under a name. */
const inherited = ["constructor", "__proto__", "toString"]

const words: readonly string[] = [
  ...["$host", "$a", "$1", `$\{http_a}b`, "on", "off", "1", "8k", "1m", "all", "10.0.0.0/8", "/a", "403"],
  ...["^/(?<n>.)$", "=", "~", "~*", "!=", "($host", "a)", "($a)", "'", '"', "''", "@a", "last", "always"],
  ...["-s", "A: b", "A", "zone=z", "http://cart:80/b", "http://unix:/x", "none", "default", "\\", "$", "${"],
  ...["include", "GET", "{", "}", ";", "#", "\n", "; set $__proto__ 1;", "return 403;", "location /x {"],
  ...inherited,
  ...hostile,
]
const word = fc.constantFrom(...words)
const name = fc.constantFrom(
  ...directiveNames,
  ...["if", "location", "set", "return", "rewrite", "add_header", "more_set_headers", "map", "server"],
  ...["upstream", "xyz"],
  ...inherited,
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
/** As people write them. Source: the generator of cases that are held against nginx. */
const usual = fc.nat({ max: 1e6 }).map((nth) => {
  const { server = "", location = "" } = caseOf(nth)
  return `${server}\n${location}`
})
/** Where, how much is taken away, and what comes there. */
const damages = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.oneof(word, name)), {
  minLength: 1,
  maxLength: 6,
})
const damaged = fc.tuple(fc.oneof(wellFormed, usual), damages).map(([whole, all]) =>
  all.reduce((text, [where, length, put]) => {
    const at = where % (text.length + 1)
    return text.slice(0, at) + put + text.slice(at + length)
  }, whole),
)
const anyText = fc.oneof(fc.string({ unit: "binary" }), wellFormed, damaged)

describe("any text", () => {
  test("is compiled without a failure, to what records and nginx take", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...places), (text, place) =>
        checkCompiled(compileSnippet(text, place, options), text),
      ),
      runs(3000),
    )
  })

  test("is compiled to the same each time", () => {
    fc.assert(
      fc.property(damaged, fc.constantFrom(...places), (text, place) => {
        expect(compileSnippet(text, place, options)).toEqual(compileSnippet(text, place, options))
      }),
      runs(300),
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
      runs(1000),
    )
  })

  test("that only adds or changes something closes nothing", () => {
    fc.assert(
      fc.property(wellFormed, fc.constantFrom("location" as const, "server" as const), (text, place) => {
        fc.pre(guardIn(text, place) === undefined)
        expect(compileSnippet(text, place, options).refused.filter(({ mayGuard }) => mayGuard)).toEqual([])
      }),
      runs(1000),
    )
  })
})
