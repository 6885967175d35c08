// Texts that nobody would write: whatever stands in a snippet, the compiler says what it makes of it and what it does not.
import { describe, expect, test } from "vitest"
import { compileSnippet } from "../../../../controller/core/snippets/compile.ts"
import type { CompiledLevel, CompiledSnippet } from "../../../../controller/core/snippets/compiled.ts"
import { parseNginxSyntax } from "../../../../controller/core/snippets/syntax.ts"
import { directiveNames } from "../../../../controller/core/snippets/table.ts"
import { printDirectives } from "../../../../controller/output/render/directives.ts"
import { Random } from "../../../../harness/random.ts"
import { caseOf } from "../../../nginx/snippets/support/grammar.ts"
import { runs } from "../../../support/runs.ts"

const places = ["server", "location", "auth", "http", "main", "stream"] as const
const names = [...directiveNames]

const pieces = [
  ...['"', "'", "\\", "{", "}", ";", "#", " ", "\n", "$", "${", "$1", "(", ")", "~", "~*", "=", "@"],
  ...["|", "?", "*", "\u0000", "é", "%", "-s", "always", "last", "all", "$http_x", "0", "-1", "10m"],
  ...["99999999999999999999", "off", "http://", "deny all;", "return 403;", "if ($a) {", "location /x {"],
  ...["proxy_pass http://a.b;", ";__proto__ x;", ";constructor;", ";toString {}", "; set $__proto__ 1;"],
]

const seeds = Array.from({ length: runs(400).numRuns }, (_, seed) => seed)

describe("a text that is spoilt", () => {
  test("is read without a fault of the compiler, and the same each time", () => {
    for (const seed of seeds) {
      const [text, place] = spoiltOf(seed)
      const compiled = compile(text, place)
      expect({ seed, compiled: compile(text, place) }).toEqual({ seed, compiled })
      checkPlaces(seed, text, compiled)
    }
  })

  test("becomes steps and levels within their bounds, whose jumps end inside", () => {
    for (const seed of seeds)
      for (const level of levelsOf(compile(...spoiltOf(seed)))) checkSteps(seed, level)
  })

  test("is printed, if at all, as what was understood", () => {
    for (const seed of seeds) {
      for (const { text } of levelsOf(compile(...spoiltOf(seed)))) {
        const read = parseNginxSyntax(printDirectives(text, 0)).map(({ name, words }) => ({ name, words }))
        expect({ seed, read }).toEqual({ seed, read: text.map(({ name, args }) => ({ name, words: args })) })
      }
    }
  })
})

function compile(text: string, place: (typeof places)[number]): CompiledSnippet {
  return compileSnippet(text, place, {
    namespace: "demo",
    isVariable: (name) => /^(http|arg)_|uri$/.test(name),
  })
}

function spoiltOf(seed: number): [string, (typeof places)[number]] {
  const random = new Random(seed)
  const { server = "", location = "" } = caseOf(seed)
  const all = [...pieces, ...names]
  let text = `${server}\n${location}`
  for (let left = 1 + random.below(6); left > 0; left--) {
    const at = random.below(text.length)
    text = text.slice(0, at) + all[random.below(all.length)] + text.slice(at + random.below(4))
  }
  return [text, places[random.below(places.length)] ?? "server"]
}

/** Everything that is said of a text is about a place in it. */
function checkPlaces(seed: number, text: string, { refused, directives }: CompiledSnippet): void {
  const lines = text.split("\n").length
  for (const { line } of [...refused, ...directives])
    expect([seed, line >= 1 && line <= lines]).toEqual([seed, true])
  for (const { reason } of refused) expect([seed, /^[^\n]+$/.test(reason)]).toEqual([seed, true])
}

function checkSteps(seed: number, { script: { steps = [], levels = [] } = {} }: CompiledLevel): void {
  expect([seed, steps.length <= 256 && levels.length <= 64]).toEqual([seed, true])
  for (const [at, { skip = 0, level = 0 }] of steps.entries()) {
    expect([seed, at + skip < steps.length || skip === 0]).toEqual([seed, true])
    expect([seed, level === 0 || level < levels.length]).toEqual([seed, true])
  }
}

/** The level itself, and those of all locations in it. */
function levelsOf(level: CompiledLevel): CompiledLevel[] {
  return [level, ...level.locations.flatMap(levelsOf)]
}
