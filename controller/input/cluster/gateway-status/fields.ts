import { recordOf } from "../../../model/objects/reader.ts"

/** One value of JSON that should have fields, as another controller may have written it. */
export type Json = Readonly<Record<string, unknown>>

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

/** Those fields that are there, in this order. */
export function picked(from: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  )
}
