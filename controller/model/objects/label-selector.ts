import { isSubdomain } from "./meta.ts"

// Selectors in writing, as `kubectl --selector` takes them: requirements separated by commas, each `key`, `!key`, `key=value`, `key==value`,
// `key!=value`, `key in (a,b)`, `key notin (a,b)`, `key>1` or `key<1`. Source: Kubernetes, "Labels and Selectors", and for what is taken and
// refused the parser of its API server (apimachinery, labels.Parse).

/** Which labels an object has to have. An empty one selects everything. */
export interface LabelSelector {
  /** as it was written */
  readonly text: string
  readonly requirements: readonly Requirement[]
}

type Requirement =
  | { readonly kind: "exists" | "absent"; readonly key: string }
  /** `not-in`: an object without the label has none of the values either */
  | { readonly kind: "in" | "not-in"; readonly key: string; readonly values: readonly string[] }
  | { readonly kind: "above" | "below"; readonly key: string; readonly bound: bigint }

/** Why a text is no selector: a phrase that fits after a colon. */
class Refusal extends Error {}

/** A selector, or what is wrong with its text: a phrase that fits after a colon. */
export type ParsedSelector =
  | { readonly kind: "value"; readonly value: LabelSelector }
  | { readonly kind: "refused"; readonly reason: string }

/** Reads a selector; takes a text if an API server does. */
export function parseLabelSelector(text: string): ParsedSelector {
  try {
    return { kind: "value", value: { text, requirements: readRequirements(new Tokens(text)) } }
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", reason: error.message }
    throw error
  }
}

interface Expression {
  readonly key: string
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist"
  readonly values: readonly string[]
}

/** One that is written as an object: `matchLabels` and `matchExpressions`. */
export function selectorOf(
  labels: Readonly<Record<string, string>>,
  expressions: readonly Expression[],
): LabelSelector {
  const requirements = [
    ...Object.entries(labels).map(([key, value]) => ({ kind: "in", key, values: [value] }) as const),
    ...expressions.map(requirementOf),
  ]
  return { text: JSON.stringify(requirements), requirements }
}

function requirementOf({ key, operator, values }: Expression): Requirement {
  switch (operator) {
    case "In":
      return { kind: "in", key, values }
    case "NotIn":
      return { kind: "not-in", key, values }
    case "Exists":
      return { kind: "exists", key }
    case "DoesNotExist":
      return { kind: "absent", key }
    default:
      return operator satisfies never
  }
}

/** Whether an object with these labels is meant. */
export function selects({ requirements }: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return requirements.every((requirement) => isMet(requirement, labelOf(labels, requirement.key)))
}

function labelOf(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}

function isMet(requirement: Requirement, value: string | undefined): boolean {
  switch (requirement.kind) {
    case "exists":
      return value !== undefined
    case "absent":
      return value === undefined
    case "in":
      return value !== undefined && requirement.values.includes(value)
    case "not-in":
      return value === undefined || !requirement.values.includes(value)
    case "above":
    case "below": {
      const number = value === undefined ? undefined : wholeNumber(value)
      if (number === undefined) return false
      return requirement.kind === "above" ? number > requirement.bound : number < requirement.bound
    }
    default:
      return requirement satisfies never
  }
}

/** The words and signs of a text. Signs end words, blanks or not. */
class Tokens {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#tokens = text.match(/[=!]=|[=!(),<>]|[^=!(),<> \t\r\n]+/g) ?? []
  }

  /** The next one; "" at the end. */
  get next(): string {
    return this.#tokens[this.#at] ?? ""
  }

  get isEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  /** A word comes next. Those that compare may be keys and values, too. */
  get isWord(): boolean {
    return !this.isEnd && !/^[=!(),<>]/.test(this.next)
  }

  take(): string {
    const token = this.next
    this.#at += 1
    return token
  }

  /** Takes the next one if it is this sign. */
  skip(sign: string): boolean {
    const isNext = this.next === sign
    if (isNext) this.#at += 1
    return isNext
  }

  refuse(expected: string): never {
    const before = this.#tokens[this.#at - 1]
    const place = before === undefined ? "at the beginning" : `after ${shown(before)}`
    throw new Refusal(`write ${expected} ${place}${this.isEnd ? "" : `, not ${shown(this.next)}`}`)
  }
}

function readRequirements(tokens: Tokens): readonly Requirement[] {
  if (tokens.isEnd) return []
  const requirements = [readRequirement(tokens)]
  while (tokens.skip(",")) requirements.push(readRequirement(tokens))
  if (!tokens.isEnd) tokens.refuse("a comma or nothing")
  return requirements
}

function readRequirement(tokens: Tokens): Requirement {
  const isNegated = tokens.skip("!")
  const key = readKey(tokens)
  if (isNegated) return { kind: "absent", key }
  return tokens.isEnd || tokens.next === "," ? { kind: "exists", key } : readComparison(key, tokens)
}

function readComparison(key: string, tokens: Tokens): Requirement {
  if (tokens.skip("=") || tokens.skip("==")) return { kind: "in", key, values: [readValue(tokens)] }
  if (tokens.skip("!=")) return { kind: "not-in", key, values: [readValue(tokens)] }
  if (tokens.skip("in")) return { kind: "in", key, values: readValues(tokens) }
  if (tokens.skip("notin")) return { kind: "not-in", key, values: readValues(tokens) }
  if (tokens.skip(">")) return { kind: "above", key, bound: readBound(tokens) }
  if (tokens.skip("<")) return { kind: "below", key, bound: readBound(tokens) }
  return tokens.refuse("=, ==, !=, in, notin, < or >")
}

function readKey(tokens: Tokens): string {
  if (!tokens.isWord) tokens.refuse("the key of a label")
  const key = tokens.take()
  if (isLabelKey(key)) return key
  throw new Refusal(`${shown(key)} cannot be the key of a label`)
}

/** A value, which may be empty. */
function readValue(tokens: Tokens): string {
  if (tokens.isEnd || tokens.next === ",") return ""
  return tokens.isWord ? readWord(tokens) : tokens.refuse("a value")
}

function readWord(tokens: Tokens): string {
  const value = tokens.take()
  if (value.length <= 63 && name.test(value)) return value
  throw new Refusal(`${shown(value)} cannot be the value of a label`)
}

/** Values in parentheses; where nothing stands before or after a comma, that is the empty value. */
function readValues(tokens: Tokens): readonly string[] {
  if (!tokens.skip("(")) tokens.refuse("(")
  const values: string[] = []
  do values.push(tokens.isWord ? readWord(tokens) : "")
  while (tokens.skip(","))
  if (!tokens.skip(")")) tokens.refuse("a comma or )")
  return values
}

function readBound(tokens: Tokens): bigint {
  if (!tokens.isWord) tokens.refuse("a whole number")
  const value = readWord(tokens)
  const number = wholeNumber(value)
  if (number !== undefined) return number
  throw new Refusal(`${shown(value)} is no whole number of 64 bits`)
}

/** Undefined when it does not fit into 64 bits. */
function wholeNumber(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const number = BigInt(text.replace("+", ""))
  return BigInt.asIntN(64, number) === number ? number : undefined
}

const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/

/** Source: Kubernetes, "Labels and Selectors", syntax and character set. */
function isLabelKey(text: string): boolean {
  const [last = "", prefix, ...more] = text.split("/").reverse()
  const isPrefixed = prefix === undefined || isSubdomain(prefix)
  return isPrefixed && more.length === 0 && last.length <= 63 && name.test(last)
}

function shown(token: string): string {
  return JSON.stringify(token)
}
