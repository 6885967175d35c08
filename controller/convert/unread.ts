import { relationOf } from "../lint/relations.ts"
import type { Problem } from "../model/problem.ts"
import type { ProblemCode } from "../model/problems/catalogue.ts"
import type { Remark } from "./conversion.ts"

/** What an API server would not have stored, and a conversion of what is written leaves out all the same. */
const passedOver: ReadonlySet<ProblemCode> = new Set(["field-unknown", "kind-not-read"])

/** A remark for each object, or part of one, that could not be read: nothing of it is converted. */
export function unreadRemarks(problems: readonly Problem[]): readonly Remark[] {
  return problems
    .filter((problem) => passedOver.has(problem.code) || relationOf(problem, true) === "unread")
    .map(({ object, field, message }) => ({ kind: "unread", object, field, what: message }))
}
