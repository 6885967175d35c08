import type { Step } from "../../model/route-records.ts"
import { shown } from "../../model/shown.ts"
import { free, pattern } from "./values.ts"

/** What an `if` asks, and which variables it names. */
export interface Condition {
  readonly step: Pick<Step, "value" | "test" | "pattern" | "against">
  readonly variables: readonly string[]
}

const tests: ReadonlyMap<string, NonNullable<Step["test"]>> = new Map([
  ["=", "equal"],
  ["!=", "unequal"],
  ["~", "match"],
  ["~*", "match_any_case"],
  ["!~", "mismatch"],
  ["!~*", "mismatch_any_case"],
])

/**
 * The words of an `if` without its block. Source: nginx, ngx_http_rewrite_if_condition: a variable alone, or one and a text or pattern.
 *
 * @returns a string: why nginx, or wick, does not take it
 */
export function conditionOf(words: readonly string[]): Condition | string {
  const inside = withoutParentheses(words)
  if (typeof inside === "string") return inside
  const [subject = "", operator, operand = "", ...more] = inside
  if (/^!?-[fdex]$/.test(subject)) return "it asks for files, and this nginx has none"
  if (!/^\$./s.test(subject) || (operator !== undefined && inside.length !== 3) || more.length > 0)
    return `invalid condition ${shown(subject)}`
  const name = subject.slice(1).toLowerCase()
  if (!/^\w+$/.test(name)) return `unknown ${shown(subject.slice(1))} variable`
  const value = `$${name}`
  if (operator === undefined) return { step: { value, test: "filled" }, variables: [name] }
  const test = tests.get(operator)
  if (test === undefined) return `unexpected ${shown(operator)} in condition`
  return compared(value, name, test, operand)
}

function compared(
  value: string,
  name: string,
  test: NonNullable<Step["test"]>,
  operand: string,
): Condition | string {
  if (test === "equal" || test === "unequal") {
    const against = free(operand)
    if (typeof against === "string") return against
    const variables = [name, ...(against.variables ?? [])]
    return { step: { value, test, against: against.text }, variables }
  }
  const parsed = pattern(operand)
  if (typeof parsed === "string") return parsed
  return { step: { value, test, pattern: parsed.text }, variables: [name] }
}

function withoutParentheses(words: readonly string[]): readonly string[] | string {
  const [first = "", ...rest] = words
  if (!first.startsWith("(")) return `invalid condition ${shown(first)}`
  const opened = first === "(" ? rest : [first.slice(1), ...rest]
  const last = opened.at(-1)
  if (last === undefined || !last.endsWith(")")) return `invalid condition ${shown(words.at(-1) ?? "")}`
  return last === ")" ? opened.slice(0, -1) : [...opened.slice(0, -1), last.slice(0, -1)]
}
