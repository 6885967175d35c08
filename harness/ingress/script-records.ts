// Scripts as docs/wire.md has them, and the same directives as nginx's text: what a test compares.
import { encoded, u16 } from "../../wire/encode.ts"
import { CRITICAL, field } from "./field.ts"
import { quoted } from "./quoted.ts"

/** Directives of the rewrite module: as steps of a script, and as text. */
export interface Directives {
  readonly steps: readonly Buffer[]
  readonly text: string
}

type Flag = "last" | "break" | "redirect" | "permanent"
type Operator = "=" | "!=" | "~" | "~*" | "!~" | "!~*"

const tests = {
  "=": "equal",
  "!=": "unequal",
  "~": "match",
  "~*": "match_any_case",
  "!~": "mismatch",
  "!~*": "mismatch_any_case",
} as const

const part = (id: number, value: string | Uint8Array | undefined): Buffer => field(id + CRITICAL, value)

export const set = (name: string, value: string): Directives => ({
  steps: [Buffer.concat([part(1, encoded("step_op", "set")), part(2, name), part(3, value)])],
  text: `set $${name} ${quoted(value)};`,
})

/** `if (value)`, or compared with something; `level` is in force when it holds. */
export function when(
  value: string,
  comparison: readonly [Operator, string] | undefined,
  body: readonly Directives[],
  level?: number,
): Directives {
  const inner = body.flatMap(({ steps }) => steps)
  const [operator, other] = comparison ?? []
  const isPattern = operator?.includes("~") === true
  const own = Buffer.concat([
    part(1, encoded("step_op", "if")),
    part(3, value),
    part(4, encoded("step_test", operator === undefined ? "filled" : tests[operator])),
    part(5, isPattern ? other : undefined),
    part(6, isPattern ? undefined : other),
    part(7, u16(inner.length)),
    part(8, level === undefined ? undefined : Uint8Array.of(level)),
  ])
  const condition = operator === undefined ? value : `${value} ${operator} ${quoted(other ?? "")}`
  return { steps: [own, ...inner], text: `if (${condition}) { ${textOf(body)} }` }
}

export function rewrite(pattern: string, value: string, flag?: Flag): Directives {
  const drops = value.endsWith("?")
  const step = Buffer.concat([
    part(1, encoded("step_op", "rewrite")),
    part(3, drops ? value.slice(0, -1) : value),
    part(5, pattern),
    part(10, encoded("rewrite_flag", flag ?? "none")),
    part(11, drops ? Uint8Array.of(1) : undefined),
  ])
  return { steps: [step], text: `rewrite ${quoted(pattern)} ${quoted(value)} ${flag ?? ""};` }
}

export function returned(code: number, value?: string): Directives {
  const step = Buffer.concat([part(1, encoded("step_op", "return")), part(3, value), part(9, u16(code))])
  return { steps: [step], text: `return ${code} ${value === undefined ? "" : quoted(value)};` }
}

export const stop: Directives = { steps: [part(1, encoded("step_op", "break"))], text: "break;" }

export const textOf = (directives: readonly Directives[]): string =>
  directives.map(({ text }) => text).join(" ")

/** The value of a route's or a host's field; `levels` are those of the record, in order. */
export const scriptOf = (directives: readonly Directives[], levels: readonly Uint8Array[] = []): Buffer =>
  Buffer.concat([
    ...directives.flatMap(({ steps }) => steps.map((step) => part(1, step))),
    ...levels.map((level) => part(2, level)),
  ])
