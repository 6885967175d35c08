import { readAnnotations } from "../annotations/read.ts"
import type { Problem } from "../model/problem.ts"
import type { Ingress } from "../objects/ingress.ts"
import { balancingOf } from "./balancing.ts"
import { type IngressClaims, place, type RouteClaim } from "./claim.ts"
import { remembered } from "./memo.ts"
import type { TranslateOptions } from "./options.ts"
import { policyOf } from "./policies.ts"
import { complaint, ingressName } from "./problems.ts"
import { type Complain, readBackend, readRule } from "./rules.ts"

/** Reads one Ingress. Refused parts are left out, each with a Problem. */
export const claimsOf = remembered((ingress: Ingress, options: TranslateOptions): IngressClaims => {
  const { values, problems: fromAnnotations } = readAnnotations(ingress, options.annotationsPrefix)
  const problems: Problem[] = [...fromAnnotations]
  const complain: Complain = (...what) => {
    problems.push(complaint(ingressName(ingress), ...what))
  }
  const base: RouteClaim = {
    namespace: ingress.meta.namespace,
    ingressName: ingress.meta.name,
    field: "spec.defaultBackend",
    ...place("/", "prefix"),
    policy: policyOf(values.policy),
    overrides: values.route,
    balancing: balancingOf(values),
  }
  const claims = isForbidden(ingress, options, complain)
    ? nothingOf(base)
    : claimsFrom(ingress, base, complain)
  return { ...claims, problems }
})

type Claims = Omit<IngressClaims, "problems">

function claimsFrom({ defaultBackend, rules }: Ingress, base: RouteClaim, complain: Complain): Claims {
  const backend = defaultBackend && readBackend(defaultBackend, base.field, base.namespace, complain)
  const root: RouteClaim = backend === undefined ? base : { ...base, backend }
  return {
    root,
    isCatchAll: rules.length === 0 && backend !== undefined,
    rules: rules.flatMap((rule, at) => readRule(rule, `spec.rules[${at}]`, root, complain) ?? []),
  }
}

function nothingOf(root: RouteClaim): Claims {
  return { root, isCatchAll: false, rules: [] }
}

function isForbidden({ defaultBackend }: Ingress, options: TranslateOptions, complain: Complain): boolean {
  if (!options.disableCatchAll || defaultBackend === undefined) return false
  const message = "Cannot use the Ingress: --disable-catch-all leaves out all that have a default backend"
  complain("spec.defaultBackend", "catch-all-disabled", message)
  return true
}
