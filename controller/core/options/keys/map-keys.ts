import type { MapKey } from "../../../model/http/filters.ts"
import { accepted, type Parser, refused } from "../values.ts"
import { line } from "./parsers.ts"

/** What a `map` of nginx compares with: a text, `~` and a regular expression, or `~*` and one that ignores case. */
export const mapKey: Parser<MapKey> = (text) => {
  const parsed = line(text)
  if (parsed.kind === "refused") return parsed
  const [, mark, pattern = ""] = /^(~\*?)(.*)$/.exec(text) ?? []
  if (mark === undefined) return accepted({ kind: "text", text })
  const regex = regularExpression(pattern)
  return regex.kind === "refused" ? regex : accepted({ kind: "regex", pattern, ignoresCase: mark === "~*" })
}

/**
 * A regular expression that stands in nginx.conf. Named groups would set variables of nginx by their name, whatever those are for. Whether it
 * compiles is nginx's to say.
 */
export const regularExpression: Parser<string> = (text) => {
  if (text === "") return refused("write a regular expression")
  if (/\(\?(P?<(?![=!])|')/.test(text)) return refused("use groups without names")
  return line(text)
}
