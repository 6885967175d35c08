import assert from "node:assert/strict"
import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import type { IngressClaims, RouteClaim, RuleClaim } from "./claim.ts"
import type { Owners } from "./deciders.ts"
import { unclaimedRoot } from "./default-backend.ts"
import { getOrMake, sameItems } from "./memo.ts"
import { byteOrder } from "./order.ts"
import { claimProblem } from "./problems.ts"
import { withoutCanaries } from "./without-canaries.ts"

export interface HostDemand {
  readonly host: string
  /** by key */
  readonly routes: readonly RouteClaim[]
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
export function hostsOf(
  claims: readonly IngressClaims[],
  owners: Owners,
  problems: Problem[],
): readonly HostDemand[] {
  const drafts = new Map<string, HostDraft>([["_", { host: "_", root: unclaimedRoot, routes: new Map() }]])
  const mains = withoutCanaries(claims, owners, problems)
  for (const claim of mains) addCatchAll(drafts, claim, problems)
  for (const claim of mains) for (const rule of claim.rules) addRule(drafts, claim, rule, problems)
  return [...drafts.values()].map(hostDemand).sort((a, b) => byteOrder(a.host, b.host))
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
  const all = [...routes.values()]
  if (!routes.has(root.key)) all.push(root)
  all.sort((a, b) => byteOrder(a.key, b.key))
  return sameAsBefore(host, all)
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
