import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { IngressClaims, RouteClaim } from "../ingress/claim.ts"
import type { ClientWish } from "../ingress/client-certificates.ts"
import { claimProblem } from "../problems.ts"
import { settleClients } from "../tls/clients.ts"
import { type CanaryOwner, withoutCanaries } from "./without-canaries.ts"

export interface HostDemand {
  readonly host: string
  /** its `/` first, then the older before the younger */
  readonly routes: readonly RouteClaim[]
  /** what clients have to show; absent: nothing */
  readonly clients?: ClientWish
}

/** What is settled about one host. */
export interface SettledHost {
  readonly demand: HostDemand
  /** the demand's routes */
  readonly met: ReadonlySet<RouteClaim>
  readonly problems: readonly Problem[]
}

interface Draft {
  readonly host: string
  /** answers `/` unless `routes` has a prefix `/` of its own; absent: nobody mentioned the host so far */
  root?: RouteClaim
  readonly routes: Map<string, RouteClaim>
  readonly problems: Problem[]
}

/**
 * Settles who has which path of a host, the older Ingress before the younger (behaviour of ingress-nginx): the first that mentions the host
 * gives it its `/`, the first claim on a path and match wins, and on `_` catch-alls come before rules without host.
 *
 * @param claims    of the Ingresses that mention the host, the oldest first
 * @param unclaimed the `/` of `_` as long as no Ingress claims it
 * @returns undefined when nobody mentions the host
 */
export function settleHost(
  host: string,
  claims: readonly IngressClaims[],
  ownerOf: CanaryOwner,
  unclaimed: RouteClaim,
): SettledHost | undefined {
  const draft: Draft = { host, routes: new Map(), problems: [] }
  const mains = claims.filter(({ root }) => root.balancing.canary === undefined)
  for (const claim of mains) if (claim.isCatchAll) addCatchAll(draft, claim, ownerOf)
  const isCaught = draft.root !== undefined
  if (host === "_") draft.root ??= unclaimed
  for (const claim of mains) if (!claim.isCatchAll) addRules(draft, claim, ownerOf, isCaught)
  const { root, routes, problems } = draft
  if (root === undefined) return undefined
  const first = routes.get(root.key) ?? root
  const met = new Set([first, ...routes.values()])
  // of `_`, which is there in any case: a canary alone has nothing to say
  const clients = mains.length === 0 ? undefined : settleClients(host, claims, problems)
  return { demand: { host, routes: [...met], ...(clients && { clients }) }, met, problems }
}

function addCatchAll(draft: Draft, claims: IngressClaims, ownerOf: CanaryOwner): void {
  const { root } = withoutCanaries(claims, draft.host, ownerOf, draft.problems)
  if (root !== claims.root) return
  if (draft.root === undefined) draft.root = root
  else draft.problems.push(conflict(root, draft.host, draft.root))
}

/** @param isCaught a catch-all has the host's `/`, which otherwise is there to be replaced */
function addRules(draft: Draft, claims: IngressClaims, ownerOf: CanaryOwner, isCaught: boolean): void {
  const { root, routes } = withoutCanaries(claims, draft.host, ownerOf, draft.problems)
  draft.root ??= root
  for (const route of routes) {
    const winner = isCaught && route.key === draft.root.key ? draft.root : draft.routes.get(route.key)
    if (winner === undefined) draft.routes.set(route.key, route)
    else draft.problems.push(conflict(route, draft.host, winner))
  }
}

function conflict(loser: RouteClaim, host: string, winner: RouteClaim): Problem {
  const where = host === "_" ? "every other host" : `host ${shown(host)}`
  const other = `${winner.namespace}/${winner.ingressName}`
  const isSelf = other === `${loser.namespace}/${loser.ingressName}`
  const message = `Cannot serve path ${shown(loser.path)} of ${where}: ${isSelf ? "an earlier rule of the Ingress" : `Ingress "${other}"`} has it already`
  return claimProblem(loser, loser.field, "path-taken", message)
}
