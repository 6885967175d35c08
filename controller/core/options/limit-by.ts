import { shown } from "../../model/shown.ts"
import { accepted, type Parsed, type Parser, refused } from "./parser.ts"
import type { Syntax } from "./usage.ts"

// What tells the clients of an Ingress apart for its limits, as parts of docs/wire.md, LIMITS `by`.

const token = "[A-Za-z0-9_-]{1,128}"
const part = new RegExp(`^(?:address|header:${token}|cookie:${token}|path:[1-9])$`)
const maxParts = 4

const parse: Parser<readonly string[]> = (text) => {
  const parts = text.split(",").map((item) => item.trim())
  const wrong = parts.find((item) => !part.test(item))
  if (wrong !== undefined)
    return refused(`for ${shown(wrong)} write address, header:NAME, cookie:NAME or path:N with N from 1 to 9`)
  return upTo(parts)
}

export const limitBy: Syntax<readonly string[]> = {
  parse,
  values: "`address`, `header:NAME`, `cookie:NAME` or `path:N`, several separated by commas",
}

/** The variables of nginx that come to such a part. */
const variable =
  /\$(?:(binary_remote_addr|remote_addr)|http_([a-z0-9_]{1,128})|cookie_([A-Za-z0-9_]{1,128}))/y

const parseVariables: Parser<readonly string[]> = (text) => {
  const parts: string[] = []
  const find = new RegExp(variable)
  while (find.lastIndex < text.length) {
    const [, address, header, cookie] = find.exec(text) ?? []
    if (address !== undefined) parts.push("address")
    else if (header !== undefined) parts.push(`header:${header.replaceAll("_", "-")}`)
    else if (cookie !== undefined) parts.push(`cookie:${cookie}`)
    else return refused("write $binary_remote_addr, $http_NAME or $cookie_NAME, one behind the other")
  }
  return upTo(parts)
}

/** The same, as nginx's variables. */
export const limitByVariables: Syntax<readonly string[]> = {
  parse: parseVariables,
  values: "`$binary_remote_addr`, `$http_NAME` or `$cookie_NAME`, one behind the other",
}

function upTo(parts: readonly string[]): Parsed<readonly string[]> {
  return parts.length > maxParts ? refused(`write at most ${maxParts} of them`) : accepted(parts)
}
