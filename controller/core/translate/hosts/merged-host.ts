import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { ClientValidation } from "../parsed/client-validation.ts"
import { isCanary, type ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import { hostText, routeProblem } from "../problems.ts"
import { mergeClientValidation } from "./merge-client-validation.ts"
import { type CanaryOwner, withoutCanaries } from "./without-canaries.ts"

/** What all Ingresses together say about one host. */
export interface MergedHost {
  readonly host: string
  /** its `/` first, then the older before the younger */
  readonly routes: readonly ParsedRoute[]
  /** what clients have to show; absent: nothing */
  readonly clients?: ClientValidation
}

/** One host as it is merged. */
export interface SettledHost {
  readonly merged: MergedHost
  /** its routes */
  readonly accepted: ReadonlySet<ParsedRoute>
  readonly problems: readonly Problem[]
}

interface Draft {
  readonly host: string
  /** answers `/` unless `routes` has a prefix `/` of its own; absent: nobody mentioned the host so far */
  root?: ParsedRoute
  readonly routes: Map<string, ParsedRoute>
  readonly problems: Problem[]
}

/**
 * Who has which path of a host, the older Ingress before the younger (behaviour of ingress-nginx): the first that mentions the host
 * gives it its `/`, the first route with a path and match wins, and on `_` catch-alls come before rules without host.
 *
 * @param ingresses    that mention the host, the oldest first
 * @param implicitRoot the `/` of `_` as long as no Ingress declares it
 * @returns undefined when nobody mentions the host
 */
export function mergeHost(
  host: string,
  ingresses: readonly ParsedIngress[],
  ownerOf: CanaryOwner,
  implicitRoot: ParsedRoute,
): SettledHost | undefined {
  const draft: Draft = { host, routes: new Map(), problems: [] }
  const mains = ingresses.filter((ingress) => !isCanary(ingress))
  for (const ingress of mains) if (ingress.isCatchAll) addCatchAll(draft, ingress, ownerOf)
  const isCaught = draft.root !== undefined
  if (host === "_") draft.root ??= implicitRoot
  for (const ingress of mains) if (!ingress.isCatchAll) addRules(draft, ingress, ownerOf, isCaught)
  const { root, routes, problems } = draft
  if (root === undefined) return undefined
  const first = routes.get(root.key) ?? root
  const accepted = new Set([first, ...routes.values()])
  // `_` is always there: a canary alone decides nothing about its clients.
  const clients = mains.length === 0 ? undefined : mergeClientValidation(host, ingresses, problems)
  return { merged: { host, routes: [...accepted], ...(clients && { clients }) }, accepted, problems }
}

function addCatchAll(draft: Draft, ingress: ParsedIngress, ownerOf: CanaryOwner): void {
  const { root } = withoutCanaries(ingress, draft.host, ownerOf, draft.problems)
  if (root !== ingress.root) return
  if (draft.root === undefined) draft.root = root
  else draft.problems.push(conflict(root, draft.host, draft.root))
}

/** @param isCaught a catch-all has the host's `/`; otherwise a rule may replace it */
function addRules(draft: Draft, ingress: ParsedIngress, ownerOf: CanaryOwner, isCaught: boolean): void {
  const { root, routes } = withoutCanaries(ingress, draft.host, ownerOf, draft.problems)
  draft.root ??= root
  for (const route of routes) {
    const winner = isCaught && route.key === draft.root.key ? draft.root : draft.routes.get(route.key)
    if (winner === undefined) draft.routes.set(route.key, route)
    else draft.problems.push(conflict(route, draft.host, winner))
  }
}

function conflict(loser: ParsedRoute, host: string, winner: ParsedRoute): Problem {
  const other = `${winner.namespace}/${winner.ingressName}`
  const isSelf = other === `${loser.namespace}/${loser.ingressName}`
  const message = `Cannot serve path ${shown(loser.path)} of ${hostText(host)}: ${isSelf ? "an earlier rule of the Ingress" : `Ingress "${other}"`} has it already`
  return routeProblem(loser, loser.field, "path-taken", message)
}
