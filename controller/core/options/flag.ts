import { boolean, type Parsed, type Parser } from "./parser.ts"

/** One command-line flag. The tables of flags are the only place that knows its name, syntax, default and meaning. */
export interface Flag<T> {
  /** parses one occurrence; `before` is the value of the occurrence to its left, absent at the first */
  parse(text: string, before: T | undefined): Parsed<T>
  readonly initial: T
  /** the default as --help shows it */
  readonly shownDefault: string
  /** what it does, for --help; the first words, without a final dot */
  readonly meaning: string
  /** the word for its value in --help; absent for a switch, which may stand without a value */
  readonly valueName?: string
  /** one letter that may stand for it behind a single dash */
  readonly short?: string
  /** it is accepted and has no effect: giving it another value than its default is answered by a warning */
  readonly unused?: Unneeded | Refused
}

/** What it is about does not arise: why, as a phrase. */
interface Unneeded {
  readonly unneeded: string
}

/** What it asks for is not done: why, and what to do instead, as a phrase. */
interface Refused {
  readonly refused: string
}

/** A flag that takes a value. @param initial the default, written as on the command line */
export function flag<T>(valueName: string, parser: Parser<T>, initial: string, meaning: string): Flag<T> {
  const parsed = parser(initial)
  if (parsed.kind === "refused") throw new Error(`default ${initial} of "${meaning}": ${parsed.reason}`)
  return { parse: parser, initial: parsed.value, shownDefault: initial, meaning, valueName }
}

/** A flag that is on or off and may stand alone: `--name`, `--name=false`. */
export function toggle(initial: boolean, meaning: string): Flag<boolean> {
  return { parse: boolean, initial, shownDefault: String(initial), meaning }
}

/** Several values: commas or several occurrences, which add up. */
export function additive<T>(single: Flag<readonly T[]>): Flag<readonly T[]> {
  return {
    ...single,
    parse: (text, before = []) => {
      const parsed = single.parse(text, undefined)
      return parsed.kind === "value" ? { kind: "value", value: [...before, ...parsed.value] } : parsed
    },
  }
}

/** @param reason a phrase */
export function unneeded<T>(reason: string, known: Flag<T>): Flag<T> {
  return { ...known, unused: { unneeded: reason } }
}

/** @param reason a phrase: why, and what to do instead */
export function refused<T>(reason: string, known: Flag<T>): Flag<T> {
  return { ...known, unused: { refused: reason } }
}

/** Why a flag has no effect, as a phrase; undefined for one that has. */
export function idleReason({ unused }: Pick<Flag<unknown>, "unused">): string | undefined {
  if (unused === undefined) return undefined
  return "unneeded" in unused ? unused.unneeded : unused.refused
}
