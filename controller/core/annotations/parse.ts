import { shown } from "../../model/shown.ts"
import { checkHost } from "../../support/host-name.ts"
import {
  accepted,
  durationMs,
  oneOf,
  type Parsed,
  type Parser,
  refused,
  sizeBytes,
} from "../options/values.ts"

// The gate. Every parser takes the whole value or refuses it, so nothing can hide behind a valid beginning or in front of a valid end;
// `gate` refuses control characters before any of them is asked.

/** A value, or what to write instead. */
export type AnnotationParser<T> = (text: string) => Parsed<T> & Notes

/** What there is to say about a value that is used. */
interface Notes {
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

/** The largest time that nginx's timers and the route record take, docs/wire.md: 2^31 - 1 ms, 24.8 days. */
const maxSeconds = 2_147_483

/** The largest number of the backend record's settings, docs/wire.md. */
const most = 2 ** 31 - 1

/** Longer values have no use in a header, and a template may be no longer (docs/wire.md). */
const maxCharacters = 4096

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
  if (seconds <= maxSeconds) return accepted(seconds * 1000)
  return {
    ...accepted(maxSeconds * 1000),
    remark: `${maxSeconds} seconds are the most and are used instead`,
  }
}

/** A size in bytes, blanks anywhere ignored as in ingress-nginx; 0 is 0. */
export const sizeWithBlanks: Parser<number> = blankless(sizeBytes)

/** The size of a piece of memory: at least a byte, at most 2^31 - 1 (docs/wire.md). */
export const bufferBytes: Parser<number> = (text) => {
  const parsed = sizeWithBlanks(text)
  if (parsed.kind === "refused") return parsed
  return parsed.value >= 1 && parsed.value <= most ? parsed : refused("write a size from 1 to 2047m")
}

/** ingress-nginx drops the blanks from some values before it looks at them. */
export function blankless<T>(parse: Parser<T>): Parser<T> {
  return (text) => parse(text.replaceAll(" ", ""))
}

/** Whole seconds as above, or 0 for no limit. */
export const secondsOrNoneAsMs: AnnotationParser<number> = (text) =>
  /^[+-]?0+$/.test(text) ? accepted(0) : secondsAsMs(text)

function example(text: string): string {
  const digits = /^(\d+)s$/.exec(text)?.[1]
  return digits === undefined ? "" : `, as in ${digits}`
}

/** ingress-nginx strips most values of the blanks around them. */
export function trimmed<T>(parse: AnnotationParser<T>): AnnotationParser<T> {
  return (text) => parse(text.trim())
}

/** A whole number as Go's Atoi takes it, with an optional sign and no unit; cut to 0 … 2^31 - 1. */
export const count: AnnotationParser<number> = (text) => {
  if (!/^[+-]?\d+$/.test(text)) return refused("write a whole number")
  return cut(Number(text), 0)
}

/** Seconds from now at which a cookie ends; those in the past end it at once. */
export const cookieSeconds: AnnotationParser<number> = trimmed((text) => {
  if (!/^-?\d+$/.test(text)) return refused("write whole seconds without a unit")
  return cut(Number(text), -most)
})

/** As `count`, from 1. */
export const countFromOne: AnnotationParser<number> = (text) => {
  const parsed = count(text)
  return parsed.kind === "value" && parsed.value === 0 ? refused("write at least 1") : parsed
}

function cut(number: number, least: number): Parsed<number> & Notes {
  const used = Math.min(Math.max(number, least), most)
  if (used === number) return accepted(number + 0) // no -0
  return {
    ...accepted(used),
    remark: `${used} is the ${used === most ? "most" : "least"} and is used instead`,
  }
}

/** A time of at least a millisecond, as Go writes it: our own annotations name their units. */
export const timeMs: AnnotationParser<number> = trimmed((text) => {
  const parsed = durationMs(text)
  if (parsed.kind === "refused") return parsed
  const ms = Math.round(parsed.value)
  return ms >= 1 && ms <= most ? accepted(ms) : refused("write a time from 1ms to 596h")
})

/** What ingress-nginx lets through as plain: safe in a header, whatever stands around it. Blanks may stand between. */
export const basicText: AnnotationParser<string> = characters(/^[/\-._~a-zA-Z0-9: ]+$/, "- . _ ~ / :")

/** The name of a header, a cookie or a domain: with blanks it could never be found. */
export const nameText: AnnotationParser<string> = trimmed((text) =>
  text.includes(" ") ? refused("remove the blanks") : basicText(text),
)

/** A path or URL. */
export const urlText: AnnotationParser<string> = characters(
  /^[-._~a-zA-Z0-9/:,?&= ]+$/,
  "- . _ ~ / : , ? & =",
)

/** A path or its beginning, with `$1` … `$9` and nginx's variables: a template, docs/wire.md. */
export const pathTemplate: AnnotationParser<string> = characters(/^[-._~a-zA-Z0-9/:$]+$/, "- . _ ~ / : $")

/** Host names between commas, in lower case, each once and in order. Those that are none are left out, with a remark. */
export const hostNames: AnnotationParser<readonly string[]> = (text) => {
  const items = text.split(",").map((item) => item.trim().toLowerCase())
  const names = [...new Set(items.filter((item) => item !== ""))].sort()
  const good = names.filter((name) => checkHost(name) === undefined)
  if (good.length === names.length) return accepted(names)
  const bad = names.filter((name) => !good.includes(name))
  const reason = bad.some((name) => name.startsWith("~"))
    ? "write names, regular expressions have no effect"
    : 'write DNS names, or "*." and DNS names'
  if (good.length === 0) return refused(reason)
  return { ...accepted(good), remark: `${bad.map(shown).join(", ")} left out: ${reason}` }
}

/** What ingress-nginx lets through as a pattern, by its characters. */
export const patternText: AnnotationParser<string> = characters(
  /^[/\-._~a-zA-Z0-9:^$[\](){}*+?|&=\\]+$/,
  "- . _ ~ / : ^ $ [ ] ( ) { } * + ? | & = \\",
)

/** A regular expression: whether it compiles shows at the first request. */
export const pattern = patternText

/** The name of a Service: DNS-1035, a label that begins with a letter. */
export const serviceName: AnnotationParser<string> = (text) =>
  /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
    ? accepted(text)
    : refused("write the name of a Service of the same namespace")

export const onOff: AnnotationParser<boolean> = (text) => {
  const parsed = oneOf("on", "off")(text)
  return parsed.kind === "value" ? accepted(parsed.value === "on") : parsed
}

/** Text with nginx's variables, `$name` or `${name}`. */
export const template: AnnotationParser<string> = (text) => {
  const parsed = characters(/^[A-Za-z0-9\-_${} ]+$/, "- _ $ { }")(text)
  if (parsed.kind === "refused") return parsed
  const rest = parsed.value.replaceAll(/\$\{\w+\}|\$\w+/g, "")
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what users write
  return rest.includes("$") ? refused("write variables as $name or ${name}") : parsed
}

/** Whatever fits into a text of a record (docs/wire.md). */
export const anyText: AnnotationParser<string> = (text) => {
  if (!text.isWellFormed()) return refused("it holds half of a character")
  return Buffer.byteLength(text) <= maxCharacters
    ? accepted(text)
    : refused(`write at most ${maxCharacters} bytes`)
}

function characters(allowed: RegExp, special: string): Parser<string> {
  return (text) => {
    const value = text.trim()
    if (value.length > maxCharacters) return refused(`write at most ${maxCharacters} characters`)
    return allowed.test(value) ? accepted(value) : refused(`write letters, digits and ${special} only`)
  }
}
