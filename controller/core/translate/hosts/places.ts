import type { Redirect, Route } from "../../../model/route.ts"
import { byText, compareText } from "../../../support/order.ts"
import type { RouteClaim } from "../ingress/claim.ts"
import type { HostDemand } from "./hosts.ts"

// Which routes the claims of a host come to. On most hosts each claim is one route; where one of them is a pattern, all become patterns.

/** A route's place among those of its host, and the claim that it meets. */
export interface RoutePlace {
  readonly claim: RouteClaim
  readonly path: string
  readonly match: Route["match"]
  /** answered with this, whatever else the claim says */
  readonly appRoot?: Redirect
}

/** In the order in which the host's record has them. */
export function placesOf({ routes }: HostDemand): readonly RoutePlace[] {
  const isPattern = routes.some(({ treatment }) => treatment.isPattern)
  const places = isPattern ? patterns(routes) : literals(routes)
  const root = appRootOf(routes)
  return root === undefined ? places : [root, ...places.filter((other) => !isSame(root, other))]
}

function literals(routes: readonly RouteClaim[]): readonly RoutePlace[] {
  return routes
    .map((claim) => ({ claim, path: claim.path, match: claim.match }))
    .sort(byText(({ claim }) => claim.key))
}

/** Of two patterns with the same text the second could never match. */
function patterns(routes: readonly RouteClaim[]): readonly RoutePlace[] {
  const exact = new Set(routes.flatMap(({ match, path }) => (match === "exact" ? [path] : [])))
  const byText = new Map<string, RoutePlace>()
  for (const claim of inOrder(routes)) {
    for (const path of patternsOf(claim, exact)) {
      if (!byText.has(path)) byText.set(path, { claim, path, match: "regex" })
    }
  }
  return [...byText.values()]
}

/** A path that is none itself is meant by elements: it ends, or goes on with a slash, unless the end is somebody's exact path. */
function patternsOf({ path, match, treatment }: RouteClaim, exact: ReadonlySet<string>): readonly string[] {
  if (path === "/" || match === "exact" || treatment.isPattern) return [path]
  const withSlash = path.endsWith("/") ? path : `${path}/`
  return exact.has(path) ? [withSlash] : [withSlash, path]
}

/** The longest first, then by the text downwards, then the older claim. Source: ingress-nginx, locations of a server. */
function inOrder(routes: readonly RouteClaim[]): readonly RouteClaim[] {
  return [...routes].sort((a, b) => byteLength(b.path) - byteLength(a.path) || compareText(b.path, a.path))
}

function byteLength(path: string): number {
  return Buffer.byteLength(path)
}

/** The redirect of the host's `/`: of several claims that want one, the first in that order has it. */
function appRootOf(routes: readonly RouteClaim[]): RoutePlace | undefined {
  const wanting = routes.filter(({ treatment }) => treatment.appRoot !== undefined)
  const [claim] = inOrder(wanting)
  const appRoot = claim?.treatment.appRoot
  return claim && appRoot && { claim, path: "/", match: "exact", appRoot }
}

function isSame(a: RoutePlace, b: RoutePlace): boolean {
  return a.path === b.path && a.match === b.match
}
