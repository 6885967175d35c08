import assert from "node:assert/strict"
import type { CompiledLevel, CompiledSnippet } from "../../controller/core/snippets/compiled.ts"
import { type Directive, parseNginxSyntax } from "../../controller/core/snippets/syntax.ts"
import type { Script } from "../../controller/model/route-records.ts"
import type { TypedDirective } from "../../controller/model/typed-directive.ts"
import { printDirectives } from "../../controller/output/render/directives.ts"

/**
 * @param written the text that was compiled
 * @throws AssertionError unless it is what records and nginx take: steps and levels within their bounds, and text that is read as what it was; or what
 *   is said of the text is about no place in it
 */
export function checkCompiled(compiled: CompiledSnippet, written: string): void {
  for (const { script, text } of levelsIn(compiled)) {
    checkScript(script ?? {})
    checkPrinted(text)
  }
  checkPrinted(compiled.raw.map(({ text }) => text))
  const lines = written.split("\n").length
  for (const { line } of [...compiled.refused, ...compiled.directives]) assert(line >= 1 && line <= lines)
  for (const { column, reason } of compiled.refused) {
    assert(column >= 1)
    // it must not forge lines of a log
    assert.doesNotMatch(reason, control)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\0-\x1f\x7f]/

function levelsIn(level: CompiledLevel): readonly CompiledLevel[] {
  return [level, ...level.locations.flatMap(levelsIn)]
}

/** docs/wire.md, SCRIPT: a jump ends inside, and only what a `return` or a variable says has control characters. */
function checkScript({ steps = [], levels = [] }: Script): void {
  assert(steps.length <= 256 && levels.length <= 64)
  for (const [nth, { skip = 0, level = 0 }] of steps.entries())
    assert(nth + skip < steps.length && level < Math.max(1, levels.length))
  for (const text of textsOf(levels)) assert.doesNotMatch(text, control)
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : []
}

function checkPrinted(text: readonly TypedDirective[]): void {
  assert.deepEqual(parseNginxSyntax(printDirectives(text, 0)).map(plain), text)
}

function plain({ name, words, block }: Directive): TypedDirective {
  return { name, args: words, ...(block && { block: block.map(plain) }) }
}
