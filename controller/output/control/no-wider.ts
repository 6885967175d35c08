import { isDeepStrictEqual } from "node:util"
import { type Host, isPattern, type Route } from "../../model/route.ts"
import { compareText } from "../../support/order.ts"
import { closedRoute } from "./closed-route.ts"

// What may stay in force when what takes its place cannot be: only what lets in nobody, and leads nowhere, that the new one would not.

/** Fields that decide neither who may request a route nor what is served. Any other one that differs, of whatever wick comes to know, closes it. */
const harmless: ReadonlySet<string> = new Set<keyof Route>([
  "namespace",
  "ingressName",
  "serviceName",
  "servicePort",
  "locationPath",
  "logsRewrite",
  "rewritesRaw",
  "tracing",
  "overrides",
])

/** Checks whose absence opens: a route that has them may stay where the wanted one has none. */
const checks: ReadonlySet<string> = new Set<keyof Route>(["access", "limits", "waf"])

/** Whether `former` serves only whom `wanted`, of the same place, would serve, and the same. */
export function isNoWider(former: Route, wanted: Route): boolean {
  if (former === wanted || former.status !== undefined) return true
  const fields = new Set([...Object.keys(former), ...Object.keys(wanted)]) as Set<keyof Route>
  for (const field of fields) {
    if (harmless.has(field) || isDeepStrictEqual(former[field], wanted[field])) continue
    if (!checks.has(field) || wanted[field] !== undefined) return false
  }
  return former.overrides.clientMaxBodyBytes === wanted.overrides.clientMaxBodyBytes
}

/** Whether a path that is not there would let in whom it keeps out, as another path answers in its place. */
export function isGuarded({ access, limits, waf, status, script }: Route): boolean {
  return [access, limits, waf, status, script].some((guard) => guard !== undefined)
}

/**
 * A host on the way from what is in force to what is wanted, no larger than it is as a rule: paths that may stay are what they were, all others
 * that are there or keep somebody out are closed, and what is wanted of clients is. New paths that keep nobody out are left out, unless others stand
 * within some.
 */
export function narrowedHost(inForce: Host, wanted: Host): Host {
  const former = byPlace(inForce)
  const isNested = wanted.routes.some(({ within }) => within !== undefined)
  const routes = wanted.routes.flatMap((route) => {
    const before = former.get(placeOf(route))
    if (before === undefined) return isGuarded(route) || isNested ? [shortClosedRoute(route)] : []
    return [isNoWider(before, route) ? before : shortClosedRoute(before)]
  })
  return { ...wanted, routes }
}

/** Whether they serve the same, whatever the order of different paths that are no patterns. */
export function isSameHost(a: Host, b: Host): boolean {
  const [ofA, ofB] = [byPlace(a), byPlace(b)]
  const isThere = ([place, route]: [string, Route]) => isDeepStrictEqual(ofB.get(place), route)
  return (
    a.isClosed === b.isClosed &&
    isDeepStrictEqual(a.clientCertificate, b.clientCertificate) &&
    isDeepStrictEqual(a.script, b.script) &&
    ofA.size === ofB.size &&
    [...ofA].every(isThere) &&
    isDeepStrictEqual(orderOf(a), orderOf(b))
  )
}

/** By place; of equal ones the first is found. */
export function byPlace({ routes }: Pick<Host, "routes">): ReadonlyMap<string, Route> {
  return new Map(routes.toReversed().map((route) => [placeOf(route), route]))
}

/** Places in the order in which they are found: patterns one after the other, of each other path those with conditions. */
function orderOf({ routes }: Host): readonly string[] {
  const patterns = "patterns"
  const paths = Map.groupBy(routes, (route) => (isPattern(route) ? patterns : `${route.match} ${route.path}`))
  const inOrder = [...paths].filter(([path, { length }]) => path === patterns || length > 1)
  inOrder.sort(([a], [b]) => compareText(a, b))
  return inOrder.flatMap(([, same]) => same.map(placeOf))
}

/** The host of which every request is answered 503. */
export function closedHost({ server, host }: Pick<Host, "server" | "host">): Host {
  return { server, host, routes: [], isClosed: true }
}

/** The same path and conditions, answered 503, in a record that is no longer than that of any route which is served. */
export function shortClosedRoute(route: Route): Route {
  return closedRoute({ ...route, serviceName: "", servicePort: "", locationPath: "" })
}

/** What tells routes of one host apart. */
export function placeOf({
  match,
  path,
  conditions,
  within,
}: Pick<Route, "match" | "path" | "conditions" | "within">): string {
  const more = [conditions, within].filter((one) => one !== undefined).map((one) => JSON.stringify(one))
  return [match, path, ...more].join(" ")
}
