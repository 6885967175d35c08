import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { getOrMake } from "../../../support/maps.ts"
import { ownPrefix } from "../../options/conflicts.ts"
import type { HostDemand } from "../hosts/hosts.ts"
import type { BackendRef, IngressClaims, RouteClaim } from "../ingress/claim.ts"
import { claimProblem } from "../problems.ts"
import type { Owners } from "./deciders.ts"

// A canary has no host and no path of its own. Where it names a host and path of another Ingress, its backend may take the place of that
// one's backend, on every host and path that this backend serves.

export interface Canaries {
  /** the claims that are met */
  readonly claims: readonly RouteClaim[]
  /** key of a backend → what may take its place, in the order in which they are asked */
  readonly alternatives: ReadonlyMap<string, readonly Alternative[]>
  /** key of a canary → key of the backend whose sessions it takes part in */
  readonly sessions: ReadonlyMap<string, string>
}

/** A canary's claim and the backend that it brings. */
export interface Alternative {
  readonly claim: RouteClaim
  readonly backend: BackendRef
}

/** What is asked for, before it is known whether it can be met. */
interface Wish extends Alternative {
  /** where, for Problems */
  readonly where: string
  /** those who have this place */
  readonly holders: readonly RouteClaim[]
}

type FindHost = (host: string) => HostDemand | undefined

interface Draft extends Canaries {
  readonly claims: RouteClaim[]
  readonly alternatives: Map<string, Alternative[]>
  readonly sessions: Map<string, string>
}

/**
 * Finds for each canary the backends whose place it may take. Those without one are left out, each with a Problem.
 *
 * @param claims of canaries only, the oldest first
 * @param findHost among those that rules name
 */
export function canariesOf(
  claims: readonly IngressClaims[],
  findHost: FindHost,
  owners: Owners,
  problems: Problem[],
): Canaries {
  const draft: Draft = { claims: [], alternatives: new Map(), sessions: new Map() }
  for (const wish of wishesOf(claims, findHost)) {
    const fault = faultOf(wish, owners) ?? attach(draft, wish)
    if (fault === undefined) continue
    const message = `Cannot divert requests for ${wish.where}: ${fault}`
    problems.push(claimProblem(wish.claim, wish.claim.field, "canary-left-out", message))
  }
  return draft
}

function wishesOf(canaries: readonly IngressClaims[], findHost: FindHost): Wish[] {
  const wishes: Wish[] = []
  const add = (claim: RouteClaim, where: string, holders: readonly RouteClaim[]) => {
    if (claim.backend !== undefined) wishes.push({ claim, backend: claim.backend, where, holders })
  }
  for (const { root, rules } of canaries) {
    add(root, "every other host", findHost("_")?.routes ?? [])
    for (const { host, routes } of rules) {
      const held = findHost(host)?.routes ?? []
      for (const route of routes) {
        add(
          route,
          placeOf(route, host),
          held.filter(({ key }) => key === route.key),
        )
      }
    }
  }
  return wishes
}

function placeOf({ path }: RouteClaim, host: string): string {
  return `path ${shown(path)} of ${host === "_" ? "every other host" : `host ${shown(host)}`}`
}

function faultOf({ backend, holders }: Wish, owners: Owners): string | undefined {
  if (!holders.some((holder) => holder.backend !== undefined)) {
    return "no other Ingress sends them to a Service; write one with the same host, path and path type"
  }
  const service = `Service ${shown(backend.serviceKey)}`
  if (holders.some((holder) => holder.backend?.key === backend.key))
    return `${service} is where they go anyway; name another Service`
  const owner = owners.get(backend.key)
  if (owner === undefined || owner.balancing.canary !== undefined) return undefined
  return `${service} is the backend of Ingress "${owner.namespace}/${owner.ingressName}", which is older and no canary; name another Service`
}

/** @returns why it is not used at one of its places */
function attach(draft: Draft, { claim, backend, holders }: Wish): string | undefined {
  const mains = holders.flatMap((holder) => holder.backend ?? [])
  const faults = mains.map((main) => attachTo(main, draft, { claim, backend }))
  return faults.find((fault) => fault !== undefined)
}

function attachTo({ key }: BackendRef, draft: Draft, { claim, backend }: Alternative): string | undefined {
  const others = getOrMake(draft.alternatives, key, () => [])
  if (others.some((other) => other.backend.key === backend.key)) return undefined
  const [first] = others
  if (first !== undefined && claim.balancing.canary?.isNWay !== true) {
    const { namespace, ingressName } = first.claim
    return `the canary of Ingress "${namespace}/${ingressName}" takes them already; to use both, annotate this one with ${ownPrefix}/canary-n-way: "true"`
  }
  others.push({ claim, backend })
  draft.claims.push(claim)
  if (claim.balancing.canary?.isSticky === true) getOrMake(draft.sessions, backend.key, () => key)
  return undefined
}
