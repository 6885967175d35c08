import { fieldPath } from "../field-path.ts"
import type { ObjectName, Problem } from "../problem.ts"
import type { ProblemCode } from "../problems/catalogue.ts"
import { shown } from "../shown.ts"

/** Where the findings about one object go. */
export interface Findings {
  readonly object: ObjectName
  readonly problems: Problem[]
  /** where the object was written, for messages: ` (cart.yaml:12)`, or "" */
  readonly where: string
}

/** What is wrong with a value; `state` follows the name of its field. */
export interface Fault {
  readonly code: ProblemCode
  readonly state: string
}

/** Reads one part; undefined when the part is unusable, which it has reported. */
export type Read<T> = (at: Reader) => T | undefined

/**
 * Reads one part of an unknown value. Every getter returns a value of the promised type; what it had to make up is reported as a Problem, and
 * `accepted` then drops the part. So one wrong field costs the smallest part that cannot do without it, and nothing beside it.
 */
export class Reader {
  readonly #value: unknown
  readonly #findings: Findings
  readonly #path: () => string
  #isSound = true

  /** @param path where the value stands in the object; asked only when there is something to report */
  constructor(value: unknown, findings: Findings, path = () => "") {
    this.#value = value
    this.#findings = findings
    this.#path = path
    if (!isRecord(value)) this.refuse("", "type-wrong", `has to be a mapping, not ${describe(value)}`)
  }

  /** The part, or undefined when one of its fields was refused. */
  accepted<T>(part: T): T | undefined {
    return this.#isSound ? part : undefined
  }

  /** Reports that a field is wrong and that this part cannot be used. `state` follows the name of the field. */
  refuse(field: string, code: ProblemCode, state: string): void {
    this.report(field, code, state)
    this.#isSound = false
  }

  /** Reports a field that is left out; the rest of the part is good. */
  report(field: string, code: ProblemCode, state: string): void {
    const path = fieldPath(this.#path(), field)
    const message = `Field ${path} ${state}${this.#findings.where}`
    this.#findings.problems.push({ object: this.#findings.object, field: path, code, message })
  }

  has(field: string): boolean {
    return this.#get(field) !== undefined
  }

  /** A text; `absent` when there is none. */
  text(field: string, absent = ""): string {
    return this.#typed(field, absent, "a text", (value) => (typeof value === "string" ? value : undefined))
  }

  /** A text that has to be there. */
  requiredText(field: string): string {
    if (!this.has(field) || this.#get(field) === "") this.refuse(field, "field-missing", "is missing")
    return this.text(field)
  }

  boolean(field: string, absent: boolean): boolean {
    return this.#typed(field, absent, "true or false", (value) =>
      typeof value === "boolean" ? value : undefined,
    )
  }

  /** 1 to 65535; `undefined` when absent. */
  port(field: string): number | undefined {
    return this.#typed<number | undefined>(field, undefined, "a port from 1 to 65535", (value) =>
      isPort(value) ? value : undefined,
    )
  }

  /** One of the words; `absent` when there is none. */
  oneOf<const W extends string>(field: string, words: readonly W[], absent: W): W {
    return this.#typed(field, absent, words.join(" or "), (value) => words.find((word) => word === value))
  }

  /** A part that has to be there and be usable, or else this one is not. */
  required<T>(field: string, read: Read<T>): T | undefined {
    if (!this.has(field)) this.refuse(field, "field-missing", "is missing")
    const part = this.optional(field, read)
    if (part === undefined) this.#isSound = false
    return part
  }

  /** A part that may be absent; an unusable one is left out. */
  optional<T>(field: string, read: Read<T>): T | undefined {
    return this.has(field) ? read(this.child(field)) : undefined
  }

  /** A part that may be absent, but if it is there this one cannot do without it. */
  expected<T>(field: string, read: Read<T>): T | undefined {
    return this.has(field) ? this.required(field, read) : undefined
  }

