import { ownConditions } from "../../../model/object-status.ts"
import { type Json, listOf, picked } from "./fields.ts"

// Conditions are a map by type, in which several controllers may write: of each type one says what holds, and leaves the others alone. Source:
// Kubernetes, API conventions, "Typical status properties".

const own: ReadonlySet<unknown> = new Set(ownConditions)

/** Those of types that are ours, without when it was that they changed. */
export function readConditions(found: unknown): readonly Json[] {
  return listOf(found)
    .filter(({ type }) => own.has(type))
    .map((condition) => ({ message: "", ...picked(condition, "type", "status", "reason", "message") }))
}

/** The generation that all conditions of ours are about; undefined: of none, or of several. */
export function generationsOf(found: unknown): readonly unknown[] {
  return listOf(found)
    .filter(({ type }) => own.has(type))
    .map(({ observedGeneration }) => observedGeneration ?? 0)
}

/** When a status is written, and of which generation of the object. */
export interface Moment {
  readonly generation: number
  /** as in 2026-01-31T12:00:00Z */
  readonly time: string
}

/** Ours as they are wanted, and all others as they were found. The time of one whose status stays does, too. */
export function mergedConditions(
  found: unknown,
  wanted: unknown,
  { generation, time }: Moment,
): readonly Json[] {
  const before = listOf(found)
  const ours = listOf(wanted).map((condition) => {
    const former = before.find(({ type, status }) => type === condition.type && status === condition.status)
    const { lastTransitionTime = time } = former ?? {}
    return { ...condition, observedGeneration: generation, lastTransitionTime }
  })
  return [...ours, ...before.filter(({ type }) => !own.has(type))]
}
