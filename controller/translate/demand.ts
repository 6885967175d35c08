import type { Policy } from "../model/policy.ts"
import type { Problem } from "../model/problem.ts"
import type { SecretFile } from "../model/secret-file.ts"
import type { Snapshot } from "../store/snapshot.ts"
import { type Canaries, canariesOf } from "./canaries.ts"
import type { IngressClaims, RouteClaim } from "./claim.ts"
import { claimsOf } from "./claims.ts"
import type { Context } from "./context.ts"
import { overruled, ownersOf, sessionsOf } from "./deciders.ts"
import { type HostDemand, hostsOf } from "./hosts.ts"
import { rememberedLast } from "./memo.ts"
import { type NamedBackend, nameBackends } from "./named.ts"
import { byPrecedence } from "./order.ts"
import { distinctFiles, distinctPolicies } from "./policies.ts"

/** What all Ingresses together ask for, with conflicts settled. Depends on no Service and no endpoint, so it outlives their changes. */
export interface Demand {
  /** by name, each with its `/`; `_` is always there */
  readonly hosts: readonly HostDemand[]
  /** the canaries among the claims that are met: no host has them, but their backends are used */
  readonly canaries: readonly RouteClaim[]
  readonly backends: readonly NamedBackend[]
  readonly policies: readonly Policy[]
  readonly files: readonly SecretFile[]
  readonly problems: readonly Problem[]
}

/** Puts the claims of all Ingresses together, the older before the younger (behaviour of ingress-nginx). */
export function demandOf(snapshot: Snapshot, context: Context): Demand {
  const claims = claimsOfAll(snapshot, context)
  return lastDemand(context, claims, () => settled(claims))
}

const lastDemand = rememberedLast<Context, Demand>()
const lastClaims = rememberedLast<Context, readonly IngressClaims[]>()

/** The oldest first. */
function claimsOfAll(snapshot: Snapshot, context: Context): readonly IngressClaims[] {
  const { ingresses, configMaps, secrets } = snapshot
  return lastClaims(context, [ingresses, configMaps, secrets], () =>
    byPrecedence(ingresses).map((ingress) => claimsOf(ingress, context, snapshot)),
  )
}

function settled(claims: readonly IngressClaims[]): Demand {
  const problems = claims.flatMap((claim) => claim.problems)
  const owners = ownersOf(claims)
  const { own, all: hosts } = hostsOf(claims, owners, problems)
  const canaries = canariesOf(claims, own, owners, problems)
  const served = hosts.flatMap((host) => host.routes)
  const used = oldestFirst(claims, hosts, canaries)
  const sessions = sessionsOf(used, hosts)
  problems.push(...overruled(claims, owners, sessions))
  return {
    hosts,
    canaries: canaries.claims,
    backends: nameBackends(used, { owners, sessions, canaries }),
    policies: distinctPolicies(served),
    files: distinctFiles(served),
    problems,
  }
}

/** The claims that are met. */
function oldestFirst(
  claims: readonly IngressClaims[],
  hosts: readonly HostDemand[],
  canaries: Canaries,
): RouteClaim[] {
  const used = new Set(canaries.claims)
  for (const { routes } of hosts) for (const route of routes) used.add(route)
  const found: RouteClaim[] = []
  for (const { root, rules } of claims) {
    if (used.has(root)) found.push(root)
    for (const { routes } of rules) for (const route of routes) if (used.has(route)) found.push(route)
  }
  return found
}
