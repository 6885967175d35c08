import { shown } from "../../../model/shown.ts"
import { accepted, list, type Parser, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"

// Parsers of texts and of lists of them.

/** Makes a parser of lists of one of items. */
export type ListParser = <T>(parse: Parser<T>) => Parser<readonly T[]>

/** A list of which the good items are used; what is left out is said. */
export function listOf<T>(parse: Parser<T>): Parser<readonly T[]> {
  return (text) => {
    const { values, fault } = parseItems(text, parse)
    const remark = fault && `item ${shown(fault.item)} is left out: ${fault.reason}`
    return { ...accepted(values), ...(remark !== undefined && { remark }) }
  }
}

/** A list that is used as a whole or not at all: with an item less it would let through, or stop, what it should not. */
export function wholeListOf<T>(parse: Parser<T>): Parser<readonly T[]> {
  return (text) => {
    const { values, fault } = parseItems(text, parse)
    return fault ? refused(`for ${shown(fault.item)} ${fault.reason}`) : accepted(values)
  }
}

interface Items<T> {
  readonly values: readonly T[]
  /** the first item that cannot be used, and what to write instead */
  readonly fault?: { readonly item: string; readonly reason: string }
}

function parseItems<T>(text: string, parse: Parser<T>): Items<T> {
  const items = list(text)
  const parsed = (items.kind === "value" ? items.value : []).map((item) => ({ item, result: parse(item) }))
  const values = parsed.flatMap(({ result }) => (result.kind === "value" ? [result.value] : []))
  const faults = parsed.flatMap(({ item, result }) =>
    result.kind === "refused" ? [{ item, reason: result.reason }] : [],
  )
  return { values, ...(faults[0] && { fault: faults[0] }) }
}

/** Name of a header as nginx and HTTP take it. */
export const headerName: Syntax<string> = {
  values: "name of a header",
  parse: (text) =>
    /^[A-Za-z0-9_-]{1,253}$/.test(text)
      ? accepted(text)
      : refused("write a header's name: letters, digits, - and _"),
}

export const headerNames: Syntax<readonly string[]> = {
  values: "names separated by commas",
  parse: listOf(headerName.parse),
}

/** Words between single blanks, of these characters. */
function words(allowed: RegExp, advice: string): Parser<readonly string[]> {
  return (text) => {
    const found = text.trim().split(/ +/)
    return found.every((word) => allowed.test(word)) ? accepted(found) : refused(advice)
  }
}

/** Media types between blanks; `*` is any. */
export const mediaTypes: Syntax<readonly string[]> = {
  values: "media types between blanks",
  parse: words(
    /^(\*|[A-Za-z0-9!#&^_.+-]{1,127}\/[A-Za-z0-9!#&^_.+-]{1,127})$/,
    "write media types between blanks, such as text/css application/json",
  ),
}

/** Of paths of Ingresses, not of requests. */
export const pathBeginnings: Syntax<readonly string[]> = {
  values: "beginnings of paths separated by commas",
  parse: list,
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u

/** Text of one line. */
export const line: Parser<string> = (text) => {
  if (control.test(text)) return refused("remove the control characters and line breaks")
  // nginx reads no word of more than 4096 bytes, and quoting may double each.
  return Buffer.byteLength(text) <= 2000 ? accepted(text) : refused("write at most 2000 bytes")
}
