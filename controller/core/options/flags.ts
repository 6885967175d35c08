import { isDeepStrictEqual } from "node:util"
import { readArguments } from "../../support/arguments.ts"
import { conflicts } from "./conflicts.ts"
import { type Flag, idleReason } from "./flag.ts"
import { flagTable, type Options } from "./flag-table.ts"

export type { Options } from "./flag-table.ts"

/** What the arguments ask for. The texts are whole sentences without a final dot. */
export type Command =
  | { readonly kind: "run"; readonly options: Options; readonly warnings: readonly string[] }
  | { readonly kind: "help"; readonly about: "commands" | "flags" }
  | { readonly kind: "version" }
  | { readonly kind: "wrong"; readonly errors: readonly string[] }

const table: ReadonlyMap<string, Flag<unknown>> = new Map(Object.entries<Flag<unknown>>(flagTable))
const shapes = new Map(
  [...table].map(([name, { valueName, short }]) => [name, { isToggle: valueName === undefined, short }]),
)

/**
 * Reads the arguments of the controller; the last occurrence of a flag wins. Every mistake is reported, not only the first.
 *
 * @param args without the program and without a sub-command
 */
export function parseFlags(args: readonly string[]): Command {
  const { occurrences, operands, errors } = readArguments(args, shapes, ": --help-flags lists all of them")
  const given = new Map<string, unknown>()
  const refusals = occurrences.flatMap(({ name, text }) => take(given, name, text))
  if (given.get("help") === true) return { kind: "help", about: "commands" }
  if (given.get("help-flags") === true) return { kind: "help", about: "flags" }
  if (given.get("version") === true) return { kind: "version" }
  const options = optionsOf(given)
  const wrong = [...errors, ...operands.map(stray), ...refusals, ...conflicts(options)]
  return wrong.length > 0
    ? { kind: "wrong", errors: wrong }
    : { kind: "run", options, warnings: warningsOf(given) }
}

/** Parses one occurrence into `given`. Returns the sentence that says why it cannot be used, if so. */
function take(given: Map<string, unknown>, name: string, text: string): readonly string[] {
  const parsed = table.get(name)?.parse(text, given.get(name))
  if (parsed?.kind === "value") given.set(name, parsed.value)
  return parsed?.kind === "refused" ? [`Cannot use --${name}=${shownValue(text)}: ${parsed.reason}`] : []
}

/** Of a URL neither users and passwords nor the query: the sentence ends in logs. */
function shownValue(text: string): string {
  if (!text.includes("://")) return JSON.stringify(text)
  return JSON.stringify(text.replace(/:\/\/.*@/s, "://[redacted]@").replace(/\?.*/s, "?[redacted]"))
}

function stray(word: string): string {
  return `Unexpected argument ${JSON.stringify(word)}: flags start with two dashes`
}

function optionsOf(given: ReadonlyMap<string, unknown>): Options {
  const entries = [...table].map(([name, flag]) => [
    camel(name),
    given.has(name) ? given.get(name) : flag.initial,
  ])
  return Object.fromEntries(entries) as Options // Camel<> in flag-table.ts says the same about the names
}

/** One warning for each flag that was given another value than its default and does nothing. */
function warningsOf(given: ReadonlyMap<string, unknown>): readonly string[] {
  return [...given].flatMap(([name, value]) => {
    const flag = table.get(name)
    const reason = flag && idleReason(flag)
    if (reason === undefined || isDeepStrictEqual(flag?.initial, value)) return []
    return [`Flag --${name} has no effect: ${reason}`]
  })
}

/** As `Options` has the name of a flag. */
export function camel(name: string): string {
  return name.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())
}
