import { shown } from "../../model/shown.ts"
import { patternFault } from "./pattern.ts"
import { type Refused, refused, type Verdict } from "./verdict.ts"

/** Those that look at the request alone. */
const allowed = new Set(
  [
    ...["beginsWith", "contains", "containsWord", "detectSQLi", "detectXSS", "endsWith", "eq", "ge", "gt"],
    ...["ipMatch", "le", "lt", "noMatch", "pm", "rx", "rxGlobal", "streq", "strmatch", "unconditionalMatch"],
    ...["validateByteRange", "validateUrlEncoding", "validateUtf8Encoding", "verifyCC", "verifyCPF"],
    ...["verifySSN", "verifySVNR", "within"],
  ].map((name) => name.toLowerCase()),
)

const words = refused(
  "it reads a file of nginx's machine, or asks another one",
  "the words themselves behind @pm",
)
const networks = refused(
  "it reads a file of nginx's machine, or asks another one",
  "the networks themselves behind @ipMatch",
)
const file = refused("it reads a file of nginx's machine")
const places = refused("there is no database of places", "a list of countries of wick's own")

const refusals: ReadonlyMap<string, Refused> = new Map(
  Object.entries({
    pmfromfile: words,
    pmf: words,
    ipmatchfromfile: networks,
    ipmatchf: networks,
    inspectfile: refused("it runs a program"),
    fuzzyhash: file,
    gsblookup: refused("it asks a service of Google's, by a file of nginx's machine"),
    geolookup: places,
    rbl: refused(
      "a worker of nginx would wait for DNS, and every other request with it",
      '"denylist-source-range"',
    ),
    rsub: refused("it changes bodies", "sub_filter in a configuration-snippet"),
    validatedtd: file,
    validateschema: file,
    validatehash: refused("libmodsecurity does not have it"),
  }),
)

/** @param text the second word of a rule, quoted or not: `@rx PATTERN`, `!@eq 0`, or a pattern */
export function operatorFault(text: string): Verdict {
  const [, name = "rx", value = ""] = /^\s*!?\s*(?:@(\S*))?\s*(.*)$/s.exec(text) ?? []
  if (/^rx(global)?$/i.test(name)) return faultOf(value)
  if (allowed.has(name.toLowerCase())) return undefined
  const known = refusals.get(name.toLowerCase())
  if (known === undefined)
    return refused(`operator ${shown(`@${name}`)}: it is no operator of libmodsecurity`)
  return refused(`operator @${name}: ${known.reason}`, known.instead)
}

/** As libmodsecurity has it: quotation marks in it are escaped. */
function faultOf(pattern: string): Verdict {
  const fault = patternFault(pattern)
  return fault === undefined ? undefined : refused(`its pattern is none: ${fault}`)
}
