import { type AccessValues, unusable } from "../../annotations/values.ts"
import { closedAccess, openAccess, type RouteAccess } from "../parsed/route-access.ts"
import { globalGuards } from "./guards.ts"
import type { IngressContext } from "./ingress-context.ts"

/** Who may request the paths of one Ingress. */
export interface PathAccess {
  of(path: string): RouteAccess
}

const everybody: PathAccess = { of: () => openAccess }

/** What the Ingress says; where it does not, the ConfigMap. */
export function readAccess(values: AccessValues, context: IngressContext): PathAccess {
  const guards = globalGuards(values, context)
  const access = accessOf(values, context)
  if (guards.length === 0 && access === openAccess) return everybody
  return { of: (path) => (guards.some((guard) => guard.isFor(path)) ? closedAccess : access) }
}

/** Lists are not put together: the Ingress's own takes the place of the ConfigMap's (behaviour of ingress-nginx). */
function accessOf({ allow, deny, satisfy }: AccessValues, { settings }: IngressContext): RouteAccess {
  const allowed = allow ?? settings.allowedClients
  const denied = deny ?? settings.deniedClients
  if (allowed === unusable || denied === unusable) return closedAccess
  if (allowed === "closed" || denied === "closed") return closedAccess
  if (allowed === undefined && denied === undefined) return openAccess
  return {
    isClosed: false,
    ...(allowed && { allow: allowed }),
    ...(denied && { deny: denied }),
    ...(satisfy === "any" && { needsOneOnly: true }),
  }
}
