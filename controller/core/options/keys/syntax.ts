import { type KeyEntry, key } from "../key.ts"
import {
  accepted,
  ratio as aRatio,
  boolean,
  emptyIs,
  inKilobytes,
  integer,
  oneOf,
  type Parser,
  refused,
  sizeBytes,
} from "../parser.ts"
import { type Syntax, values } from "../usage.ts"

// How the values of keys are written: parsers, and the words that entries have with them. What could end a directive, or is known to be more
// than nginx takes, is refused here; what only nginx can judge, such as whether a file can be opened, shows when it checks the configuration
// (sync/checked-settings.ts).

const max = 2 ** 31 - 1

/** An empty text is false, as Go's decoder has it. */
const trueOrFalse: Syntax<boolean> = { parse: emptyIs(false, boolean), values: values.boolean }

type Details = Pick<KeyEntry, "section" | "shownDefault" | "exampleWith">

export function falseByDefault(name: string, description: string, details: Details = {}): KeyEntry<boolean> {
  return key(name, trueOrFalse, "false", { example: "true", description, ...details })
}

export function trueByDefault(name: string, description: string, details: Details = {}): KeyEntry<boolean> {
  return key(name, trueOrFalse, "true", { example: "false", description, ...details })
}

/** nginx's words for a switch. */
export const onOff: Syntax<boolean> = {
  parse: (text) => (text === "on" || text === "off" ? accepted(text === "on") : refused("write on or off")),
  values: values.onOff,
}

/** An empty text is 0, as Go's decoder has it. */
export const count: Syntax<number> = { parse: emptyIs(0, integer(0, max)), values: values.count }

export const positive: Syntax<number> = { parse: integer(1, max), values: values.count }

export function between(min: number, max: number): Syntax<number> {
  return { parse: integer(min, max), values: `${min} to ${max}` }
}

/** More seconds overflow nginx's timers. */
const maxSeconds = 2_147_483

export const seconds: Syntax<number> = { parse: emptyIs(0, integer(0, maxSeconds)), values: values.seconds }

export const positiveSeconds: Syntax<number> = { parse: integer(1, maxSeconds), values: values.seconds }

export const errorStatus = between(400, 599)

/** @param value what an empty text stands for */
export function orEmpty<T>(value: T, { parse, values }: Syntax<T>): Syntax<T> {
  return { parse: emptyIs(value, parse), values }
}

/** Exactly one of these words. */
export function wordOf<const W extends string>(...words: readonly W[]): Syntax<W> {
  const shown = words.map((word) => `\`${word}\``)
  return { parse: oneOf(...words), values: `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}` }
}

/** @param meaning of 0 */
export function orZero<T>({ parse, values }: Syntax<T>, meaning: string): Syntax<T> {
  return { parse, values: `${values}; \`0\` ${meaning}` }
}

/** Bytes, where a size has no unit. */
export const bytes: Syntax<number> = { ...count, values: "bytes" }

/** Bytes, written in kilobytes; "" is 0. */
export const kilobytes: Syntax<number> = {
  values: values.count,
  parse: inKilobytes(emptyIs(0, integer(0, 1_000_000))),
}

/** A size in bytes from `min` on. */
export function size(min: number): Syntax<number> {
  return { parse: sizeFrom(min), values: values.size }
}

function sizeFrom(min: number): Parser<number> {
  return (text) => {
    const parsed = sizeBytes(text)
    if (parsed.kind === "refused") return parsed
    return parsed.value >= min && parsed.value <= max
      ? parsed
      : refused(`write a size from ${min} bytes to 2047m`)
  }
}

/** What may be left out when empty: "" is 0. */
export const sizeOrNone: Syntax<number> = { parse: emptyIs(0, sizeFrom(1)), values: values.size }

const msPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds: 90, 90s, 1h30m, 500ms. Source: nginx, "Configuration file measurement units"; weeks and longer overflow its timers. */
const nginxTimeMs: Parser<number> = (text) => {
  const parts = [...text.matchAll(/(\d+)(ms|[dhms]|$)\s*/g)]
  const isWhole = /^(\d+d ?)?(\d+h ?)?(\d+m(?!s) ?)?(\d+s? ?)?(\d+ms)?$/.test(text) && text.trim() !== ""
  const ms = parts.reduce((sum, [, digits, unit]) => sum + Number(digits) * (msPerUnit[unit || "s"] ?? 0), 0)
  return isWhole && ms <= max
    ? accepted(ms)
    : refused("write a time such as 240s, 1h30m or 500ms, 24 days at most")
}

export const nginxTime: Syntax<number> = { parse: nginxTimeMs, values: "a time such as `30s` or `1h30m`" }

export const ratio: Syntax<number> = { parse: aRatio, values: values.ratio }

export const port: Syntax<number> = { parse: integer(1, 65_535), values: "a port" }
