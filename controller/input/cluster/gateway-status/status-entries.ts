import { isDeepStrictEqual } from "node:util"
import { generationsOf, type Moment, mergedConditions, readConditions } from "./conditions.ts"
import { type Json, listOf, picked } from "./fields.ts"

// Lists of entries with conditions of their own: listeners by name, and parents or ancestors, each of which one controller has written.

/** What an entry has beside its conditions. */
type Fields = readonly string[]

export const listenerFields: Fields = ["name", "supportedKinds", "attachedRoutes"]

/** @param fields what is ours of an entry, its conditions aside */
export function readEntries(found: unknown, fields: Fields): readonly Json[] {
  return listOf(found).map((entry) => ({
    ...picked(entry, ...fields),
    conditions: readConditions(entry.conditions),
  }))
}

export function generationsOfEntries(found: unknown): readonly unknown[] {
  return listOf(found).flatMap(({ conditions }) => generationsOf(conditions))
}

/** @param isSame whether two are about the same */
export function mergedEntries(
  found: unknown,
  wanted: unknown,
  isSame: (a: Json, b: Json) => boolean,
  moment: Moment,
): readonly Json[] {
  return listOf(wanted).map((entry) => {
    const former = listOf(found).find((before) => isSame(before, entry)) ?? {}
    return { ...entry, conditions: mergedConditions(former.conditions, entry.conditions, moment) }
  })
}

export function isSameName(a: Json, b: Json): boolean {
  return a.name === b.name
}

/** @param ref `parentRef` or `ancestorRef` */
export function isSameRef(ref: string): (a: Json, b: Json) => boolean {
  return (a, b) => isDeepStrictEqual(a[ref], b[ref])
}
