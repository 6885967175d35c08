import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { IngressClaims, RouteClaim } from "../ingress/claim.ts"
import { claimProblem, serviceField } from "../problems.ts"

/** Whose canary the backend of a claim is, if it is one. */
export type CanaryOwner = (claim: RouteClaim) => RouteClaim | undefined

/**
 * What an Ingress claims on a host, without the paths that lead to a canary's backend. A Service port that an older canary has brought in
 * cannot serve by itself (behaviour of ingress-nginx); each such path is a Problem.
 */
export function withoutCanaries(
  claims: IngressClaims,
  host: string,
  ownerOf: CanaryOwner,
  problems: Problem[],
): { readonly root: RouteClaim; readonly routes: readonly RouteClaim[] } {
  const isFree = (claim: RouteClaim) => {
    const owner = ownerOf(claim)
    if (owner !== undefined) problems.push(taken(claim, owner))
    return owner === undefined
  }
  const root = isFree(claims.root) ? claims.root : withoutBackend(claims.root)
  const routes = claims.rules.flatMap((rule) => (rule.host === host ? rule.routes.filter(isFree) : []))
  return { root, routes }
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
