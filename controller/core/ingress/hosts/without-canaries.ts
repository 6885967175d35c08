import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { ruleProblem, serviceField } from "../../declared/problems.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { DerivedRoutes } from "./derived-routes.ts"

/** Whose canary the backend of a route is, if it is one. */
export type CanaryOwner = (route: ParsedRoute) => ParsedRoute | undefined

/**
 * What an Ingress declares for a host, without the paths that lead to a canary's backend. A Service port that an older canary has brought in
 * cannot serve by itself (behaviour of ingress-nginx); each such path is a Problem.
 */
export function withoutCanaries(
  ingress: ParsedIngress,
  host: string,
  ownerOf: CanaryOwner,
  derived: Pick<DerivedRoutes, "withoutBackend">,
  problems: Problem[],
): { readonly root: ParsedRoute; readonly routes: readonly ParsedRoute[] } {
  const isFree = (route: ParsedRoute) => {
    const owner = ownerOf(route)
    if (owner !== undefined) problems.push(taken(route, owner))
    return owner === undefined
  }
  const root = isFree(ingress.root) ? ingress.root : derived.withoutBackend(ingress.root)
  const routes = ingress.rules.flatMap((rule) => (rule.host === host ? rule.routes.filter(isFree) : []))
  return { root, routes }
}

function taken(route: ParsedRoute, owner: ParsedRoute): Problem {
  const service = shown(route.backend?.serviceKey ?? "")
  const message = `Cannot serve path ${shown(route.path)}: Service ${service} is the canary of Ingress "${qualifiedName(owner.source)}", which is older; name another Service in one of the two`
  return ruleProblem(route, serviceField(route), "backend-is-canary", message)
}
