import type { MapKey } from "../../../model/http/requests.ts"
import { accepted, type Parser, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"
import { type ListParser, line } from "./texts.ts"

/** What a `map` of nginx compares with: a text, `~` and a regular expression, or `~*` and one that ignores case. */
const mapKey: Parser<MapKey> = (text) => {
  const parsed = line(text)
  if (parsed.kind === "refused") return parsed
  const [, mark, pattern = ""] = /^(~\*?)(.*)$/.exec(text) ?? []
  if (mark === undefined) return accepted({ kind: "text", text })
  const regex = regularExpression(pattern)
  return regex.kind === "refused" ? regex : accepted({ kind: "regex", pattern, ignoresCase: mark === "~*" })
}

/** @param list what becomes of those that are none */
export function mapKeys(list: ListParser): Syntax<readonly MapKey[]> {
  return { values: "texts or `~` patterns separated by commas", parse: list(mapKey) }
}

/** A regular expression, or none. */
export const pattern: Syntax<string> = {
  values: "a regular expression",
  parse: (text) => (text === "" ? accepted("") : regularExpression(text)),
}

/**
 * A regular expression that stands in nginx.conf. Named groups would set variables of nginx by their name, whatever those are for. Whether it
 * compiles is nginx's to say.
 */
const regularExpression: Parser<string> = (text) => {
  if (text === "") return refused("write a regular expression")
  if (/\(\?(P?<(?![=!])|')/.test(text)) return refused("use groups without names")
  return line(text)
}
