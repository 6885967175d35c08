import { type Directive, parseNginxSyntax, SyntaxFault } from "../../../controller/core/snippets/syntax.ts"
import type { Matcher } from "../subject.ts"
import { either, says } from "./matching.ts"

// Whom a difference concerns by what stands in snippets.

/** A configuration-snippet or server-snippet that has such directives, wherever in it. */
export function snippetHas(isMeant: (directives: readonly Directive[]) => boolean): Matcher {
  return either(
    says("snippets", "ofPaths", (text) => isMeant(directivesIn(text))),
    serverSnippetHas(isMeant),
  )
}

function serverSnippetHas(isMeant: (directives: readonly Directive[]) => boolean): Matcher {
  return says("snippets", "ofHosts", (text) => isMeant(directivesIn(text)))
}

/** @param words a pattern of its words, with blanks between them */
export function hasDirective(name: RegExp, words = /^/): (directives: readonly Directive[]) => boolean {
  return (directives) => directives.some((it) => name.test(it.name) && words.test(it.words.join(" ")))
}

/** Each, and those in its block behind it; of a text that cannot be read none: that is a Problem. */
function directivesIn(text: string): readonly Directive[] {
  try {
    return parseNginxSyntax(text).flatMap(flattened)
  } catch (error) {
    if (error instanceof SyntaxFault) return []
    throw error
  }
}

function flattened(directive: Directive): readonly Directive[] {
  return [directive, ...(directive.block ?? []).flatMap(flattened)]
}
