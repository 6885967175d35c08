import type { Ingress } from "../../model/objects/ingress.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import type { RouteClaim } from "./ingress/claim.ts"

export function complaint(object: ObjectName, field: string, code: ProblemCode, message: string): Problem {
  return { object, field, code, message }
}

export function ingressName({ meta }: Ingress): ObjectName {
  return { kind: "Ingress", namespace: meta.namespace, name: meta.name }
}

/** A Problem of the Ingress whose claim it is. */
export function claimProblem(claim: RouteClaim, field: string, code: ProblemCode, message: string): Problem {
  return complaint(
    { kind: "Ingress", namespace: claim.namespace, name: claim.ingressName },
    field,
    code,
    message,
  )
}

/** Where the Ingress names the Service of this claim. */
export function serviceField({ field }: RouteClaim): string {
  return field === "spec.defaultBackend" ? `${field}.service` : `${field}.backend.service`
}

/** Each once, in the order of the first. */
export function distinctProblems(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
}
