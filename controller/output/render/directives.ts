import { dataBlocks, type TypedDirective } from "../../model/typed-directive.ts"
import { quoteWithVariables } from "./quote.ts"

// Directives as a tree in, lines of nginx.conf out. Each name and each argument is one word for nginx's reader, whatever is in it, and braces are
// ours: what is printed begins and ends at one level, and has in each block the directives that the tree has there.

/** How every name of a directive looks; `quoteWithVariables` leaves such a word as it is. */
const directiveName = /^[a-z][a-z0-9_]*$/

const step = 4

/**
 * Whole lines, without the line break of the last one.
 *
 * @param indent blanks before each
 * @throws Error for a name that is none, and for a NUL
 */
export function printDirectives(directives: readonly TypedDirective[], indent: number): string {
  return directives.flatMap((directive) => linesOf(directive, indent, false)).join("\n")
}

function linesOf(directive: TypedDirective, indent: number, isData: boolean): readonly string[] {
  const { name, args, block } = directive
  if (!isData && !directiveName.test(name))
    throw new Error(`Cannot print ${JSON.stringify(name)} as the name of a directive`)
  const margin = " ".repeat(indent)
  const words = [name, ...args].map(quoteWithVariables).join(" ")
  if (block === undefined) return [`${margin}${words};`]
  const inside = block.flatMap((inner) => linesOf(inner, indent + step, dataBlocks.has(name)))
  return [`${margin}${words} {`, ...inside, `${margin}}`]
}
