import assert from "node:assert/strict"
import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import type { IngressClaims, RouteClaim, RuleClaim } from "./claim.ts"
import type { Owners } from "./deciders.ts"
import { unclaimedRoot } from "./default-backend.ts"
import { getOrMake, sameItems } from "./memo.ts"
import { byteOrder } from "./order.ts"
import { type OtherName, otherNamesOf } from "./other-names.ts"
import { claimProblem } from "./problems.ts"
import { withoutCanaries } from "./without-canaries.ts"

export interface HostDemand {
  readonly host: string
  /** its `/` first, then the older before the younger */
  readonly routes: readonly RouteClaim[]
}

export interface Hosts {
  /** those that rules name, and `_`; by name */
  readonly own: readonly HostDemand[]
  /** these and all under other names; by name */
  readonly all: readonly HostDemand[]
}

interface HostDraft {
  readonly host: string
  /** answers `/` unless `routes` has a prefix `/` of its own */
  root: RouteClaim
  readonly routes: Map<string, RouteClaim>
}

/**
 * Settles who has which host and path, the older Ingress before the younger (behaviour of ingress-nginx): the first that mentions a host
 * gives it its `/`, the first claim on a host, path and match wins, and catch-alls come before rules without host. Canaries have none.
 */
export function hostsOf(claims: readonly IngressClaims[], owners: Owners, problems: Problem[]): Hosts {
  const drafts = new Map<string, HostDraft>([["_", { host: "_", root: unclaimedRoot, routes: new Map() }]])
  const mains = withoutCanaries(claims, owners, problems)
  for (const claim of mains) addCatchAll(drafts, claim, problems)
  for (const claim of mains) for (const rule of claim.rules) addRule(drafts, claim, rule, problems)
  const own = new Map([...drafts].map(([host, draft]) => [host, hostDemand(draft)]))
  const others = otherNamesOf(mains, (name) => own.has(name), problems)
  const all = [...own.values(), ...[...others].map(([name, other]) => otherDemand(name, other, own))]
  return { own: inOrder([...own.values()]), all: inOrder(all) }
}

function inOrder(hosts: readonly HostDemand[]): readonly HostDemand[] {
  return [...hosts].sort((a, b) => byteOrder(a.host, b.host))
}

function addCatchAll(drafts: Map<string, HostDraft>, claim: IngressClaims, problems: Problem[]): void {
  const everyOther = drafts.get("_")
  if (!claim.isCatchAll || everyOther === undefined) return
  if (everyOther.root === unclaimedRoot) everyOther.root = claim.root
  else problems.push(conflict(claim.root, "_", everyOther.root))
}

function addRule(
  drafts: Map<string, HostDraft>,
  claim: IngressClaims,
  rule: RuleClaim,
  problems: Problem[],
): void {
  const draft = getOrMake(drafts, rule.host, () => ({ host: rule.host, root: claim.root, routes: new Map() }))
  for (const route of rule.routes) {
    const winner = holderOf(draft, route)
    if (winner === undefined) draft.routes.set(route.key, route)
    else problems.push(conflict(route, rule.host, winner))
  }
}

/** Who has this path already. The `/` of a host is there to be replaced, except that of a catch-all. */
function holderOf({ host, root, routes }: HostDraft, route: RouteClaim): RouteClaim | undefined {
  const isRoot = host === "_" && root !== unclaimedRoot && route.key === root.key
  return isRoot ? root : routes.get(route.key)
}

function conflict(loser: RouteClaim, host: string, winner: RouteClaim): Problem {
  const where = host === "_" ? "every other host" : `host ${shown(host)}`
  const other = `${winner.namespace}/${winner.ingressName}`
  const isSelf = other === `${loser.namespace}/${loser.ingressName}`
  const message = `Cannot serve path ${shown(loser.path)} of ${where}: ${isSelf ? "an earlier rule of the Ingress" : `Ingress "${other}"`} has it already`
  return claimProblem(loser, loser.field, "path-taken", message)
}

function hostDemand({ host, root, routes }: HostDraft): HostDemand {
  const first = routes.get(root.key) ?? root
  return sameAsBefore(host, [first, ...[...routes.values()].filter((route) => route !== first)])
}

function otherDemand(name: string, other: OtherName, own: ReadonlyMap<string, HostDemand>): HostDemand {
  const routes = other.kind === "redirect" ? [other.root] : own.get(other.of)?.routes
  assert(routes !== undefined, "an alias is that of a host with rules")
  return sameAsBefore(name, routes)
}

const demands = new WeakMap<RouteClaim, Map<string, HostDemand>>()

/** Gives back the object of an earlier pass if it says the same, so that what was computed from it can be used again. */
function sameAsBefore(host: string, routes: readonly RouteClaim[]): HostDemand {
  const [first] = routes
  assert(first !== undefined, "a host has at least its root")
  const byHost = getOrMake(demands, first, () => new Map())
  const known = byHost.get(host)
  if (known !== undefined && sameItems(known.routes, routes)) return known
  const demand = { host, routes }
  byHost.set(host, demand)
  return demand
}
