import { accepted, boolean, emptyIs, integer, list, type Parser, refused, sizeBytes } from "../values.ts"

// How the values of keys are written. What could end a directive, or is known to be more than nginx takes, is refused here; what only nginx
// can judge, such as whether a file can be opened, shows when it checks the configuration (sync/settings.ts).

const most = 2 ** 31 - 1

/** An empty text is false, as Go's decoder has it. */
export const onOff = emptyIs(false, boolean)

/** An empty text is 0, as Go's decoder has it. */
export const count = emptyIs(0, integer(0, most))

export const positive = integer(1, most)

/** More seconds overflow nginx's timers. */
export const seconds = emptyIs(0, integer(0, 2_147_483))

export const positiveSeconds = integer(1, 2_147_483)

/** nginx's words for a switch. */
export const onOffWord: Parser<boolean> = (text) =>
  text === "on" || text === "off" ? accepted(text === "on") : refused("write on or off")

export const errorStatus = integer(400, 599)

/** A size in bytes from `least` on. */
export function size(least: number): Parser<number> {
  return (text) => {
    const parsed = sizeBytes(text)
    if (parsed.kind === "refused") return parsed
    return parsed.value >= least && parsed.value <= most
      ? parsed
      : refused(`write a size from ${least} bytes to 2047m`)
  }
}

/** Items that may be left out when empty: "" is 0. */
export const sizeOrNone = emptyIs(0, size(1))

const msPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time in milliseconds: 90, 90s, 1h30m, 500ms. Source: nginx, "Configuration file measurement units"; weeks and longer overflow its timers. */
export const nginxTimeMs: Parser<number> = (text) => {
  const parts = [...text.matchAll(/(\d+)(ms|[dhms]|$)\s*/g)]
  const isWhole = /^(\d+d ?)?(\d+h ?)?(\d+m(?!s) ?)?(\d+s? ?)?(\d+ms)?$/.test(text) && text.trim() !== ""
  const ms = parts.reduce((sum, [, digits, unit]) => sum + Number(digits) * (msPerUnit[unit || "s"] ?? 0), 0)
  return isWhole && ms <= most
    ? accepted(ms)
    : refused("write a time such as 240s, 1h30m or 500ms, 24 days at most")
}

/** A list of which the good items are used; what is left out is said. */
export function listOf<T>(parse: Parser<T>): Parser<readonly T[]> {
  return (text) => {
    const { values, fault } = parseItems(text, parse)
    const remark = fault && `item ${JSON.stringify(fault.item)} is left out: ${fault.reason}`
    return { ...accepted(values), ...(remark !== undefined && { remark }) }
  }
}

/** A list that is used as a whole or not at all: with an item less it would let through, or stop, what it should not. */
export function wholeListOf<T>(parse: Parser<T>): Parser<readonly T[]> {
  return (text) => {
    const { values, fault } = parseItems(text, parse)
    return fault ? refused(`for ${JSON.stringify(fault.item)} ${fault.reason}`) : accepted(values)
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
export const headerName: Parser<string> = (text) =>
  /^[A-Za-z0-9_-]{1,253}$/.test(text)
    ? accepted(text)
    : refused("write a header's name: letters, digits, - and _")

/** Words between single blanks, of these characters. */
export function words(allowed: RegExp, advice: string): Parser<readonly string[]> {
  return (text) => {
    const found = text.trim().split(/ +/)
    return found.every((word) => allowed.test(word)) ? accepted(found) : refused(advice)
  }
}

/** Media types between blanks; `*` is any. */
export const mediaTypes = words(
  /^(\*|[A-Za-z0-9!#&^_.+-]{1,127}\/[A-Za-z0-9!#&^_.+-]{1,127})$/,
  "write media types between blanks, such as text/css application/json",
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u

/** Text of one line. */
export const line: Parser<string> = (text) => {
  if (control.test(text)) return refused("remove the control characters and line breaks")
  // nginx reads no word of more than 4096 bytes, and quoting may double each.
  return Buffer.byteLength(text) <= 2000 ? accepted(text) : refused("write at most 2000 bytes")
}
