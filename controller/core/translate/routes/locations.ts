import type { Redirect, Route } from "../../../model/route.ts"
import { compareText } from "../../../support/order.ts"
import type { MergedHost } from "../hosts/merged-host.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"

// At which paths the routes of a host are found, as nginx has locations. On most hosts each route has one; where one of them is a pattern, all become
// patterns but an exact `/`.

/** Where a route is found. */
export interface RouteLocation {
  readonly route: ParsedRoute
  readonly path: string
  readonly match: Route["match"]
  /** answered with this, whatever else the route says */
  readonly appRoot?: Redirect
}

/** In the order in which the host's record has them. */
export function locationsOf({ routes }: MergedHost): readonly RouteLocation[] {
  const isPattern = routes.some(({ filters }) => filters.isPattern)
  const locations = isPattern ? patterns(routes) : literals(routes)
  const root = appRootOf(routes)
  return root === undefined ? locations : [root, ...locations.filter((other) => !isSame(root, other))]
}

function literals(routes: readonly ParsedRoute[]): readonly RouteLocation[] {
  return routes
    .map((route) => ({ route, path: route.path, match: route.match }))
    .sort((a, b) => compareText(a.route.key, b.route.key))
}

/** Of two patterns with the same text the second could never match. */
function patterns(routes: readonly ParsedRoute[]): readonly RouteLocation[] {
  const exact = new Set(routes.flatMap(({ match, path }) => (match === "exact" ? [path] : [])))
  const byPattern = new Map<string, RouteLocation>()
  for (const route of inOrder(routes)) {
    if (isExactRoot(route)) continue
    for (const path of patternsOf(route, exact)) {
      if (!byPattern.has(path)) byPattern.set(path, { route, path, match: "regex" })
    }
  }
  return [...byPattern.values(), ...literals(routes.filter(isExactRoot))]
}

/** As a pattern it would match what the `/` that every host has matches, and one of the two would never be found. */
function isExactRoot({ path, match }: ParsedRoute): boolean {
  return path === "/" && match === "exact"
}

/** A plain path among patterns matches whole elements: a slash follows, or it ends there, unless another route has that as its exact path. */
function patternsOf({ path, match, filters }: ParsedRoute, exact: ReadonlySet<string>): readonly string[] {
  if (path === "/" || match === "exact" || filters.isPattern) return [path]
  const withSlash = path.endsWith("/") ? path : `${path}/`
  return exact.has(path) ? [withSlash] : [withSlash, path]
}

/** The longest first, then by the text downwards, then the older route. Source: ingress-nginx, locations of a server. */
function inOrder(routes: readonly ParsedRoute[]): readonly ParsedRoute[] {
  return [...routes].sort((a, b) => byteLength(b.path) - byteLength(a.path) || compareText(b.path, a.path))
}

function byteLength(path: string): number {
  return Buffer.byteLength(path)
}

/** The redirect of the host's `/`: of several routes that want one, the first in that order has it. */
function appRootOf(routes: readonly ParsedRoute[]): RouteLocation | undefined {
  const wanting = routes.filter(({ filters }) => filters.appRoot !== undefined)
  const [route] = inOrder(wanting)
  const appRoot = route?.filters.appRoot
  return route && appRoot && { route, path: "/", match: "exact", appRoot }
}

function isSame(a: RouteLocation, b: RouteLocation): boolean {
  return a.path === b.path && a.match === b.match
}
