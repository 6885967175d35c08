import {
  accepted,
  boolean,
  durationMs,
  inKilobytes,
  oneOf,
  type Parsed,
  refused,
  sizeBytes,
} from "../options/parser.ts"
import { values } from "../options/usage.ts"
import { type AnnotationParser, blankless, type Notes, trimmed } from "./parse.ts"

// How switches and numbers are written: parsers, and the words that entries have with them.

/** A way to write a value, for an entry. */
interface Syntax<T> {
  readonly parse: AnnotationParser<T>
  readonly values: string
}

export const trueOrFalse: Syntax<boolean> = { parse: boolean, values: values.boolean }

export const falseByDefault = { ...trueOrFalse, default: "`false`", example: "true" }

export const trueByDefault = { ...trueOrFalse, default: "`true`", example: "false" }

export const onOff: Syntax<boolean> = {
  parse: (text) => {
    const parsed = oneOf("on", "off")(text)
    return parsed.kind === "value" ? accepted(parsed.value === "on") : parsed
  },
  values: values.onOff,
}

/** The largest time that nginx's timers and the route record take, docs/wire.md: 2^31 - 1 ms, 24.8 days. */
const maxSeconds = 2_147_483

/** The largest number of the backend record's settings, docs/wire.md. */
const max = 2 ** 31 - 1

/**
 * Whole seconds as milliseconds: decimal digits with an optional sign, as Go's Atoi takes them, and no unit. More than 24 days are cut to
 * the most that nginx can count.
 */
export const seconds: Syntax<number> = { parse: secondsAsMs, values: values.seconds }

function secondsAsMs(text: string): Parsed<number> & Notes {
  const seconds = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(seconds)) return refused(`write whole seconds without a unit${example(text)}`)
  if (seconds < 1) return refused("write at least 1 second")
  if (seconds <= maxSeconds) return accepted(seconds * 1000)
  return {
    ...accepted(maxSeconds * 1000),
    remark: `${maxSeconds} seconds are the most and are used instead`,
  }
}

function example(text: string): string {
  const digits = /^(\d+)s$/.exec(text)?.[1]
  return digits === undefined ? "" : `, as in ${digits}`
}

/** Whole seconds as above, or 0 for no limit. */
export const secondsOrNone: Syntax<number> = {
  parse: (text) => (/^[+-]?0+$/.test(text) ? accepted(0) : secondsAsMs(text)),
  values: `${values.seconds}; \`0\` is no limit`,
}

/** Seconds from now at which a cookie ends; those in the past end it at once. */
export const cookieSeconds: Syntax<number> = {
  parse: trimmed((text) =>
    /^-?\d+$/.test(text) ? cut(Number(text), -max) : refused("write whole seconds without a unit"),
  ),
  values: values.seconds,
}

/** Whole seconds of either sign, as Go's Atoi takes them. */
export const anySeconds: Syntax<number> = {
  parse: (text) =>
    /^[+-]?\d+$/.test(text) ? cut(Number(text), -max) : refused("write whole seconds without a unit"),
  values: values.seconds,
}

/** A time of at least a millisecond, as Go writes it: our own annotations name their units. */
export const time: Syntax<number> = {
  parse: trimmed((text) => {
    const parsed = durationMs(text)
    if (parsed.kind === "refused") return parsed
    const ms = Math.round(parsed.value)
    return ms >= 1 && ms <= max ? accepted(ms) : refused("write a time from 1ms to 596h")
  }),
  values: "a time with its unit",
}

/** A whole number as Go's Atoi takes it, with an optional sign and no unit; cut to 0 … 2^31 - 1. */
export const count: Syntax<number> = {
  parse: (text) => (/^[+-]?\d+$/.test(text) ? cut(Number(text), 0) : refused("write a whole number")),
  values: values.count,
}

/** Bytes, written as kilobytes in the same way. */
export const kilobytes: Syntax<number> = {
  parse: inKilobytes(count.parse),
  values: values.count,
}

/** As `count`, from 1. */
export const countFromOne: Syntax<number> = {
  parse: (text) => {
    const parsed = count.parse(text)
    return parsed.kind === "value" && parsed.value === 0 ? refused("write at least 1") : parsed
  },
  values: values.count,
}

function cut(number: number, min: number): Parsed<number> & Notes {
  const used = Math.min(Math.max(number, min), max)
  if (used === number) return accepted(number + 0) // no -0
  return {
    ...accepted(used),
    remark: `${used} is the ${used === max ? "most" : "least"} and is used instead`,
  }
}

/** A size in bytes, blanks anywhere ignored as in ingress-nginx; 0 is 0. */
export const size: Syntax<number> = { parse: blankless(sizeBytes), values: values.size }

/** The size of a piece of memory: at least a byte, at most 2^31 - 1 (docs/wire.md). */
export const bufferSize: Syntax<number> = {
  parse: (text) => {
    const parsed = size.parse(text)
    if (parsed.kind === "refused") return parsed
    return parsed.value >= 1 && parsed.value <= max ? parsed : refused("write a size from 1 to 2047m")
  },
  values: values.size,
}
