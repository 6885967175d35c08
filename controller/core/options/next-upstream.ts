import { accepted, refused } from "./parser.ts"
import type { Syntax } from "./usage.ts"

/** The words of nginx's `proxy_next_upstream`. */
const conditions = [
  "error",
  "timeout",
  "invalid_header",
  "http_500",
  "http_502",
  "http_503",
  "http_504",
  "http_403",
  "http_404",
  "http_429",
  "non_idempotent",
  "off",
]

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
