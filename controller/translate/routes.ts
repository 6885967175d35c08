import type { Problem } from "../model/problem.ts"
import type { Host, Route } from "../model/route.ts"
import type { ResolvedBackend, Target } from "./backends.ts"
import type { RouteClaim } from "./claim.ts"
import { noDefaultBackend } from "./default-backend.ts"
import type { Demand } from "./demand.ts"
import type { HostDemand } from "./hosts.ts"
import { rememberedLast } from "./memo.ts"
import { placesOf, type RoutePlace } from "./places.ts"
import { claimProblem, serviceField } from "./problems.ts"
import type { Rewrite, Treatment } from "./treatment.ts"

export interface Routing {
  readonly hosts: readonly Host[]
  /** what is wrong with the Services that claims name; once for each claim */
  readonly problems: readonly Problem[]
}

type FindTarget = (claim: RouteClaim) => Target

const lastRouting = rememberedLast<Demand, Routing>()
const lastHost = rememberedLast<HostDemand, Host>()

/**
 * Leads every claim to its backend. The same objects as before unless a backend got its first endpoint, lost its last, or changed its name.
 *
 * @param resolved what `demand.backends` are in this snapshot, in the same order
 * @param fallback the default backend; absent when there is none
 */
export function routingOf(
  demand: Demand,
  resolved: readonly ResolvedBackend[],
  fallback: ResolvedBackend | undefined,
): Routing {
  const targets = resolved.map(({ target }) => target)
  const everyOther = fallback?.target ?? noDefaultBackend
  return lastRouting(demand, [...targets, everyOther], () => {
    const byKey = new Map(demand.backends.map(({ ref }, at) => [ref.key, targets[at]]))
    return route(demand, ({ backend }) => (backend && byKey.get(backend.key)) ?? everyOther)
  })
}

function route({ hosts, canaries }: Demand, targetOf: FindTarget): Routing {
  const faults = new Map<RouteClaim, Problem>()
  const check = (claim: RouteClaim) => {
    const { fault } = targetOf(claim)
    if (fault !== undefined && claim.backend !== undefined) faults.set(claim, aboutBackend(claim, fault))
  }
  for (const { routes } of hosts) routes.forEach(check)
  canaries.forEach(check)
  return { hosts: hosts.map((host) => hostOf(host, targetOf)), problems: [...faults.values()] }
}

function hostOf(demand: HostDemand, targetOf: FindTarget): Host {
  const targets = demand.routes.map(targetOf)
  return lastHost(demand, targets, () => ({
    server: "main",
    host: demand.host,
    routes: placesOf(demand).map((place) => routeOf(place, targetOf(place.claim))),
  }))
}

function routeOf(place: RoutePlace, { name, status }: Target): Route {
  const { claim } = place
  const { treatment } = claim
  return {
    path: place.path,
    match: place.match,
    policy: claim.policy.name,
    backend: name,
    ...answersOf(place.appRoot === undefined ? treatment : { redirect: place.appRoot }, status),
    namespace: claim.namespace,
    ingressName: claim.ingressName,
    serviceName: claim.backend?.service ?? "",
    servicePort: claim.backend?.port ?? "",
    locationPath: claim.path,
    overrides: treatment.overrides ? { ...claim.overrides, ...treatment.overrides } : claim.overrides,
  }
}

function answersOf(
  { redirect, httpsRedirect, rewrite }: Pick<Treatment, "redirect" | "httpsRedirect" | "rewrite">,
  status: number | undefined,
): Partial<Route> {
  return {
    ...(status !== undefined && { status }),
    ...(redirect !== undefined && { redirect }),
    ...(httpsRedirect !== undefined && { httpsRedirect }),
    ...(rewrite !== undefined && rewriteFields(rewrite)),
  }
}

function rewriteFields({ to, isLogged, forwardedPrefix }: Rewrite): Partial<Route> {
  return {
    rewrite: to,
    ...(isLogged && { logsRewrite: true }),
    ...(forwardedPrefix !== undefined && { variables: { forwardedPrefix } }),
  }
}

function aboutBackend(claim: RouteClaim, fault: string): Problem {
  const outcome = claim.balancing.canary === undefined ? "requests get 503" : "it gets no requests"
  return claimProblem(claim, serviceField(claim), "backend-unusable", `${fault}; ${outcome}`)
}
