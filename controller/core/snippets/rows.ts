import type { ValueParser } from "./values.ts"

// A row of the table says of one directive of nginx where it may stand, which words it takes, and what becomes of it here.

/** Where a directive may stand. nginx: NGX_HTTP_MAIN_CONF and so on; `server-if` and `if` are the blocks of an `if` in a server and in a location. */
export type Context =
  | "main"
  | "events"
  | "http"
  | "upstream"
  | "server"
  | "server-if"
  | "location"
  | "if"
  | "limit-except"
  | "stream"
  | "stream-server"
  | "stream-upstream"

/**
 * `data`: a part of a record, without a reload. `idle`: data, too, but nothing has to be kept: it makes no difference to what a location that hands
 * requests on does. `typed`: printed anew from what was read. `raw`: only as the text that it is. `refused`: never.
 */
export type Becomes = "data" | "idle" | "typed" | "raw" | "refused"

/** What words a directive takes. */
interface Words {
  readonly min: number
  readonly max: number
  /** of the word at this place, counted from 0 */
  at(nth: number): ValueParser
}

export interface Row {
  readonly name: string
  readonly contexts: readonly Context[]
  readonly words: Words
  /** braces follow */
  readonly hasBlock: boolean
  /** may stand more than once in one block */
  readonly isRepeatable: boolean
  readonly becomes: Becomes
  /** of what is raw or refused: a sentence, and what says the same */
  readonly reason?: string
  readonly instead?: string
}

interface Many {
  readonly many: ValueParser
  readonly min: number
  readonly max: number
}

type Shape = ValueParser | { readonly optional: ValueParser } | Many

/** The word may be left out, as may those behind it. */
export function optional(parser: ValueParser): Shape {
  return { optional: parser }
}

/** Words of this kind, at least `min` of them. Only as the last. */
export function many(parser: ValueParser, min = 1, max = Number.POSITIVE_INFINITY): Shape {
  return { many: parser, min, max }
}

function words(...shapes: readonly Shape[]): Words {
  const parsers = shapes.map(parserOf)
  const last = shapes.at(-1)
  const open = typeof last === "object" && "many" in last ? last : undefined
  const required = shapes.filter((shape) => typeof shape === "function").length
  return {
    min: required + (open?.min ?? 0),
    max: open === undefined ? shapes.length : shapes.length - 1 + open.max,
    at: (nth) => (parsers[nth] ?? parsers.at(-1)) as ValueParser,
  }
}

function parserOf(shape: Shape): ValueParser {
  if (typeof shape === "function") return shape
  return "many" in shape ? shape.many : shape.optional
}

type Options = Partial<Pick<Row, "hasBlock" | "isRepeatable">>

/** `contexts`: words of `Context`, separated by blanks. */
function row(
  becomes: Becomes,
  name: string,
  contexts: string,
  shapes: readonly Shape[],
  { hasBlock = false, isRepeatable = false }: Options = {},
): Row {
  const all = contexts.split(" ") as Context[]
  return { name, contexts: all, words: words(...shapes), hasBlock, isRepeatable, becomes }
}

type Build = (name: string, contexts: string, shapes: readonly Shape[], options?: Options) => Row

export const data: Build = (...rest) => row("data", ...rest)
export const idle: Build = (...rest) => row("idle", ...rest)
export const typed: Build = (...rest) => row("typed", ...rest)

/** Only as text, because of `reason`. */
export function raw(reason: string, instead?: string): Build {
  return (...rest) => ({ ...row("raw", ...rest), reason, ...(instead !== undefined && { instead }) })
}

/** Never, because of `reason`, a sentence without its dot. `instead`: what says the same. */
export function refused(reason: string, instead?: string): Build {
  return (...rest) => ({ ...row("refused", ...rest), reason, ...(instead !== undefined && { instead }) })
}

export const repeatable: Options = { isRepeatable: true }
export const block: Options = { hasBlock: true, isRepeatable: true }
