import { annotationPath } from "../../../model/field-path.ts"
import type { Ingress } from "../../../model/objects/ingress.ts"
import type { ObjectName } from "../../../model/problem.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { annotationByName } from "../../annotations/table.ts"
import { ownPrefix } from "../../options/conflicts.ts"
import type { Context } from "../../options/context.ts"
import type { Lookups } from "./lookups.ts"
import type { SharedParts } from "./shared-parts.ts"

/** Reports a Problem of the Ingress that is read. Returns nothing, as its caller does then. */
export type Complain = (field: string, code: ProblemCode, message: string) => undefined

/** What one Ingress is read with. */
export interface IngressContext extends Context {
  readonly ingress: Ingress
  /** that its requests are for, as written; "" for all others */
  readonly hosts: readonly string[]
  /** its name, one object for all that it says */
  readonly source: ObjectName
  readonly lookups: Lookups
  readonly shared: SharedParts
  readonly complain: Complain
}

/** Result of a step that denies the Ingress: its paths are answered 503. The step has reported why. */
export const denied = Symbol("denied")
export type Denied = typeof denied

/**
 * Reports a Problem of an annotation and denies the Ingress.
 *
 * @param state   goes on after the value: what is wrong
 * @param outcome what that comes to
 */
export function deny(
  context: IngressContext,
  name: string,
  code: ProblemCode,
  state: string,
  outcome = "requests get 503",
): Denied {
  complainAbout(context, name, code, `${state}; ${outcome}`)
  return denied
}

/** Reports a Problem of an annotation. @param name without prefix */
export function complainAbout(
  context: IngressContext,
  name: string,
  code: ProblemCode,
  message: string,
): undefined {
  return context.complain(annotationField(context, name), code, message)
}

/** Where an annotation stands in its Ingress. @param name without prefix */
export function annotationField({ options }: Pick<Context, "options">, name: string): string {
  const prefix = annotationByName.get(name)?.isOwn ? ownPrefix : options.annotationsPrefix
  return annotationPath(`${prefix}/${name}`)
}
