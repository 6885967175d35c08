import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import { ownPrefix } from "../options/conflicts.ts"
import type { BackendRef, IngressClaims, RouteClaim } from "./claim.ts"
import type { Owners } from "./deciders.ts"
import type { HostDemand } from "./hosts.ts"
import { getOrMake } from "./memo.ts"
import { claimProblem } from "./problems.ts"

// A canary has no host and no path of its own. Where it names a host and path of another Ingress, its backend may take the place of that
// one's backend, on every host and path that this backend serves.

export interface Canaries {
  /** the claims that are met */
  readonly claims: readonly RouteClaim[]
  /** key of a backend → what may take its place, in the order in which they are asked */
  readonly alternatives: ReadonlyMap<string, readonly BackendRef[]>
  /** key of a canary → key of the backend whose sessions it takes part in */
  readonly sessions: ReadonlyMap<string, string>
}

interface Draft {
  readonly claims: RouteClaim[]
  readonly alternatives: Map<string, RouteClaim[]>
  readonly sessions: Map<string, string>
}

/** A canary's claim as far as it can be met, and why it cannot. */
interface Wish {
  readonly claim: RouteClaim
  readonly backend: BackendRef
  /** where, for Problems */
  readonly where: string
  /** those who have this place */
  readonly holders: readonly RouteClaim[]
}

/** Finds for each canary the backends whose place it may take. Those without one are left out, each with a Problem. */
export function canariesOf(
  claims: readonly IngressClaims[],
  hosts: readonly HostDemand[],
  owners: Owners,
  problems: Problem[],
): Canaries {
  const draft: Draft = { claims: [], alternatives: new Map(), sessions: new Map() }
  for (const wish of wishesOf(claims, hosts)) {
    const fault = faultOf(wish, owners) ?? attach(draft, wish)
    if (fault === undefined) continue
    const message = `Cannot divert requests for ${wish.where}: ${fault}`
    problems.push(claimProblem(wish.claim, wish.claim.field, "canary-left-out", message))
  }
  return { ...draft, alternatives: mapValues(draft.alternatives, (claims) => claims.flatMap(backendsOf)) }
}

function wishesOf(claims: readonly IngressClaims[], hosts: readonly HostDemand[]): Wish[] {
  const canaries = claims.filter(({ root }) => root.balancing.canary !== undefined)
  if (canaries.length === 0) return []
  const byName = new Map(hosts.map((host) => [host.host, host.routes]))
  const wishes: Wish[] = []
  const add = (claim: RouteClaim, where: string, holders: readonly RouteClaim[]) => {
    if (claim.backend !== undefined) wishes.push({ claim, backend: claim.backend, where, holders })
  }
  for (const { root, rules } of canaries) {
    add(root, "every other host", byName.get("_") ?? [])
    for (const { host, routes } of rules) {
      const held = byName.get(host) ?? []
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
    return "no other Ingress sends them to a Service, under the same path type"
  }
  const service = `Service ${shown(backend.serviceKey)}`
  if (holders.some((holder) => holder.backend?.key === backend.key))
    return `${service} is where they go anyway`
  const owner = owners.get(backend.key)
  if (owner === undefined || owner.balancing.canary !== undefined) return undefined
  return `${service} is the backend of Ingress "${owner.namespace}/${owner.ingressName}", which is older and no canary`
}

/** @returns why it is not used at one of its places */
function attach(draft: Draft, { claim, backend, holders }: Wish): string | undefined {
  let fault: string | undefined
  for (const { backend: main } of holders) {
    if (main === undefined) continue
    const others = getOrMake(draft.alternatives, main.key, () => [])
    if (others.some((other) => other.backend?.key === backend.key)) continue
    const [first] = others
    if (first !== undefined && claim.balancing.canary?.isNWay !== true) {
      fault = `the canary of Ingress "${first.namespace}/${first.ingressName}" takes them already; to use both, annotate this one with ${ownPrefix}/canary-n-way: "true"`
      continue
    }
    others.push(claim)
    draft.claims.push(claim)
    const sharesSessions = claim.balancing.canary?.isSticky === true
    if (sharesSessions) getOrMake(draft.sessions, backend.key, () => main.key)
  }
  return fault
}

function backendsOf({ backend }: RouteClaim): BackendRef[] {
  return backend === undefined ? [] : [backend]
}

function mapValues<A, B>(map: ReadonlyMap<string, A>, convert: (value: A) => B): Map<string, B> {
  return new Map([...map].map(([key, value]) => [key, convert(value)]))
}
