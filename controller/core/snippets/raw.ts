import { dataBlocks, type TypedDirective } from "../../model/typed-directive.ts"
import type { Refused } from "./effects/effect.ts"
import { refusalOf } from "./refusing.ts"
import type { Context } from "./rows.ts"
import type { CompilePlace, Scope } from "./scope.ts"
import type { Directive } from "./syntax.ts"

// Directives that only nginx understands, as trees: what is printed of one ends where it ends, whatever is written in it.

/** How every name of a directive looks, but for those between whose braces is a program. Source: nginx, the tables of its modules. */
const directiveName = /^(?!.*_by_lua)[a-z][a-z0-9_]*$/

/** What runs code, where the module for it is there. The operator's process is the operator's. */
const code = /^js_/

/**
 * Keeps a directive whose row says that only its text would do. Only what stands around all has a place to be printed at.
 *
 * @param around what the snippet stands in
 * @param why it is more than is printed anew
 */
export function keepAsText(
  directive: Directive,
  scope: Scope,
  around: Context,
  why: Refused,
): "raw" | Refused {
  const { session } = scope
  if (scope.location !== undefined || scope.context !== around) return why
  const fault = rawFault(directive, session.place)
  if (fault !== undefined) return { ...why, refused: fault }
  session.raw.push({ ...refusalOf(directive, scope, why), text: asWritten(directive) })
  return "raw"
}

/**
 * Why a directive is not printed although its row says that only its text would do.
 *
 * @returns a phrase that goes on after a colon; undefined: it may be printed
 */
function rawFault(directive: Directive, place: CompilePlace): string | undefined {
  const isOperators = place === "http" || place === "main" || place === "stream"
  if (!isOperators && code.test(directive.name))
    return "it runs code in nginx, which only the operator may do"
  return shapeFault(directive, false)
}

function shapeFault({ name, words, block = [] }: Directive, isData: boolean): string | undefined {
  if ([name, ...words].some((word) => word.includes("\0"))) return "it has a NUL character"
  if (!isData && !directiveName.test(name)) return "no directive of nginx is called like that"
  for (const inner of block) {
    const fault = shapeFault(inner, dataBlocks.has(name))
    if (fault !== undefined) return fault
  }
  return undefined
}

function asWritten({ name, words, block }: Directive): TypedDirective {
  return { name, args: words, ...(block && { block: block.map(asWritten) }) }
}
