import type { Problem } from "../../../model/problem.ts"
import { mirrorsOf } from "../../../model/route.ts"
import type { RuleMirror } from "../../declared/actions.ts"
import type { DeclaredAuth } from "../../declared/external-auth.ts"
import { complaint, ruleProblem, serviceField } from "../../declared/problems.ts"
import type { OtherBackend } from "../../declared/proxying.ts"
import type { Rule, WeightedBackendRef } from "../../declared/rule.ts"
import type { Target } from "../backends/resolved-backends.ts"
import type { FindTarget } from "./find-target.ts"

/** What is wrong with the Services that a rule names; also what another rule says, where they share what they name. */
export function faultsOf(rule: Rule, targetOf: FindTarget, outcome?: string): readonly Problem[] {
  const { fallback, mirror } = rule.proxying
  const asked = rule.access.external
  return [
    asked && aboutAuth(asked, targetOf(asked.ref)),
    mirror && aboutMirror(rule, mirror, targetOf(mirror.ref)),
    fallback && aboutFallback(rule, fallback, targetOf(fallback.ref)),
    aboutBackend(rule, targetOf, outcome),
    ...(rule.split?.map((share) => aboutShare(rule, share, targetOf)) ?? []),
    ...mirrorsOf(rule).map((mirror) => aboutCopies(rule, mirror, targetOf(mirror.ref))),
    aboutName(rule, targetOf(rule.backend)),
  ].filter((problem) => problem !== undefined)
}

function aboutName(rule: Rule, { fault, externalName }: Target): Problem | undefined {
  const { wantsName } = rule.proxying
  if (wantsName?.purpose !== "to-verify" || fault !== undefined || externalName !== undefined)
    return undefined
  const message = `Cannot verify the certificates of endpoints: nothing says which name they are for; write it into ${wantsName.asker}; requests get 502`
  return ruleProblem(rule, serviceField(rule), "backend-name-missing", message)
}

function aboutMirror(
  rule: Rule,
  { field, asker }: OtherBackend,
  { fault, warning }: Target,
): Problem | undefined {
  if (fault === undefined)
    return warning === undefined ? undefined : ruleProblem(rule, field, "name-stale", warning)
  const message = `${fault}; ${asker} names it, so requests are not mirrored`
  return ruleProblem(rule, field, "mirror-refused", message)
}

function aboutFallback(rule: Rule, { field, asker }: OtherBackend, { fault }: Target): Problem | undefined {
  if (fault === undefined) return undefined
  const message = `${fault}; ${asker} names it, so backends without endpoints have no fallback`
  return ruleProblem(rule, field, "fallback-unusable", message)
}

function aboutAuth({ object, field, asker }: DeclaredAuth, { fault, warning }: Target): Problem | undefined {
  if (fault === undefined)
    return warning === undefined ? undefined : complaint(object, field, "name-stale", warning)
  const message = `${fault}; ${asker} asks it, so requests get 500`
  return complaint(object, field, "auth-service-unusable", message)
}

/** Why a share may not be used at all is for its front end to say. */
function aboutShare(rule: Rule, share: WeightedBackendRef, targetOf: FindTarget): Problem | undefined {
  if (share.status !== undefined) return undefined
  const { fault } = targetOf(share.ref)
  if (fault === undefined) return undefined
  const field = serviceField({ field: rule.field, backendAt: share.backendAt })
  const status = rule.statusOfFault ?? 503
  return ruleProblem(rule, field, "backend-unusable", `${fault}; its share of the requests gets ${status}`)
}

function aboutCopies(rule: Rule, { backendAt }: RuleMirror, { fault }: Target): Problem | undefined {
  if (fault === undefined) return undefined
  const field = serviceField({ field: rule.field, backendAt })
  return ruleProblem(rule, field, "mirror-refused", `${fault}; requests are not mirrored to it`)
}

function aboutBackend(rule: Rule, targetOf: FindTarget, outcome?: string): Problem | undefined {
  const { fault } = targetOf(rule.backend)
  if (fault === undefined || rule.backend === undefined) return undefined
  const { fallback } = rule.proxying
  const isServed = fallback !== undefined && targetOf(fallback.ref).status === undefined
  const served = isServed
    ? `the Service of ${fallback.asker} answers`
    : (outcome ?? `requests get ${rule.statusOfFault ?? 503}`)
  return ruleProblem(rule, serviceField(rule), "backend-unusable", `${fault}; ${served}`)
}
