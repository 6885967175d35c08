import type { AccessValues } from "../../annotations/values.ts"
import { closedAccess, openAccess, type RouteAccess } from "../parsed/route-access.ts"
import { globalGuards } from "./guards.ts"
import type { IngressContext } from "./ingress-context.ts"

/** Who may request the paths of one Ingress. */
export interface PathAccess {
  of(path: string): RouteAccess
}

const everybody: PathAccess = { of: () => openAccess }

/** What the ConfigMap says where the Ingress itself does not. */
export function readAccess(values: AccessValues, context: IngressContext): PathAccess {
  const guards = globalGuards(values, context)
  if (guards.length === 0) return everybody
  return { of: (path) => (guards.some((guard) => guard.isFor(path)) ? closedAccess : openAccess) }
}
