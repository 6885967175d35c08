import { compareText } from "../../../support/order.ts"
import { escaped } from "../../../support/pattern.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { DerivedRoutes } from "./derived-routes.ts"
import type { MergedHost } from "./merged-host.ts"
import { isForeign } from "./ownership.ts"
import { literalBeginning } from "./patterns.ts"

// At which paths the routes of a host are found, as nginx has locations. On most hosts each route has one; where one of them is a pattern, all become
// patterns but an exact `/`. Patterns of other namespaces than the host's owner leave its paths what they are, and come after those that they could
// take requests from: a pattern has what its certain beginning would have as a plain path.

type Derived = Pick<DerivedRoutes, "located" | "appRoot">

/** The routes as they are found, in the order in which they are tried. */
export function locationsOf(merged: MergedHost, derived: Derived): readonly ParsedRoute[] {
  const { routes, owner } = merged
  const isOthers = (route: ParsedRoute) => isForeign(route, owner)
  const locations = locationsAmong(routes, isOthers, derived)
  const root = appRootOf(routes, isOthers, derived)
  return root === undefined ? locations : [root, ...locations.filter(({ key }) => key !== root.key)]
}

/** Whether a route is of another namespace than the host's owner. */
type IsOthers = (route: ParsedRoute) => boolean

function locationsAmong(
  routes: readonly ParsedRoute[],
  isOthers: IsOthers,
  derived: Derived,
): readonly ParsedRoute[] {
  const written = routes.filter(({ filters }) => filters.isPattern)
  if (written.length === 0) return literals(routes)
  return written.every(isOthers) ? mixed(routes, isOthers, derived) : patterns(routes, isOthers, derived)
}

function literals(routes: readonly ParsedRoute[]): readonly ParsedRoute[] {
  return routes.toSorted((a, b) => compareText(a.key, b.key))
}

/** Of two patterns with the same text the second could never match. */
function patterns(
  routes: readonly ParsedRoute[],
  isOthers: IsOthers,
  derived: Derived,
): readonly ParsedRoute[] {
  const exact = new Set(routes.flatMap(({ match, path }) => (match === "exact" ? [path] : [])))
  const byPattern = new Map<string, ParsedRoute>()
  for (const route of inOrder(routes, isOthers)) {
    if (isExactRoot(route)) continue
    const isPlain = isOthers(route) && !route.filters.isPattern
    for (const written of patternsOf(route, exact)) {
      const path = isPlain ? escaped(written) : written
      if (!byPattern.has(path)) byPattern.set(path, derived.located(route, path, "regex"))
    }
  }
  return [...byPattern.values(), ...literals(routes.filter(isExactRoot))]
}

/**
 * Only others have patterns: all other paths stay as they are written, and those that a pattern could take requests from are tried before it. Of `/`
 * that is no question: a pattern that could take all of its requests is left out (merged-host.ts).
 */
function mixed(routes: readonly ParsedRoute[], isOthers: IsOthers, derived: Derived): readonly ParsedRoute[] {
  const beginnings = routes
    .filter(({ filters }) => filters.isPattern)
    .map(({ path }) => literalBeginning(path).toLowerCase())
  const isTried = ({ path, match, filters }: ParsedRoute) => {
    if (filters.isPattern || match === "exact" || path === "/") return filters.isPattern
    return beginnings.some((beginning) => withSlash(path).toLowerCase().startsWith(beginning))
  }
  const tried = inOrder(routes.filter(isTried), isOthers).map((route) =>
    derived.located(route, route.filters.isPattern ? route.path : elements(route.path), "regex"),
  )
  return [...tried, ...literals(routes.filter(({ filters }) => !filters.isPattern))]
}

/** As a pattern that matches what the path matches as a prefix: whole elements, in this case of letters. It begins with a slash, as all of a record do. */
function elements(path: string): string {
  return `/(?-i:${escaped(path.slice(1).replace(/\/$/, ""))})(?:/|$)`
}

/** As a pattern it would match what the `/` that every host has matches, and one of the two would never be found. */
function isExactRoot({ path, match }: ParsedRoute): boolean {
  return path === "/" && match === "exact"
}

/** A plain path among patterns matches whole elements: a slash follows, or it ends there, unless another route has that as its exact path. */
function patternsOf({ path, match, filters }: ParsedRoute, exact: ReadonlySet<string>): readonly string[] {
  if (path === "/" || match === "exact" || filters.isPattern) return [path]
  return exact.has(path) ? [withSlash(path)] : [withSlash(path), path]
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`
}

/** The longest first, then the owner's, then by the text downwards, then the older route. Source: ingress-nginx, locations of a server. */
function inOrder(routes: readonly ParsedRoute[], isOthers: IsOthers): readonly ParsedRoute[] {
  const weighed = routes.map((route) => {
    const isOther = isOthers(route)
    return { route, isOther, weight: isOther ? certainBytes(route) : byteLength(route.path) }
  })
  return weighed
    .sort(
      (a, b) =>
        b.weight - a.weight ||
        Number(a.isOther) - Number(b.isOther) ||
        byteLength(b.route.path) - byteLength(a.route.path) ||
        compareText(b.route.path, a.route.path),
    )
    .map(({ route }) => route)
}

/** A slash at the end says no more than the plain path without. */
function certainBytes({ path, filters }: ParsedRoute): number {
  return byteLength(filters.isPattern ? literalBeginning(path).replace(/\/+$/, "") : path)
}

function byteLength(path: string): number {
  return Buffer.byteLength(path)
}

/** The redirect of the host's `/`: of several routes that want one, the first in that order has it; of others, the one that has that path. */
function appRootOf(
  routes: readonly ParsedRoute[],
  isOthers: IsOthers,
  derived: Derived,
): ParsedRoute | undefined {
  const wanting = routes.filter(({ filters }) => filters.appRoot !== undefined)
  if (wanting.length === 0) return undefined
  const roots = routes.filter(({ path }) => path === "/")
  const mayHave = (route: ParsedRoute) => !isOthers(route) || roots.every((root) => root === route)
  const [route] = inOrder(wanting.filter(mayHave), isOthers)
  const appRoot = route?.filters.appRoot
  return route && appRoot && derived.appRoot(route, appRoot)
}
