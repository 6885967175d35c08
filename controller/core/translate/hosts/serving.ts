import type { Policy } from "../../../model/policy.ts"
import type { Target } from "../backends/backends.ts"
import type { BackendRef, RouteClaim } from "../ingress/claim.ts"

/** What serves a route now. */
export interface Serving {
  readonly policy: Policy
  readonly backend: string
  /** answered at once instead of proxying */
  readonly status?: number
  /** who answers intercepted errors; absent: nginx itself */
  readonly errorBackend?: string
}

/**
 * The route's own backend or the default one, or when that has no endpoints the one that stands in for it, if it has some.
 *
 * @param targetOf without a reference: the default backend
 */
export function servingOf(claim: RouteClaim, targetOf: (ref: BackendRef | undefined) => Target): Serving {
  const { policies, isDenied } = claim.proxying
  const { name, status } = targetOf(claim.backend)
  const policy = claim.backend === undefined ? policies.onDefault : policies.own
  if (isDenied) return { policy, backend: name, status: 503 }
  const fallback = targetOf(undefined)
  const standIn = claim.proxying.standIn && targetOf(claim.proxying.standIn)
  const errors = errorBackendOf(claim, usable(standIn), usable(fallback))
  const errorBackend = errors === undefined ? {} : { errorBackend: errors }
  if (status === undefined) return { policy, backend: name, ...errorBackend }
  const stands = claim.backend === undefined ? undefined : usable(standIn)
  if (stands === undefined || policies.onStandIn === undefined)
    return { policy, backend: name, status, ...errorBackend }
  return { policy: policies.onStandIn, backend: stands, ...errorBackend }
}

/** The target's name if it has endpoints. */
function usable(target: Target | undefined): string | undefined {
  return target?.status === undefined ? target?.name : undefined
}

function errorBackendOf(
  { proxying: { errorPages } }: RouteClaim,
  standIn: string | undefined,
  fallback: string | undefined,
): string | undefined {
  switch (errorPages) {
    case "none":
      return undefined
    case "default":
      return fallback
    case "stand-in":
      return standIn ?? fallback
  }
  return errorPages satisfies never
}
