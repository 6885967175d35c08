import type { Ingress } from "../../../model/objects/ingress.ts"
import { canaryAnnotations } from "../../annotations/canary.ts"
import { forbiddenAnnotations, missingAnnotations, withoutForbidden } from "../../annotations/rules.ts"
import { readSingle } from "../../annotations/single.ts"
import { foreignHosts, type WantedHost } from "../../annotations/wanted-hosts.ts"
import type { Context } from "../../options/context.ts"
import type { Complain } from "./ingress-context.ts"

/** What the rules of an operator leave of an Ingress. */
export interface Permitted {
  /** without annotations that break a rule */
  readonly ingress: Ingress
  /** one does: its paths are answered 503 */
  readonly isDenied: boolean
  /** nothing of it has any effect */
  readonly isLeftOut: boolean
  /** what it wants of hosts that are not for its namespace */
  readonly withheld: readonly WantedHost[]
}

/** Holds an Ingress that is there already against the rules by which the webhook refuses them; each that it breaks is a Problem. */
export function permitted(ingress: Ingress, { settings, options }: Context, complain: Complain): Permitted {
  if (!settings.enforcesRules) return { ingress, isDenied: false, isLeftOut: false, withheld: [] }
  const prefix = options.annotationsPrefix
  const rules = { settings, prefix }
  const forbidden = forbiddenAnnotations(ingress, rules)
  const missing = missingAnnotations(ingress, rules)
  const foreign = foreignHosts(ingress, settings.hostRules, prefix)
  const isDenied = forbidden.length > 0 || missing.length > 0
  const isLeftOut = isDenied && isCanary(ingress, prefix)
  const outcome = isLeftOut ? "it gets no requests" : "requests get 503"
  for (const { field, message } of forbidden)
    complain(field, "annotation-forbidden", `The Ingress breaks a rule: ${message}; ${outcome}`)
  for (const { field, message } of missing)
    complain(field, "annotation-required", `The Ingress breaks a rule: ${message}; ${outcome}`)
  for (const { field, message } of foreign)
    complain(field, "host-forbidden", `The Ingress breaks a rule: ${message}; that is left out`)
  return {
    ingress: forbidden.length === 0 ? ingress : withoutForbidden(ingress, forbidden, prefix),
    isDenied,
    isLeftOut,
    withheld: foreign.map(({ wanted }) => wanted),
  }
}

/** A canary that is denied would send a share of another Ingress's requests to 503, and one that is none any more would take its path. */
function isCanary(ingress: Ingress, prefix: string): boolean {
  const said = readSingle(canaryAnnotations.isCanary, ingress, prefix)
  return said !== undefined && (said.kind === "refused" || said.value)
}
