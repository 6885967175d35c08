import { shown } from "../../model/shown.ts"
import { canonicalRange } from "../../support/address-range.ts"
import { piecesOf, printPieces, variablesOf } from "./variables.ts"

// What a word of a directive may be. A value parser takes the whole word or refuses it with a phrase that fits behind "directive X: ". What it hands
// on is written in the one way that wick writes it; its meaning is the same. Source: nginx, "Configuration file measurement units", ngx_conf_set_*_slot.

export interface Value {
  /** the word as wick writes it */
  readonly text: string
  /** variables in it, in small letters */
  readonly variables?: readonly string[]
}

/** A value, or what is wrong with the word. */
export type ValueParser = (word: string) => Value | string

/** Characters that can be in no value that is kept: a NUL ends texts in nginx, and control characters are no part of headers and log lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\0-\x1f\x7f]/

export function isPlainText(word: string): boolean {
  return !control.test(word)
}

export const flag: ValueParser = (word) => {
  const small = word.toLowerCase()
  return small === "on" || small === "off"
    ? { text: small }
    : `invalid value ${shown(word)}, it must be "on" or "off"`
}

export function number(min = 0, max = 2 ** 31 - 1): ValueParser {
  return (word) => {
    const value = /^\d{1,15}$/.test(word) ? Number(word) : Number.NaN
    return value >= min && value <= max
      ? { text: String(value) }
      : `invalid number ${shown(word)}, write one from ${min} to ${max}`
  }
}

const bytesPerUnit: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** Bytes of `8k`, `1m`; NaN where it is no size. Only offsets have gigabytes. */
export function bytesOf(word: string): number {
  const [, digits, unit] = /^(\d{1,15})([kmg]?)$/i.exec(word) ?? []
  const bytes = Number(digits) * (bytesPerUnit[unit?.toLowerCase() ?? ""] ?? Number.NaN)
  return Number.isSafeInteger(bytes) ? bytes : Number.NaN
}

export const size: ValueParser = (word) =>
  /g$/i.test(word) || Number.isNaN(bytesOf(word))
    ? `invalid size ${shown(word)}, write one such as 8k or 1m`
    : { text: word.toLowerCase() }

/** A size of at least `min` bytes, and a multiple of `step`. */
export function sizeFrom(min: number, step = 1): ValueParser {
  return (word) => {
    const value = size(word)
    const isFit = bytesOf(word) >= min && bytesOf(word) % step === 0
    if (typeof value === "string" || isFit) return value
    return `invalid size ${shown(word)}, write a multiple of ${step} from ${min}`
  }
}

export const offset: ValueParser = (word) =>
  Number.isNaN(bytesOf(word))
    ? `invalid size ${shown(word)}, write one such as 8k, 1m or 1g`
    : { text: word.toLowerCase() }

const day = 86_400_000
const msPerUnit: Readonly<Record<string, number>> = {
  y: 365 * day,
  M: 30 * day,
  w: 7 * day,
  d: day,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
}

/** From the longest to the shortest, each once; a number without a unit ends it and is seconds. Source: nginx, ngx_parse_time. */
const time =
  /^(?:(\d+)y\s*)?(?:(\d+)M\s*)?(?:(\d+)w\s*)?(?:(\d+)d\s*)?(?:(\d+)h\s*)?(?:(\d+)m(?!s)\s*)?(?:(\d+)(?:s\s*|$))?(?:(\d+)ms)?$/

/** Milliseconds of `1h30m`, `300ms`, `30`; NaN where it is no time. */
export function msOf(word: string): number {
  const parts = word.length > 64 ? null : time.exec(word)
  if (word === "" || parts === null) return Number.NaN
  const units = ["y", "M", "w", "d", "h", "m", "s", "ms"]
  const ms = units.reduce((sum, unit, nth) => sum + Number(parts[nth + 1] ?? 0) * (msPerUnit[unit] ?? 0), 0)
  return Number.isSafeInteger(ms) ? ms : Number.NaN
}

