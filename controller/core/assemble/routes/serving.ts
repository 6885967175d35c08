import type { Location } from "../../../model/location.ts"
import type { RouteVariables } from "../../../model/route.ts"
import type { Actions, BackendTls, WeightedBackend } from "../../../model/route-records.ts"
import type { BackendActions } from "../../declared/actions.ts"
import type { Proxying } from "../../declared/proxying.ts"
import { isDenied, type Rule, type WeightedBackendRef } from "../../declared/rule.ts"
import type { Target } from "../backends/resolved-backends.ts"
import { actionsOf, actionsOfRule } from "./actions.ts"
import type { FindTarget } from "./find-target.ts"

/** What serves a rule now. */
export interface Serving {
  readonly location: Location
  readonly backend: string
  /** answered at once instead of proxying */
  readonly status?: number
  /** absent: as the location has it */
  readonly backendTls?: BackendTls
  /** what becomes of its requests beyond that */
  readonly actions?: Actions
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
  const { name } = answeredTarget(target, rule)
  const location = rule.backend === undefined ? locations.onDefault : locations.own
  if (isDenied(rule)) return { location, backend: name, status: 503 }
  if (rule.status !== undefined) return { location, backend: name, status: rule.status }
  const actions = actionsOfRule(rule, targetOf)
  const own = actions === undefined ? {} : { actions }
  if (rule.actions?.redirect !== undefined) return { location, backend: name, ...own }
  if (rule.split !== undefined) return { ...servingOfSplit(rule.split, rule, targetOf), ...own }
  return { ...servingOfBackend(rule, target, targetOf), ...own }
}

function servingOfBackend(rule: Rule, target: Target, targetOf: FindTarget): Serving {
  const { locations } = rule.proxying
  const { name, status } = answeredTarget(target, rule)
  const location = rule.backend === undefined ? locations.onDefault : locations.own
  const byDefault = usable(targetOf(undefined))
  const fallback = usable(rule.proxying.fallback && targetOf(rule.proxying.fallback.ref))
  const errors = errorBackendOf(rule, fallback, byDefault)
  const errorBackend = errors === undefined ? {} : { errorBackend: errors }
  if (status === undefined)
    return {
      ...{ location, backend: name },
      ...(rule.backend && backendTlsOf(rule.proxying)),
      ...endpointName(rule, target),
      ...errorBackend,
    }
  if (rule.backend === undefined || fallback === undefined || locations.onFallback === undefined)
    return { location, backend: name, status, ...errorBackend }
  return { location: locations.onFallback, backend: fallback, isFallback: true, ...errorBackend }
}

/** The first is named in the route; which one serves is drawn for each request. */
function servingOfSplit(all: readonly WeightedBackendRef[], rule: Rule, targetOf: FindTarget): Serving {
  const split = all.map((share) => weightedBackend(share, rule, targetOf))
  const errors = errorBackendOf(rule, undefined, usable(targetOf(undefined)))
  return {
    location: rule.proxying.locations.own,
    backend: split[0]?.backend ?? targetOf(undefined).name,
    ...backendTlsOf(rule.proxying),
    split,
    ...(errors !== undefined && { errorBackend: errors }),
  }
}

function weightedBackend(share: WeightedBackendRef, rule: Rule, targetOf: FindTarget): WeightedBackend {
  const { ref, weight, location, actions: said, backendTls } = share
  const { name, status } = targetOfShare(share, rule, targetOf)
  const variables = { ...share.variables, ...vhostOf(said) }
  const actions = said && actionsOf(said, targetOf)
  return {
    ...{ weight, backend: name, serviceName: ref.service, servicePort: ref.port },
    ...(status !== undefined && { status }),
    ...(location && { location: location.name }),
    ...(backendTls && { backendTls: backendTls.said }),
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(actions && { actions }),
  }
}

function backendTlsOf({ backendTls }: Proxying): Pick<Serving, "backendTls"> {
  return backendTls === undefined ? {} : { backendTls: backendTls.said }
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

/** `Host` of requests as a backend gets them, where that is said. */
export function vhostOf(said: BackendActions | undefined): Pick<RouteVariables, "upstreamVhost"> {
  const hostname = said?.rewrite?.hostname
  return hostname === undefined ? {} : { upstreamVhost: hostname }
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
