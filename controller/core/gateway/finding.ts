import type { Condition } from "../../model/object-status.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { complaint } from "../declared/problems.ts"

/** Why a condition is not as its author would have it: what the condition says, and the Problem that says the same. */
export interface Finding {
  /** one word of the API */
  readonly reason: string
  readonly code: ProblemCode
  readonly field: string
  /** a sentence without a final dot */
  readonly message: string
}

/** What holds as long as nothing was found. */
export function conditionOf(
  type: Condition["type"],
  finding: Finding | undefined,
  reason: string = type,
): Condition {
  if (finding === undefined) return { type, status: "True", reason, message: "" }
  return { type, status: "False", reason: finding.reason, message: finding.message }
}

export function problemOf(object: ObjectName, { field, code, message }: Finding): Problem {
  return complaint(object, field, code, message)
}
