import { shown } from "../../../model/shown.ts"
import { distinctBy } from "../../../support/distinct.ts"
import { accepted, list, type Parser, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"

/**
 * Where a message begins and ends, and whom it is for, is for nginx to say: a value from somewhere else would make one request look like two.
 * RFC 9110, 7.6.1 and RFC 9112, 6.
 */
const framing: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** What is wrong with the name of a header that is to be set, or undefined: a phrase that fits after it. */
export function headerFault(name: string): string | undefined {
  if (!/^[A-Za-z\d_-]{1,253}$/.test(name)) return "is no name of a header"
  return framing.has(name.toLowerCase().replaceAll("_", "-")) ? "is for nginx to set" : undefined
}

/** Most headers that are taken over from one answer. */
const maxHeaders = 64

const parse: Parser<readonly string[]> = (text) => {
  const all = distinctBy(list(text).value, (name) => name.toLowerCase())
  const bad = all.find((name) => headerFault(name) !== undefined)
  if (bad !== undefined) return refused(`${shown(bad)} ${headerFault(bad)}`)
  if (all.length === 0) return refused("write names of headers separated by commas")
  return all.length <= maxHeaders ? accepted(all) : refused(`write at most ${maxHeaders} names`)
}

/** Each once, in any case. */
export const responseHeaders: Syntax<readonly string[]> = {
  parse,
  values: "names of headers separated by commas",
}
