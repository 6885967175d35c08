import { fieldPath } from "../../model/field-path.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import type { TlsSecretState } from "../../model/tls-secret.ts"
import { distinctBy } from "../../support/distinct.ts"
import type { ParsedRoute } from "./parsed/parsed-route.ts"

export const defaultBackendField = "spec.defaultBackend"

export function complaint(object: ObjectName, field: string, code: ProblemCode, message: string): Problem {
  return { object, field, code, message }
}

export function ingressName({ meta }: Ingress): ObjectName {
  return { kind: "Ingress", namespace: meta.namespace, name: meta.name }
}

/** A Problem of the Ingress whose route it is. */
export function routeProblem(
  { namespace, ingressName }: Pick<ParsedRoute, "namespace" | "ingressName">,
  field: string,
  code: ProblemCode,
  message: string,
): Problem {
  return complaint({ kind: "Ingress", namespace, name: ingressName }, field, code, message)
}

/** Where the Ingress names the backend of this route. */
export function backendField({ field }: Pick<ParsedRoute, "field">): string {
  return field === defaultBackendField ? field : fieldPath(field, "backend")
}

/** Where the Ingress names the Service of this route. */
export function serviceField(route: Pick<ParsedRoute, "field">): string {
  return fieldPath(backendField(route), "service")
}

/** A host as sentences name it. */
export function hostText(host: string): string {
  return host === "_" ? "every other host" : `host ${shown(host)}`
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
  return distinctBy(problems, (problem) => JSON.stringify(problem))
}
