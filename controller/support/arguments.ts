import { parseArgs } from "node:util"
import { nearest } from "./nearest.ts"

/** One flag as it stands on the command line. */
interface Occurrence {
  /** without dashes; the long name even when the letter stood there */
  readonly name: string
  /** `true` for a switch that stands alone */
  readonly text: string
}

/** What has to be known about a flag to find where its value is. */
export interface Shape {
  readonly isToggle: boolean
  /** one letter that may stand for it behind a single dash */
  readonly short?: string | undefined
}

export interface Arguments {
  readonly occurrences: readonly Occurrence[]
  /** words that are no flags */
  readonly operands: readonly string[]
  /** one sentence for each flag that cannot be read */
  readonly errors: readonly string[]
}

/**
 * Takes arguments apart as Go's pflag does: `--name=value`, `--name value`, `-n value`, `-n=value`, `-nvalue`. A switch takes no separate
 * value, so `--switch false` is the switch and an operand.
 *
 * @param shapes the known flags by their long name; @param advice ends the sentence about a flag that is like none of them
 */
export function readArguments(
  args: readonly string[],
  shapes: ReadonlyMap<string, Shape>,
  advice = "",
): Arguments {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Array.from(shapes, parseOption)),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const occurrences: Occurrence[] = []
  const errors: string[] = []
  for (const token of tokens) {
    if (token.kind !== "option") continue
    const { name, rawName: written, inlineValue } = token
    const shape = shapes.get(name)
    const text = inlineValue && !written.startsWith("--") ? token.value.replace(/^=/, "") : token.value
    if (!shape) errors.push(`Unknown flag ${written}${meant(written, shapes) ?? advice}`)
    else if (text !== undefined) occurrences.push({ name, text })
    else if (shape.isToggle) occurrences.push({ name, text: "true" })
    else errors.push(`Flag ${written} lacks its value: write ${written}=VALUE`)
  }
  return { occurrences, operands: tokens.flatMap((token) => operandOf(token)), errors }
}

function parseOption([name, { isToggle, short }]: readonly [string, Shape]) {
  const type = isToggle ? ("boolean" as const) : ("string" as const)
  return [name, { type, ...(short !== undefined && { short }) }] as const
}

function operandOf(token: { readonly kind: string; readonly value?: string | undefined }): readonly string[] {
  return token.kind === "positional" ? [token.value ?? ""] : []
}

function meant(written: string, shapes: ReadonlyMap<string, Shape>): string | undefined {
  const name = nearest(written.replace(/^--?/, ""), [...shapes.keys()])
  return name && `, did you mean --${name}`
}
