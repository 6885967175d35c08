import { type Parsed, type Parser, refused } from "../options/parser.ts"

// The gate. Every parser takes the whole value or refuses it, so nothing can hide behind a valid beginning or in front of a valid end;
// `gate` refuses control characters before any of them is asked.

/** A value, or what to write instead. */
export type AnnotationParser<T> = (text: string) => Parsed<T> & Notes

/** What there is to say about a value that is used. */
export interface Notes {
  /** it is not quite what was written: a phrase that fits after a colon */
  readonly remark?: string
  readonly needs?: Need
}

/** Another annotation of the same Ingress, without prefix, that has to have a value other than `false`. */
export interface Need {
  readonly name: string
  /** what holds without it: a phrase that fits after a colon */
  readonly otherwise: string
}

// C0, DEL and C1 controls, and the two separators that many tools print as a line break
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u

export function hasControlCharacter(text: string): boolean {
  return control.test(text)
}

/**
 * Puts the checks that hold for every annotation in front of its parser.
 *
 * @param keepsLines line breaks and tabs are no mistake
 */
export function gate<T>(parse: AnnotationParser<T>, keepsLines = false): AnnotationParser<T> {
  return (text) => {
    if (text === "") return refused("it is empty")
    const checked = keepsLines ? text.replaceAll(/[\r\n\t]/g, "") : text
    if (hasControlCharacter(checked)) return refused("it holds a control character or line break")
    return parse(text)
  }
}

/** ingress-nginx drops the blanks from some values before it looks at them. */
export function blankless<T>(parse: Parser<T>): Parser<T> {
  return (text) => parse(text.replaceAll(" ", ""))
}

/** ingress-nginx strips most values of the blanks around them. */
export function trimmed<T>(parse: AnnotationParser<T>): AnnotationParser<T> {
  return (text) => parse(text.trim())
}
