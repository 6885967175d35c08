import type { Host, Route } from "../../model/route.ts"
import { closedRoute } from "./closed-route.ts"
import { isNeeded } from "./held-back.ts"
import { byPlace, isNoWider, placeOf } from "./no-wider.ts"
import type { Refusal } from "./refusal.ts"
import { namedByRoutes } from "./wire-route.ts"

/** A host as far as it goes without what was refused. */
export interface WithoutLists {
  /** the same object where no route names one of them */
  readonly host: Host
  /** routes that should have been others, and are what they were */
  readonly kept: readonly Route[]
  /** routes whose requests get 503 */
  readonly closed: readonly Route[]
}

/** Ids of lists, certificates and authorities that were refused. */
export function listsIn(refusals: readonly Refusal[]): ReadonlySet<string> {
  return new Set(
    refusals.flatMap(({ item: { kind, verb, name } }) =>
      verb === "set" && isNeeded(kind) ? [String(name)] : [],
    ),
  )
}

/**
 * A route that names something which was refused is closed, unless what it was lets in nobody whom it would not. All other routes of the host are what
 * they should be.
 *
 * @param refused ids
 * @param before  the host in force
 */
export function withoutLists(
  host: Host,
  refused: ReadonlySet<string>,
  before: Host | undefined,
): WithoutLists {
  const inForce = byPlace(before ?? { routes: [] })
  const kept: Route[] = []
  const closed: Route[] = []
  const routes = host.routes.map((route) => {
    if (!namedByRoutes([route]).some((id) => refused.has(id))) return route
    const former = inForce.get(placeOf(route))
    const isSafe = former !== undefined && isNoWider(former, route)
    ;(isSafe && former.status === undefined ? kept : closed).push(route)
    return isSafe ? former : closedRoute(route)
  })
  const isWhole = kept.length + closed.length === 0
  return { host: isWhole ? host : { ...host, routes }, kept, closed }
}
