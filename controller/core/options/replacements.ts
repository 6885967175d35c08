import { accepted, type Parser, refused } from "./parser.ts"
import type { Syntax } from "./usage.ts"

// What is to be replaced in headers of responses. The words become values of routes: a regular expression could not be one.

/** What to look for and what to put in its place, or that nothing is to be replaced. */
export type Replacement = "off" | { readonly from: string; readonly to: string }

/** Longer texts have no use in a header. */
const maxCharacters = 1024

function replacement(characters: RegExp, special: string): Parser<Replacement> {
  return (text) => {
    if (text === "off") return accepted("off")
    const [from, to, ...more] = text.split(/ +/)
    if (from === undefined || to === undefined || more.length > 0)
      return refused("write off, or two words separated by a blank: what to replace, and with what")
    if (from.startsWith("~")) return refused("write a text, regular expressions are not supported")
    if (from.length > maxCharacters || to.length > maxCharacters)
      return refused(`write at most ${maxCharacters} characters`)
    const isPlain = characters.test(from) && characters.test(to)
    return isPlain ? accepted({ from, to }) : refused(`write letters, digits and ${special} only`)
  }
}

/** Paths of cookies. */
export const pathReplacement: Syntax<Replacement> = {
  values: "`off`, or two paths separated by a blank",
  parse: replacement(/^[-._~a-zA-Z0-9/:,?&=]+$/, "- . _ ~ / : , ? & ="),
}

const plainDomains = replacement(/^[-._~a-zA-Z0-9/:]+$/, "- . _ ~ / :")

/** Domains of cookies. A dot in front means nothing; nginx drops it only from what stands in its configuration. */
export const domainReplacement: Syntax<Replacement> = {
  values: "`off`, or two names separated by a blank",
  parse: (text) => {
    const parsed = plainDomains(text)
    if (parsed.kind === "refused" || parsed.value === "off") return parsed
    const [from, to] = [parsed.value.from, parsed.value.to].map((domain) => domain.replace(/^\./, ""))
    return from && to ? accepted({ from, to }) : refused("write a domain after the dot")
  },
}
