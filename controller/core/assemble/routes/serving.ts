import type { Policy } from "../../../model/policy.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import { isDenied, type ParsedRoute } from "../../declared/rule.ts"
import type { Target } from "../backends/resolved-backends.ts"

/** Without a reference: the default backend. */
export type FindTarget = (ref: BackendRef | undefined) => Target

/** What serves a route now. */
export interface Serving {
  readonly policy: Policy
  readonly backend: string
  /** answered at once instead of proxying */
  readonly status?: number
  /** it is not the route's own backend that serves */
  readonly isFallback?: true
  /** what the own backend's endpoints are called by TLS, where the Ingress does not say */
  readonly endpointName?: string
  /** who answers intercepted errors; absent: nginx itself */
  readonly errorBackend?: string
}

/** The route's own backend or the default one, or the fallback when that has no endpoints and the fallback has some. */
export function servingOf(route: ParsedRoute, targetOf: FindTarget): Serving {
  const { policies } = route.proxying
  const target = targetOf(route.backend)
  const { name, status } = target
  const policy = route.backend === undefined ? policies.onDefault : policies.own
  if (isDenied(route)) return { policy, backend: name, status: 503 }
  const byDefault = usable(targetOf(undefined))
  const fallback = usable(route.proxying.fallback && targetOf(route.proxying.fallback))
  const errors = errorBackendOf(route, fallback, byDefault)
  const errorBackend = errors === undefined ? {} : { errorBackend: errors }
  if (status === undefined) return { policy, backend: name, ...endpointName(route, target), ...errorBackend }
  if (route.backend === undefined || fallback === undefined || policies.onFallback === undefined)
    return { policy, backend: name, status, ...errorBackend }
  return { policy: policies.onFallback, backend: fallback, isFallback: true, ...errorBackend }
}

/** nginx's own name for them (behaviour of ingress-nginx): there may be certificates with it. */
const upstreamName = "upstream_balancer"

function endpointName(
  { backend, proxying: { wantsName } }: ParsedRoute,
  { externalName }: Target,
): Pick<Serving, "endpointName"> {
  if (wantsName === undefined || backend === undefined) return {}
  if (externalName !== undefined) return { endpointName: externalName }
  return wantsName === "to-verify" ? { endpointName: upstreamName } : {}
}

/** The target's name if it has endpoints. */
function usable(target: Target | undefined): string | undefined {
  return target?.status === undefined ? target?.name : undefined
}

function errorBackendOf(
  { proxying: { errorPages } }: ParsedRoute,
  fallback: string | undefined,
  byDefault: string | undefined,
): string | undefined {
  switch (errorPages) {
    case "none":
      return undefined
    case "default":
      return byDefault
    case "fallback":
      return fallback ?? byDefault
  }
  return errorPages satisfies never
}
