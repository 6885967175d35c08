import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import type { IngressClaims, RouteClaim } from "./claim.ts"
import type { Owners } from "./deciders.ts"
import { getOrMake } from "./memo.ts"
import { claimProblem, serviceField } from "./problems.ts"

/**
 * The claims on hosts and paths: those of Ingresses that are no canaries, without the paths that lead to a canary's backend. A Service port
 * that an older canary has brought in cannot serve by itself (behaviour of ingress-nginx); each such path is a Problem.
 */
export function withoutCanaries(
  claims: readonly IngressClaims[],
  owners: Owners,
  problems: Problem[],
): readonly IngressClaims[] {
  const mains = claims.filter(({ root }) => root.balancing.canary === undefined)
  if (mains.length === claims.length) return mains
  const isFree = (claim: RouteClaim) => {
    const owner = claim.backend && owners.get(claim.backend.key)
    if (owner?.balancing.canary === undefined) return true
    problems.push(taken(claim, owner))
    return false
  }
  return mains.map((claim) => {
    const root = isFree(claim.root) ? claim.root : withoutBackend(claim.root)
    const rules = claim.rules.map((rule) => ({ ...rule, routes: rule.routes.filter(isFree) }))
    return { ...claim, root, isCatchAll: claim.isCatchAll && root === claim.root, rules }
  })
}

function taken(claim: RouteClaim, owner: RouteClaim): Problem {
  const service = shown(claim.backend?.serviceKey ?? "")
  const message = `Cannot serve path ${shown(claim.path)}: Service ${service} is the canary of Ingress "${owner.namespace}/${owner.ingressName}", which is older; name another Service here or there`
  return claimProblem(claim, serviceField(claim), "backend-is-canary", message)
}

const bareRoots = new WeakMap<RouteClaim, RouteClaim>()

/** The same object for the same claim, so that what was computed from it can be used again. */
function withoutBackend(root: RouteClaim): RouteClaim {
  return getOrMake(bareRoots, root, () => {
    const { backend: _, ...bare } = root
    return bare
  })
}
