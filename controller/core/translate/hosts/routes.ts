import type { Problem } from "../../../model/problem.ts"
import type { Host, Route, RouteVariables } from "../../../model/route.ts"
import { rememberedLast } from "../../../support/incremental/last-result.ts"
import { MappedList } from "../../../support/incremental/mapped-list.ts"
import { byText } from "../../../support/order.ts"
import type { ResolvedBackend, Target } from "../backends/backends.ts"
import { noDefaultBackend } from "../backends/default-backend.ts"
import type { Demand } from "../demand.ts"
import type { BackendRef, RouteClaim } from "../ingress/claim.ts"
import type { Proxying } from "../ingress/proxying.ts"
import type { Treatment } from "../ingress/treatment.ts"
import { claimProblem, serviceField } from "../problems.ts"
import type { HostTls } from "../tls/host-tls.ts"
import type { HostDemand } from "./hosts.ts"
import { placesOf, type RoutePlace } from "./places.ts"
import { type Serving, servingOf } from "./serving.ts"

export interface Routing {
  readonly hosts: readonly Host[]
  /** what is wrong with the Services that claims name; once for each claim */
  readonly problems: readonly Problem[]
}

/** Without a reference: the default backend. */
type FindTarget = (ref: BackendRef | undefined) => Target

/** What somebody's Services are said to lack, and who says it: a claim, or what all claims of an Ingress share. */
type Fault = readonly [RouteClaim | Proxying, Problem]

interface RoutedHost {
  readonly host: Host
  /** what it was made with */
  readonly tls: HostTls
  readonly faults: readonly Fault[]
}

const noFaults: readonly Fault[] = []

/** Leads every claim to its backend. Kept from pass to pass: a host is the same object as long as its demand and all its targets are. */
export class Routes {
  readonly #byKey = new Map<string, Target>()
  readonly #hosts = new MappedList<HostDemand, RoutedHost>(byText(({ host }) => host))
  #everyOther: Target = noDefaultBackend
  #backends: Demand["backends"] = []
  #resolved: readonly ResolvedBackend[] = []
  #last: { readonly demand: Demand; readonly routing: Routing } | undefined

  /**
   * @param resolved what `demand.backends` are in this snapshot, in the same order
   * @param fallback the default backend; absent when there is none
   */
  update(
    demand: Demand,
    resolved: readonly ResolvedBackend[],
    fallback: ResolvedBackend | undefined,
  ): Routing {
    const everyOther = fallback?.target ?? noDefaultBackend
    const moved = this.#note(demand, resolved)
    if (everyOther !== this.#everyOther) moved.add(everyOther)
    this.#everyOther = everyOther
    if (moved.size === 0 && demand === this.#last?.demand) return this.#last.routing
    const routing = this.#route(demand, moved)
    this.#last = { demand, routing }
    return routing
  }

  #route(demand: Demand, moved: ReadonlySet<Target>): Routing {
    const everyOther = this.#everyOther
    const targetOf: FindTarget = (ref) => (ref && this.#byKey.get(ref.key)) ?? everyOther
    const routed = this.#hosts.map(demand.hosts, (host, before) => {
      const tls = demand.tls.of(host.host)
      const isSame = before?.tls === tls && (moved.size === 0 || !isConcerned(host, moved, targetOf))
      return isSame ? before : routedHost(host, tls, targetOf)
    })
    return { hosts: hostsOf(routed), problems: problemsOf(routed, demand.canaries, targetOf) }
  }