  child(field: string): Reader {
    return new Reader(this.#get(field), this.#findings, () => fieldPath(this.#path(), field))
  }

  /** The usable items of a list; absent counts as empty. */
  list<T>(field: string, read: Read<T>): readonly T[] {
    return usable(
      this.#items(field).map((item, index) =>
        read(new Reader(item, this.#findings, () => fieldPath(this.#path(), field, index))),
      ),
    )
  }

  /** The items of a list, each of which has to be usable, or else this part is not; absent counts as empty. */
  every<T>(field: string, read: Read<T>): readonly T[] {
    return this.#whole(field, this.list(field, read))
  }

  /** As `texts`, but an item that is left out costs this part. */
  everyText(field: string, faultOf: (text: string) => Fault | undefined): readonly string[] {
    return this.#whole(field, this.texts(field, faultOf))
  }

  /** A list of texts; items of another type, or with a fault, are left out. @param faultOf what is wrong with a text */
  texts(field: string, faultOf: (text: string) => Fault | undefined = () => undefined): readonly string[] {
    return usable(
      this.#items(field).map((item, index) => {
        const fault = typeof item === "string" ? faultOf(item) : noText(item)
        if (fault === undefined) return item as string
        this.report(fieldPath(field, index), fault.code, fault.state)
        return undefined
      }),
    )
  }

  /**
   * A mapping to texts; entries of another type are left out, which is what an API server would refuse.
   *
   * @param keeps which keys are of interest
   */
  textMap(field: string, keeps?: (key: string) => boolean): Readonly<Record<string, string>> {
    const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)
    return this.map(field, textOf, "a text: put it in quotes", keeps)
  }

  /** A mapping whose values pass `convert`; the others are left out. Values are not repeated in messages: they may be secret. */
  map<T>(
    field: string,
    convert: (value: unknown) => T | undefined,
    expected: string,
    keeps: (key: string) => boolean = () => true,
  ): Readonly<Record<string, T>> {
    const entries = Object.entries(this.#record(field)).flatMap(([key, value]) => {
      const converted = convert(value)
      if (converted === undefined) this.report(fieldPath(field, [key]), "type-wrong", `has to be ${expected}`)
      return converted === undefined || !keeps(key) ? [] : [[key, converted] as const]
    })
    return entries.length === 0 ? noEntries : Object.fromEntries(entries)
  }

  /** The bare value, for fields that take several types. */
  raw(field: string): unknown {
    return this.#get(field)
  }

  /** What was read of a list; this part cannot be used where items are missing. */
  #whole<T>(field: string, items: readonly T[]): readonly T[] {
    const value = this.#get(field) ?? noItems
    if (!Array.isArray(value) || value.length !== items.length) this.#isSound = false
    return items
  }

  #typed<T>(field: string, absent: T, expected: string, convert: (value: unknown) => T | undefined): T {
    const value = this.#get(field)
    if (value === undefined) return absent
    const converted = convert(value)
    if (converted === undefined)
      this.refuse(field, "type-wrong", `has to be ${expected}, not ${describe(value)}`)
    return converted ?? absent
  }

  #record(field: string): Readonly<Record<string, unknown>> {
    const value = this.#get(field) ?? {}
    if (isRecord(value)) return value
    this.report(field, "type-wrong", `has to be a mapping, not ${describe(value)}`)
    return {}
  }

  #items(field: string): readonly unknown[] {
    const value = this.#get(field) ?? []
    if (Array.isArray(value)) return value
    this.report(field, "type-wrong", `has to be a list, not ${describe(value)}`)
    return []
  }

  /** Absent and null are the same, as for an API server. Inherited names such as `constructor` are no fields. */
  #get(field: string): unknown {
    return isRecord(this.#value) && Object.hasOwn(this.#value, field)
      ? (this.#value[field] ?? undefined)
      : undefined
  }
}

// There are thousands of objects, and most of their lists and mappings are empty: they share one.
const noItems: readonly never[] = []
const noEntries: Readonly<Record<string, never>> = {}

/** The items that could be read, in an array without room for more. */
function usable<T>(items: readonly (T | undefined)[]): readonly T[] {
  const found = items.filter((item) => item !== undefined)
  if (found.length === 0) return noItems
  return found.length === items.length ? (items as readonly T[]) : found.slice()
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A mapping, or an empty one in the place of anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

export function isPort(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65_535
}

function noText(value: unknown): Fault {
  return { code: "type-wrong", state: `has to be a text, not ${describe(value)}` }
}

/** The kind of value and, for short ones, the value. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return "nothing"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") return "a mapping"
  return typeof value === "string" ? `the text ${shown(value)}` : `the ${typeof value} ${value}`
}
