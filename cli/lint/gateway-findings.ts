import { isComingLater } from "../../controller/admission/problems.ts"
import type { Translation } from "../../controller/core/translate/translate.ts"
import { statusKinds } from "../../controller/model/object-status.ts"
import type { ObjectName, Problem } from "../../controller/model/problem.ts"
import { type ProblemCode, problemCatalogue } from "../../controller/model/problems/catalogue.ts"
import { awaitedKey } from "./awaited-gateways.ts"
import { ofProblem } from "./findings.ts"
import type { LintObjects } from "./objects.ts"
import type { Relation } from "./relations.ts"
import type { GatewayReport } from "./report.ts"

// ingress-nginx knows none of these objects: what is found is what wick says of them.

const kinds: ReadonlySet<string> = new Set<string>([...statusKinds, "ReferenceGrant"])

export function gatewayReport(
  { objects, awaited, isComplete }: LintObjects,
  translation: Translation,
): GatewayReport {
  const isAwaited = (object: ObjectName) => awaited.has(awaitedKey(object))
  const own = translation.statuses.filter((it) => !isAwaited(it))
  const problems = [...objects.problems, ...translation.problems].filter(
    (problem) => kinds.has(problem.object.kind) && !isAwaited(problem.object) && isTold(problem, isComplete),
  )
  return { objects: own.length, findings: problems.map((it) => ofProblem(it, relationOf(it))) }
}

/** What is named may lie elsewhere, and addresses are given by whoever serves. */
function isTold(problem: Problem, isComplete: boolean): boolean {
  return !isComingLater(problem) && (isComplete || !ofServices.has(problem.code))
}

const ofServices: ReadonlySet<ProblemCode> = new Set(["backend-unusable", "stream-without-endpoint"])

/** Of what is not served some may be meant to keep requests out: that is closed. */
function relationOf({ code }: Problem): Relation {
  const { severity } = problemCatalogue[code]
  return severity === "error" ? "closed" : severity === "warning" ? "different" : "same"
}
