import type { Problem } from "../model/problem.ts"
import type { ProblemCode } from "../model/problems/catalogue.ts"
import { problemCatalogue } from "../model/problems/catalogue.ts"
import type { Finding } from "./finding.ts"

/** What is wrong with the Ingress itself: it would not be served as it is written. Source for annotations: ingress-nginx refuses what fails its validation. */
const refusing: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "annotation-refused",
  "annotation-guard-closes",
  "modsecurity-rules-refused",
  "snippet-not-allowed",
  "host-refused",
  "path-refused",
  "service-name-refused",
  "port-name-refused",
])

/** The objects that an Ingress names may come after it. The default backend and the rules of the operator have checks of their own. */
const passedOver: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "reference-missing",
  "catch-all-disabled",
  "annotation-forbidden",
  "annotation-required",
  "host-forbidden",
])

/** Sorts what a pass would say: what refuses the Ingress, and what only its author should know. */
export function sortProblems(problems: readonly Problem[]): {
  readonly refusals: readonly Finding[]
  readonly warnings: readonly Finding[]
} {
  const refusals: Finding[] = []
  const warnings: Finding[] = []
  for (const problem of problems) {
    if (passedOver.has(problem.code)) continue
    if (!refusing.has(problem.code)) {
      if (problemCatalogue[problem.code].severity !== "info") warnings.push(problem)
    } else refusals.push({ field: problem.field, message: withoutOutcome(problem) })
  }
  return { refusals, warnings }
}

/** These messages end with what becomes of the part if the Ingress is there nevertheless. */
function withoutOutcome({ message }: Problem): string {
  const end = message.lastIndexOf("; ")
  return end < 0 ? message : message.slice(0, end)
}
