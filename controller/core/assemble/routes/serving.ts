import type { Policy } from "../../../model/policy.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import { isDenied, type Rule } from "../../declared/rule.ts"
import type { Target } from "../backends/resolved-backends.ts"

/** Without a reference: the default backend. */
export type FindTarget = (ref: BackendRef | undefined) => Target

/** What serves a rule now. */
export interface Serving {
  readonly policy: Policy
  readonly backend: string
  /** answered at once instead of proxying */
  readonly status?: number
  /** it is not the rule's own backend that serves */
  readonly isFallback?: true
  /** what the own backend's endpoints are called by TLS, where it is not said */
  readonly endpointName?: string
  /** who answers intercepted errors; absent: nginx itself */
  readonly errorBackend?: string
}

/** The rule's own backend or the default one, or the fallback when that has no endpoints and the fallback has some. */
export function servingOf(rule: Rule, targetOf: FindTarget): Serving {
  const { policies } = rule.proxying
  const target = targetOf(rule.backend)
  const { name, status } = target
  const policy = rule.backend === undefined ? policies.onDefault : policies.own
  if (isDenied(rule)) return { policy, backend: name, status: 503 }
  const byDefault = usable(targetOf(undefined))
  const fallback = usable(rule.proxying.fallback && targetOf(rule.proxying.fallback.ref))
  const errors = errorBackendOf(rule, fallback, byDefault)
  const errorBackend = errors === undefined ? {} : { errorBackend: errors }
  if (status === undefined) return { policy, backend: name, ...endpointName(rule, target), ...errorBackend }
  if (rule.backend === undefined || fallback === undefined || policies.onFallback === undefined)
    return { policy, backend: name, status, ...errorBackend }
  return { policy: policies.onFallback, backend: fallback, isFallback: true, ...errorBackend }
}

/** nginx's own name for them (behaviour of ingress-nginx): there may be certificates with it. */
const upstreamName = "upstream_balancer"

function endpointName(
  { backend, proxying: { wantsName } }: Rule,
  { externalName }: Target,
): Pick<Serving, "endpointName"> {
  if (wantsName === undefined || backend === undefined) return {}
  if (externalName !== undefined) return { endpointName: externalName }
  return wantsName.purpose === "to-verify" ? { endpointName: upstreamName } : {}
}

/** The target's name if it has endpoints. */
function usable(target: Target | undefined): string | undefined {
  return target?.status === undefined ? target?.name : undefined
}

function errorBackendOf(
  { proxying: { errorPages } }: Rule,
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
