import { nextUpstreamWords } from "../../model/words.ts"
import { accepted, refused } from "./parser.ts"
import type { Syntax } from "./usage.ts"

const conditions: readonly string[] = nextUpstreamWords

/** Conditions under which a request is tried at another endpoint, between blanks: each once, in nginx's order. */
export const nextUpstream: Syntax<string> = {
  values: "words of nginx's `proxy_next_upstream` between blanks",
  parse: (text) => {
    const words = text.trim().split(/ +/)
    const unknown = words.find((word) => !conditions.includes(word))
    if (unknown !== undefined)
      return refused(`write words among ${conditions.join(", ")}, separated by blanks`)
    return accepted(conditions.filter((word) => words.includes(word)).join(" "))
  },
}
