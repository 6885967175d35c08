import type { Problem } from "../../../model/problem.ts"
import type { Target } from "../backends/resolved-backends.ts"
import type { ParsedExternalAuth } from "../parsed/external-auth.ts"
import { isCanary } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { MirrorBackend, Proxying } from "../parsed/route-proxying.ts"
import { complaint, routeProblem, serviceField } from "../problems.ts"
import type { FindTarget } from "./serving.ts"

/** What is wrong with a backend that is named, and who names it: a route, or what several routes share. Each is told once. */
export type Fault = readonly [ParsedRoute | Proxying | ParsedExternalAuth | MirrorBackend, Problem]

export const noFaults: readonly Fault[] = []

/** What is wrong with the Services that a route names. */
export function faultsOf(route: ParsedRoute, targetOf: FindTarget): readonly Fault[] {
  const { fault, externalName } = targetOf(route.backend)
  const { fallback } = route.proxying
  const other = fallback && targetOf(fallback)
  const faults: Fault[] = []
  const asked = route.access.external
  const doubt = asked && aboutAuth(asked, targetOf(asked.ref))
  if (asked !== undefined && doubt !== undefined) faults.push([asked, doubt])
  const { mirror } = route.proxying
  const uncopied = mirror && aboutMirror(route, mirror, targetOf(mirror.ref))
  if (mirror !== undefined && uncopied !== undefined) faults.push([mirror, uncopied])
  if (other?.fault !== undefined) faults.push([route.proxying, aboutFallback(route, other.fault)])
  if (fault !== undefined && route.backend !== undefined) {
    const isServed = other !== undefined && other.status === undefined
    faults.push([route, aboutBackend(route, fault, isServed)])
  }
  if (fault === undefined && externalName === undefined && route.proxying.wantsName === "to-verify")
    faults.push([route, aboutName(route)])
  return faults.length === 0 ? noFaults : faults
}

function aboutName(route: ParsedRoute): Problem {
  const message =
    'Cannot verify the certificates of endpoints: no annotation says which name they are for; write it into annotation "proxy-ssl-name"; requests get 502'
  return routeProblem(route, serviceField(route), "backend-name-missing", message)
}

function aboutMirror(
  route: ParsedRoute,
  { field }: MirrorBackend,
  { fault, warning }: Target,
): Problem | undefined {
  if (fault === undefined)
    return warning === undefined ? undefined : routeProblem(route, field, "name-stale", warning)
  const message = `${fault}; annotation "mirror-target" names it, so requests are not mirrored`
  return routeProblem(route, field, "mirror-refused", message)
}

function aboutFallback(route: ParsedRoute, fault: string): Problem {
  const message = `${fault}; annotation "default-backend" names it, so backends without endpoints have no fallback`
  return routeProblem(route, route.proxying.fallbackField ?? "metadata", "fallback-unusable", message)
}

function aboutAuth(
  { object, field, asker }: ParsedExternalAuth,
  { fault, warning }: Target,
): Problem | undefined {
  if (fault === undefined)
    return warning === undefined ? undefined : complaint(object, field, "name-stale", warning)
  const message = `${fault}; ${asker} asks it, so requests get 500`
  return complaint(object, field, "auth-service-unusable", message)
}

function aboutBackend(route: ParsedRoute, fault: string, hasFallback: boolean): Problem {
  const served = hasFallback ? 'the Service of annotation "default-backend" answers' : "requests get 503"
  const outcome = isCanary({ root: route }) ? "it gets no requests" : served
  return routeProblem(route, serviceField(route), "backend-unusable", `${fault}; ${outcome}`)
}