  /** @returns the targets that are not those of the pass before */
  #note({ backends }: Demand, resolved: readonly ResolvedBackend[]): Set<Target> {
    const moved = new Set<Target>()
    const before = backends === this.#backends ? this.#resolved : []
    // of backends that are gone
    if (backends !== this.#backends && this.#byKey.size > 2 * backends.length) this.#byKey.clear()
    this.#backends = backends
    this.#resolved = resolved
    for (const [at, one] of resolved.entries()) {
      const key = backends[at]?.ref.key
      if (one === before[at] || key === undefined || this.#byKey.get(key) === one.target) continue
      this.#byKey.set(key, one.target)
      moved.add(one.target)
    }
    return moved
  }
}

function isConcerned(
  { routes, clients }: HostDemand,
  moved: ReadonlySet<Target>,
  targetOf: FindTarget,
): boolean {
  const claims = clients?.kind === "nobody" ? [...routes, clients.root] : routes
  return claims.some(({ backend, proxying: { standIn, errorPages } }) => {
    if (moved.has(targetOf(backend))) return true
    if (errorPages !== "none" && moved.has(targetOf(undefined))) return true
    return standIn !== undefined && moved.has(targetOf(standIn))
  })
}

const lastHosts = rememberedLast<readonly RoutedHost[], readonly Host[]>()

function hostsOf(routed: readonly RoutedHost[]): readonly Host[] {
  return lastHosts(routed, [], () => routed.map(({ host }) => host))
}

/** What is wrong with the Services that claims name; once for each claim. */
function problemsOf(
  routed: readonly RoutedHost[],
  canaries: readonly RouteClaim[],
  targetOf: FindTarget,
): readonly Problem[] {
  const faults = new Map<Fault[0], Problem>()
  for (const host of routed) for (const [by, problem] of host.faults) faults.set(by, problem)
  for (const [by, problem] of canaries.flatMap((claim) => faultsOf(claim, targetOf))) faults.set(by, problem)
  return [...faults.values()]
}

function faultsOf(claim: RouteClaim, targetOf: FindTarget): readonly Fault[] {
  const { fault } = targetOf(claim.backend)
  const { standIn } = claim.proxying
  const other = standIn && targetOf(standIn)
  const faults: Fault[] = []
  if (other?.fault !== undefined) faults.push([claim.proxying, aboutStandIn(claim, other.fault)])
  if (fault !== undefined && claim.backend !== undefined) {
    const isServed = other !== undefined && other.status === undefined
    faults.push([claim, aboutBackend(claim, fault, isServed)])
  }
  return faults.length === 0 ? noFaults : faults
}

function routedHost(demand: HostDemand, tls: HostTls, targetOf: FindTarget): RoutedHost {
  const faults = demand.routes.flatMap((claim) => faultsOf(claim, targetOf))
  return { host: hostOf(demand, tls, targetOf), tls, faults: faults.length === 0 ? noFaults : faults }
}

function hostOf(demand: HostDemand, tls: HostTls, targetOf: FindTarget): Host {
  const { host, clients } = demand
  const server = "main"
  if (clients?.kind === "nobody") return { server, host, routes: [closedRoute(clients.root, tls, targetOf)] }
  const routes = placesOf(demand).map((place) => routeOf(place, servingOf(place.claim, targetOf), tls))
  return { server, host, routes, ...(clients && { clientCertificate: clients.certificate }) }
}

/** Takes the place of all routes of a host: none of them may be reached, by whatever path. */
function closedRoute(claim: RouteClaim, tls: HostTls, targetOf: FindTarget): Route {
  const closed = { ...servingOf(claim, targetOf), status: 403 }
  return routeOf({ claim, path: claim.path, match: claim.match }, closed, tls)
}

function routeOf(
  place: RoutePlace,
  { policy, backend, status, errorBackend }: Serving,
  { isCertified }: HostTls,
): Route {
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
    ...(!proxying.isDenied && answersOf(answers, isCertified)),
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

function answersOf({ redirect, httpsRedirect, rewrite }: Answers, isCertified: boolean): Partial<Route> {
  const isSent = httpsRedirect !== undefined && (isCertified || !httpsRedirect.needsCertificate)
  return {
    ...(redirect !== undefined && { redirect }),
    ...(isSent && { httpsRedirect: httpsRedirect.redirect }),
    ...(rewrite !== undefined && { rewrite: rewrite.to }),
    ...(rewrite?.isLogged && { logsRewrite: true }),
  }
}

function aboutStandIn(claim: RouteClaim, fault: string): Problem {
  const message = `${fault}, as annotation "default-backend" asks; nothing stands in for backends without endpoints`
  return claimProblem(claim, claim.proxying.standInField ?? "metadata", "stand-in-unusable", message)
}

function aboutBackend(claim: RouteClaim, fault: string, hasStandIn: boolean): Problem {
  const served = hasStandIn ? 'the Service of annotation "default-backend" answers' : "requests get 503"
  const outcome = claim.balancing.canary === undefined ? served : "it gets no requests"
  return claimProblem(claim, serviceField(claim), "backend-unusable", `${fault}; ${outcome}`)
}
