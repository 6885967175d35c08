import type { Location } from "../../../model/location.ts"
import type { WeightedBackend } from "../../../model/route-records.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import { isDenied, type Rule, type WeightedBackendRef } from "../../declared/rule.ts"
import type { Target } from "../backends/resolved-backends.ts"

/** Without a reference: the default backend. */
export type FindTarget = (ref: BackendRef | undefined) => Target

/** What serves a rule now. */
export interface Serving {
  readonly location: Location
  readonly backend: string
  /** answered at once instead of proxying */
  readonly status?: number
  /** what takes the backend's place by weight */
  readonly split?: readonly WeightedBackend[]
  /** it is not the rule's own backend that serves */
  readonly isFallback?: true
  /** what the own backend's endpoints are called by TLS, where it is not said */
  readonly endpointName?: string
  /** who answers intercepted errors; absent: nginx itself */
  readonly errorBackend?: string
}

/** The rule's own backend or the default one, or the fallback when that has no endpoints and the fallback has some. */
export function servingOf(rule: Rule, targetOf: FindTarget): Serving {
  const { locations } = rule.proxying
  const target = targetOf(rule.backend)
  const { name, status } = answeredTarget(target, rule)
  const location = rule.backend === undefined ? locations.onDefault : locations.own
  if (isDenied(rule)) return { location, backend: name, status: 503 }
  if (rule.status !== undefined) return { location, backend: name, status: rule.status }
  if (rule.split !== undefined) return servingOfSplit(rule.split, rule, targetOf)
  const byDefault = usable(targetOf(undefined))
  const fallback = usable(rule.proxying.fallback && targetOf(rule.proxying.fallback.ref))
  const errors = errorBackendOf(rule, fallback, byDefault)
  const errorBackend = errors === undefined ? {} : { errorBackend: errors }
  if (status === undefined) return { location, backend: name, ...endpointName(rule, target), ...errorBackend }
  if (rule.backend === undefined || fallback === undefined || locations.onFallback === undefined)
    return { location, backend: name, status, ...errorBackend }
  return { location: locations.onFallback, backend: fallback, isFallback: true, ...errorBackend }
}

/** The first is named in the route; which one serves is drawn for each request. */
function servingOfSplit(all: readonly WeightedBackendRef[], rule: Rule, targetOf: FindTarget): Serving {
  const split = all.map((share): WeightedBackend => {
    const { ref, weight } = share
    const { name, status } = targetOfShare(share, rule, targetOf)
    const service = { serviceName: ref.service, servicePort: ref.port }
    return { weight, backend: name, ...service, ...(status !== undefined && { status }) }
  })
  const errors = errorBackendOf(rule, undefined, usable(targetOf(undefined)))
  return {
    location: rule.proxying.locations.own,
    backend: split[0]?.backend ?? targetOf(undefined).name,
    split,
    ...(errors !== undefined && { errorBackend: errors }),
  }
}

/** What may not be used has a name all the same: its requests are counted. */
function targetOfShare(
  { ref, status }: WeightedBackendRef,
  rule: Rule,
  targetOf: FindTarget,
): Pick<Target, "name" | "status"> {
  return status === undefined ? answeredTarget(targetOf(ref), rule) : { name: ref.shortName, status }
}

function answeredTarget(target: Target, { statusOfFault }: Rule): Pick<Target, "name" | "status"> {
  const status = target.fault === undefined ? target.status : (statusOfFault ?? target.status)
  return { name: target.name, ...(status !== undefined && { status }) }
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