export const milliseconds: ValueParser = (word) => {
  const ms = msOf(word)
  return Number.isNaN(ms)
    ? `invalid time ${shown(word)}, write one such as 30s or 300ms`
    : { text: ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms` }
}

export const seconds: ValueParser = (word) => {
  const ms = msOf(word)
  return Number.isNaN(ms) || ms % 1000 !== 0
    ? `invalid time ${shown(word)}, write one such as 30s`
    : { text: `${ms / 1000}s` }
}

/** One of nginx's words for it. Source: nginx, ngx_conf_set_enum_slot, which takes capitals for small letters. */
export function oneOf(...words: readonly string[]): ValueParser {
  return (word) => {
    const found = words.find((it) => it.toLowerCase() === word.toLowerCase())
    return found === undefined
      ? `invalid value ${shown(word)}, write ${words.join(", ").replace(/, ([^,]*)$/, " or $1")}`
      : { text: found }
  }
}

/** A version of TLS. Source: nginx, ngx_http_ssl_protocols. */
export const tlsVersion: ValueParser = oneOf("SSLv2", "SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3")

/** Any text without control characters; `$` means nothing in it. */
export const text: ValueParser = (word) => {
  if (control.test(word)) return `${shown(word)} has a control character`
  return { text: word }
}

/** A text of several lines. */
export const lines: ValueParser = (word) =>
  word.includes("\0") ? "the text has a NUL character" : { text: word }

/** A text in which `$name` and `$1` stand for their values. */
export const template: ValueParser = (word) => {
  if (control.test(word)) return `${shown(word)} has a control character`
  return free(word)
}

/** The same, in which line breaks are allowed: the value of a variable or a body. */
export const free: ValueParser = (word) => {
  if (word.includes("\0")) return `${shown(word)} has a NUL character`
  const pieces = piecesOf(word)
  if (typeof pieces === "string") return pieces
  return { text: printPieces(pieces), variables: variablesOf(pieces) }
}

/** `$name` alone, of at most 63 characters. */
export const variable: ValueParser = (word) => {
  const [, name] = /^\$(\w{1,63})$/.exec(word) ?? []
  return name === undefined
    ? `invalid variable name ${shown(word)}, write $name`
    : { text: `$${name.toLowerCase()}` }
}

/** RFC 9110, token: what may be the name of a header. */
export const headerName: ValueParser = (word) =>
  /^[-!#$%&'*+.^_`|~0-9A-Za-z]{1,253}$/.test(word) ? { text: word } : `${shown(word)} is no name of a header`

/** A pattern of PCRE. That it compiles is nginx's to say; that it is short and ends in no backslash is known here. */
export const pattern: ValueParser = (word) => {
  if (word === "") return "the pattern is empty"
  if (word.includes("\0")) return "the pattern has a NUL character"
  const fault = bracketsFault(word)
  return fault ?? { text: word }
}

/** One character of the text that is matched, or a set of them. */
const escapesAndSets = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]/gs

/** What PCRE says of the most usual mistakes; quotes and extended patterns, in which brackets mean other things, are left to it. */
function bracketsFault(word: string): string | undefined {
  if (/\\[QE]|\(\?[-^a-z]*x|\(\?#|\[\[?\^?\]/.test(word)) return undefined
  const bare = word.replaceAll(escapesAndSets, "x")
  if (bare.endsWith("\\")) return `the pattern ${shown(word)} ends in a backslash`
  if (/^[*+?]|\|[*+?]|\((?:\+|\*(?![A-Z]))/.test(bare))
    return `a quantifier of the pattern ${shown(word)} has nothing to repeat`
  if (bare.includes("[")) return `the pattern ${shown(word)} has a "[" without an end`
  let depth = 0
  for (const character of bare) {
    if (character === "(") depth += 1
    if (character === ")") depth -= 1
    if (depth < 0) break
  }
  return depth === 0 ? undefined : `the parentheses of the pattern ${shown(word)} do not match`
}

/** An address or a network, `all`, or `unix:`. */
export const client: ValueParser = (word) => {
  if (word === "all" || word === "unix:") return { text: word }
  const range = canonicalRange(word)
  return range === undefined
    ? `invalid parameter ${shown(word)}, write an address or a network`
    : { text: range }
}

export function codeFrom(min: number, max: number): ValueParser {
  return (word) => {
    const value = /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN
    return value >= min && value <= max
      ? { text: String(value) }
      : `invalid status ${shown(word)}, write one from ${min} to ${max}`
  }
}

/** A word without variables that names a zone, a format, a log. */
export const name: ValueParser = (word) =>
  /^[-\w.:]{1,63}$/.test(word) ? { text: word } : `${shown(word)} is no name`

/** `text/html`, `*` */
export const mediaType: ValueParser = (word) =>
  /^(\*|[-\w.+]+\/[-\w.+*]+)$/.test(word) ? { text: word.toLowerCase() } : `${shown(word)} is no media type`

/** `name=value`, in which the value may have variables. */
export const parameter: ValueParser = (word) =>
  /^[a-z_]+=./.test(word) ? free(word) : `invalid parameter ${shown(word)}, write name=value`

/** A word that looks like this. @param shape what to write */
export function matching(looks: RegExp, shape: string): ValueParser {
  return (word) => (looks.test(word) ? { text: word } : `invalid value ${shown(word)}, write ${shape}`)
}

/** The first that takes the word. The last says what is wrong. */
export function either(...parsers: readonly ValueParser[]): ValueParser {
  return (word) => {
    const values = parsers.map((parse) => parse(word))
    return values.find((it) => typeof it !== "string") ?? values.at(-1) ?? `invalid value ${shown(word)}`
  }
}

/** For how long, or for which statuses, an answer is kept: a number is either. Source: nginx, ngx_http_file_cache_valid_set_slot. */
export const validity: ValueParser = either(matching(/^(any|[1-5]\d\d)$/, "a time, a status or any"), seconds)

/** A text with variables, or behind `~` or `~*` a pattern. */
export const templateOrPattern: ValueParser = (word) => {
  const [, sign, rest = ""] = /^(~\*?)(.*)$/s.exec(word) ?? []
  if (sign === undefined) return template(word)
  // nginx takes the empty one here, which is for all
  if (rest === "") return { text: sign }
  const parsed = pattern(rest)
  return typeof parsed === "string" ? parsed : { ...parsed, text: sign + parsed.text }
}
