import type { Ingress } from "../../../model/objects/ingress.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import type { Context } from "./context.ts"
import type { Lookups } from "./lookups.ts"
import type { Complain } from "./rules.ts"

/** One Ingress while its annotations are made into claims. */
export interface Inquiry {
  readonly ingress: Ingress
  readonly context: Context
  readonly lookups: Lookups
  readonly complain: Complain
}

/** What a step comes to when the Ingress's paths must not be served: they are answered 503. The step has complained. */
export const denied = Symbol("denied")
export type Denied = typeof denied

/**
 * Complains about an annotation and denies the Ingress.
 *
 * @param state   goes on after the value: what is wrong
 * @param outcome what that comes to
 */
export function deny(
  inquiry: Inquiry,
  name: string,
  code: ProblemCode,
  state: string,
  outcome = "requests get 503",
): Denied {
  complainAbout(inquiry, name, code, `${state}; ${outcome}`)
  return denied
}

/** Complains about an annotation. @param name without prefix */
export function complainAbout(inquiry: Inquiry, name: string, code: ProblemCode, message: string): undefined {
  return inquiry.complain(annotationField(inquiry, name), code, message)
}

/** Where an annotation stands in its Ingress. @param name without prefix */
export function annotationField({ context }: Inquiry, name: string): string {
  return `metadata.annotations["${context.options.annotationsPrefix}/${name}"]`
}
