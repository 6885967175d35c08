import { type Directive, parseNginxSyntax, SyntaxFault } from "../../../controller/core/snippets/syntax.ts"
import { getOrMake } from "../../../controller/support/maps.ts"
import type { Matcher, Subject } from "../subject.ts"
import { either, says } from "./matching.ts"

// Whom a difference concerns by what stands in snippets.

/** A configuration-snippet or server-snippet that has such directives, wherever in it. */
export function snippetHas(isMeant: (directives: readonly Directive[]) => boolean): Matcher {
  return (subject) => {
    const isThere = (text: string) => isMeant(directivesOf(subject, text))
    return either(says("snippets", "ofPaths", isThere), says("snippets", "ofHosts", isThere))(subject)
  }
}

/** What snippets of an Ingress have been read as, by their text: many differences ask. */
const read = new WeakMap<Subject, Map<string, readonly Directive[]>>()

function directivesOf(subject: Subject, text: string): readonly Directive[] {
  return getOrMake(
    getOrMake(read, subject, () => new Map<string, readonly Directive[]>()),
    text,
    () => directivesIn(text),
  )
}

/** @param words a pattern of its words, with blanks between them */
export function hasDirective(name: RegExp, words = /^/): (directives: readonly Directive[]) => boolean {
  return (directives) => directives.some((it) => name.test(it.name) && words.test(it.words.join(" ")))
}

/** Of all directives of a text, in its order. */
export function directiveNamesIn(text: string): readonly string[] {
  return directivesIn(text).map(({ name }) => name)
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
