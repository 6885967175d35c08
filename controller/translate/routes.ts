import type { Problem } from "../model/problem.ts"
import type { Host, Route, RouteVariables } from "../model/route.ts"
import type { ResolvedBackend, Target } from "./backends.ts"
import type { BackendRef, RouteClaim } from "./claim.ts"
import { noDefaultBackend } from "./default-backend.ts"
import type { Demand } from "./demand.ts"
import type { HostDemand } from "./hosts.ts"
import { rememberedLast } from "./memo.ts"
import { placesOf, type RoutePlace } from "./places.ts"
import { claimProblem, serviceField } from "./problems.ts"
import type { Proxying } from "./proxying.ts"
import { type Serving, servingOf } from "./serving.ts"
import type { Treatment } from "./treatment.ts"

export interface Routing {
  readonly hosts: readonly Host[]
  /** what is wrong with the Services that claims name; once for each claim */
  readonly problems: readonly Problem[]
}

/** Without a reference: the default backend. */
type FindTarget = (ref: BackendRef | undefined) => Target

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
    return route(demand, (ref) => (ref && byKey.get(ref.key)) ?? everyOther)
  })
}

function route({ hosts, canaries }: Demand, targetOf: FindTarget): Routing {
  const faults = new Map<RouteClaim | Proxying, Problem>()
  const check = (claim: RouteClaim) => {
    const { fault } = targetOf(claim.backend)
    const { standIn } = claim.proxying
    const other = standIn && targetOf(standIn)
    if (other?.fault !== undefined) faults.set(claim.proxying, aboutStandIn(claim, other.fault))
    if (fault === undefined || claim.backend === undefined) return
    faults.set(claim, aboutBackend(claim, fault, other !== undefined && other.status === undefined))
  }
  for (const { routes } of hosts) routes.forEach(check)
  canaries.forEach(check)
  return { hosts: hosts.map((host) => hostOf(host, targetOf)), problems: [...faults.values()] }
}

function hostOf(demand: HostDemand, targetOf: FindTarget): Host {
  const targets = demand.routes.flatMap(({ backend, proxying: { standIn, errorPages } }) => [
    targetOf(backend),
    standIn && targetOf(standIn),
    errorPages === "none" ? undefined : targetOf(undefined),
  ])
  return lastHost(demand, targets, () => ({
    server: "main",
    host: demand.host,
    routes: placesOf(demand).map((place) => routeOf(place, servingOf(place.claim, targetOf))),
  }))
}

function routeOf(place: RoutePlace, { policy, backend, status, errorBackend }: Serving): Route {
  const { claim } = place
  const { treatment, proxying } = claim
  const answers: Answers = place.appRoot === undefined ? treatment : { redirect: place.appRoot }
  const variables = variablesOf(proxying, answers, errorBackend)
  return {
    path: place.path,
    match: place.match,
    policy: policy.name,
    backend,
    ...(status !== undefined && { status }),
    ...(!proxying.isDenied && answersOf(answers)),
    namespace: claim.namespace,
    ingressName: claim.ingressName,
    serviceName: claim.backend?.service ?? "",
    servicePort: claim.backend?.port ?? "",
    locationPath: claim.path,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(proxying.headers.length > 0 && { headers: proxying.headers }),
    overrides: treatment.overrides ? { ...proxying.overrides, ...treatment.overrides } : proxying.overrides,
  }
}

/** What becomes of a request before it is passed on. */
type Answers = Pick<Treatment, "redirect" | "httpsRedirect" | "rewrite">

function variablesOf(
  { variables }: Proxying,
  { rewrite }: Answers,
  errorBackend: string | undefined,
): RouteVariables {
  return {
    ...variables,
    ...(rewrite?.forwardedPrefix !== undefined && { forwardedPrefix: rewrite.forwardedPrefix }),
    ...(errorBackend !== undefined && { errorBackend }),
  }
}

function answersOf({ redirect, httpsRedirect, rewrite }: Answers): Partial<Route> {
  return {
    ...(redirect !== undefined && { redirect }),
    ...(httpsRedirect !== undefined && { httpsRedirect }),
    ...(rewrite !== undefined && { rewrite: rewrite.to }),
    ...(rewrite?.isLogged && { logsRewrite: true }),
  }
}

function aboutStandIn(claim: RouteClaim, fault: string): Problem {
  const message = `${fault}, as annotation "default-backend" asks; nothing stands in for backends without endpoints`
  return claimProblem(claim, "metadata.annotations", "stand-in-unusable", message)
}

function aboutBackend(claim: RouteClaim, fault: string, hasStandIn: boolean): Problem {
  const served = hasStandIn ? 'the Service of annotation "default-backend" answers' : "requests get 503"
  const outcome = claim.balancing.canary === undefined ? served : "it gets no requests"
  return claimProblem(claim, serviceField(claim), "backend-unusable", `${fault}; ${outcome}`)
}
