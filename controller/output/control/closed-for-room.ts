import { kinds } from "../../core/plan/kinds.ts"
import type { Live } from "../../model/model.ts"
import type { Host, Route } from "../../model/route.ts"
import { byPlace, placeOf } from "./no-wider.ts"

/** How many routes that should be served are answered 503, or are not there, as what is in force is not what is wanted. Aliases are not counted beside their host. */
export function closedForRoom(inForce: Live, wanted: Live): number {
  if (inForce === wanted) return 0
  const now = new Map(inForce.hosts.map((host) => [kinds.hosts.keyOf(host), host]))
  const closed = wanted.hosts.map((host) => closedRoutes(now.get(kinds.hosts.keyOf(host)), host))
  return closed.reduce((sum, count) => sum + count, 0)
}

function closedRoutes(now: Host | undefined, wanted: Host): number {
  if (now === wanted) return 0
  if (now === undefined || now.isClosed === true) return wanted.routes.length
  const former = byPlace(now)
  return wanted.routes.filter((route) => isClosed(former.get(placeOf(route)), route)).length
}

function isClosed(now: Route | undefined, wanted: Route): boolean {
  return now === undefined || (now.status === 503 && wanted.status !== 503)
}
