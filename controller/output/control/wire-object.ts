import type { SecretText } from "../../model/secret-file.ts"
import { criticalFields } from "./posted.ts"
import { type ObjectName, type Row, rows } from "./posted-rows.ts"
import { withCritical } from "./wire-critical.ts"

// The model's objects in the posted format, docs/wire.md section 1. What is undefined is absent there. What fields are called is printed from wire/.

type Posted = Record<string, unknown> & { critical?: readonly string[] }

/** An object as it is posted; the tests compare each field with the fixture. */
export function fieldsOf(name: ObjectName, thing: object): Posted {
  const fields: Posted = {}
  for (const row of rows[name]) {
    const value = postedValue(row, thing)
    if (value !== undefined) fields[row.posted] = value
  }
  return withCritical(fields, criticalOf(name))
}

function criticalOf(name: ObjectName): readonly string[] {
  return name in criticalFields ? criticalFields[name as keyof typeof criticalFields] : []
}

function postedValue(row: Row, thing: object): unknown {
  if (row.constant !== undefined) return row.constant
  if (row.isSpread === true && row.object !== undefined) return spreadObject(row.object, thing)
  const of = row.within === undefined ? thing : member(thing, row.within)
  const value = of === undefined ? undefined : member(of as object, row.model)
  if (row.as === "isThere") return value !== undefined
  return value === undefined ? undefined : written(row, value)
}

function written({ as, object }: Row, value: unknown): unknown {
  if (object !== undefined) return objectOf(object, value as object)
  switch (as) {
    case undefined:
      return value
    case "text":
      return String(value)
    case "presence":
    case "isThere":
      return true
    case "filled":
      return value === "" ? undefined : value
    case "mark":
      return value === true ? true : undefined
    case "variables":
      return variableFields(value as object)
    case "secret":
      return (value as SecretText).reveal()
    default:
      return as satisfies never
  }
}

function member(thing: object, name: string): unknown {
  return (thing as Readonly<Record<string, unknown>>)[name]
}

function objectOf(name: ObjectName, value: object): unknown {
  return Array.isArray(value) ? value.map((one: object) => fieldsOf(name, one)) : fieldsOf(name, value)
}

/** Absent if none of its members is there. */
function spreadObject(name: ObjectName, thing: object): Posted | undefined {
  const fields = fieldsOf(name, thing)
  return Object.keys(fields).length === 0 ? undefined : fields
}

function variableFields(variables: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [snakeCase(name), value]))
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
