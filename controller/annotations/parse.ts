// The gate. Every parser takes the whole value or refuses it, so nothing can hide behind a valid beginning or in front of a valid end;
// `gate` refuses control characters before any of them is asked.

/** A value that passed, with a remark if it is not quite what was written; or a refusal. Both texts say what is wrong and what to write. */
export type Parsed<T> =
  | { readonly kind: "value"; readonly value: T; readonly remark?: string }
  | { readonly kind: "refused"; readonly reason: string }

export type Parser<T> = (text: string) => Parsed<T>

/** The largest time nginx's timers and the route record take, docs/wire.md: 2^31 - 1 ms, 24.8 days. */
const mostSeconds = 2_147_483

/** Bytes per unit of nginx's sizes. Source: nginx, "Configuration file measurement units". */
const unitBytes: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

// C0, DEL and C1 controls, and the two separators that many tools print as a line break
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u

export function hasControlCharacter(text: string): boolean {
  return control.test(text)
}

/** Puts the checks that hold for every annotation of one line in front of its parser. */
export function gate<T>(parse: Parser<T>): Parser<T> {
  return (text) => {
    if (text === "") return refused("it is empty")
    if (hasControlCharacter(text)) return refused("it holds a control character or line break")
    return parse(text)
  }
}

/**
 * Whole seconds as milliseconds: decimal digits with an optional sign, as Go's Atoi takes them, and no unit. More than 24 days are cut to the
 * most that nginx can count.
 */
export const secondsAsMs: Parser<number> = (text) => {
  if (!/^[+-]?\d+$/.test(text))
    return refused(`write whole seconds without a unit${example(/^\d+(?=s$)/.exec(text))}`)
  const seconds = Number(text)
  if (seconds < 1) return refused("write at least 1 second")
  if (seconds <= mostSeconds) return accepted(seconds * 1000)
  return {
    ...accepted(mostSeconds * 1000),
    remark: `${mostSeconds} seconds are the most and are used instead`,
  }
}

/** A size in bytes: digits with an optional k, m or g, blanks ignored; 0 is 0. Source: nginx ngx_parse_offset, reference annotation proxy-body-size. */
export const sizeAsBytes: Parser<number> = (text) => {
  const [, digits, unit] = /^(\d+)([kmg]?)$/i.exec(text.replaceAll(" ", "")) ?? []
  if (digits === undefined || unit === undefined)
    return refused("write digits with k, m, g or no unit, as in 8m")
  const bytes = Number(digits) * (unitBytes[unit.toLowerCase()] ?? Number.NaN)
  return Number.isSafeInteger(bytes) ? accepted(bytes) : refused("it is more than 8388607g")
}

/** Truth as Go's ParseBool takes it. */
export const boolean: Parser<boolean> = (text) => {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return accepted(true)
  if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return accepted(false)
  return refused('write "true" or "false"')
}

/** Exactly one of the given words. */
export function oneOf<const W extends string>(...words: readonly W[]): Parser<W> {
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    return word === undefined ? refused(`write ${words.join(" or ")}`) : accepted(word)
  }
}

function accepted<T>(value: T): { readonly kind: "value"; readonly value: T } {
  return { kind: "value", value }
}

function refused(reason: string): { readonly kind: "refused"; readonly reason: string } {
  return { kind: "refused", reason }
}

function example(match: RegExpExecArray | null): string {
  return match === null ? "" : `, as in ${match[0]}`
}
