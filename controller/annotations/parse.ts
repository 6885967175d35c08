import { accepted, type Parsed, type Parser, refused, sizeBytes } from "../options/values.ts"

// The gate. Every parser takes the whole value or refuses it, so nothing can hide behind a valid beginning or in front of a valid end;
// `gate` refuses control characters before any of them is asked.

/** A value, with a remark when it is not quite what was written; or what to write instead. */
export type AnnotationParser<T> = (text: string) => Parsed<T> & { readonly remark?: string }

/** The largest time that nginx's timers and the route record take, docs/wire.md: 2^31 - 1 ms, 24.8 days. */
const mostSeconds = 2_147_483

// C0, DEL and C1 controls, and the two separators that many tools print as a line break
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u

export function hasControlCharacter(text: string): boolean {
  return control.test(text)
}

/** Puts the checks that hold for every annotation of one line in front of its parser. */
export function gate<T>(parse: AnnotationParser<T>): AnnotationParser<T> {
  return (text) => {
    if (text === "") return refused("it is empty")
    if (hasControlCharacter(text)) return refused("it holds a control character or line break")
    return parse(text)
  }
}

/**
 * Whole seconds as milliseconds: decimal digits with an optional sign, as Go's Atoi takes them, and no unit. More than 24 days are cut to
 * the most that nginx can count.
 */
export const secondsAsMs: AnnotationParser<number> = (text) => {
  const seconds = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(seconds)) return refused(`write whole seconds without a unit${example(text)}`)
  if (seconds < 1) return refused("write at least 1 second")
  if (seconds <= mostSeconds) return accepted(seconds * 1000)
  return {
    ...accepted(mostSeconds * 1000),
    remark: `${mostSeconds} seconds are the most and are used instead`,
  }
}

/** A size in bytes, blanks anywhere ignored as in ingress-nginx; 0 is 0. */
export const sizeWithBlanks: Parser<number> = (text) => sizeBytes(text.replaceAll(" ", ""))

function example(text: string): string {
  const digits = /^(\d+)s$/.exec(text)?.[1]
  return digits === undefined ? "" : `, as in ${digits}`
}
