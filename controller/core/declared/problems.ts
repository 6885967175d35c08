import { fieldPath } from "../../model/field-path.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { contentOf, type ObjectName, type Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import type { TlsSecretState } from "../../model/tls-secret.ts"
import { distinctBy } from "../../support/distinct.ts"
import type { Rule } from "./rule.ts"

export function complaint(object: ObjectName, field: string, code: ProblemCode, message: string): Problem {
  return { object, field, code, message }
}

/** A Problem of the object whose rule it is. */
export function ruleProblem(
  { source }: Pick<Rule, "source">,
  field: string,
  code: ProblemCode,
  message: string,
): Problem {
  return complaint(source, field, code, message)
}

/** Where the object names the Service of this rule. */
export function serviceField({ field, backendAt }: Pick<Rule, "field" | "backendAt">): string {
  return fieldPath(field, backendAt)
}

/** A host as sentences name it. */
export function hostText(host: string): string {
  return host === "_" ? "every other host" : `host ${shown(host)}`
}

/** @param other has the host */
export function hostTaken(host: string, other: ObjectName): string {
  return `Cannot serve ${hostText(host)}: ${other.kind} "${qualifiedName(other)}" has it already, and all rules of a host are of one kind; use another host, or remove that one`
}

/** @param name of a Secret, in quotes */
export function staleMessage(
  name: string,
  { reason }: NonNullable<Extract<TlsSecretState, { kind: "usable" }>["stale"]>,
): string {
  return `Cannot use the newest version of Secret ${name}: ${reason}; the version before it stays in use`
}

/** Each once, in the order of the first. */
export function distinctProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems.length < 2 ? problems : distinctBy(problems, contentOf)
}
