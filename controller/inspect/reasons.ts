import { isPattern } from "../model/route.ts"
import { shown } from "../model/shown.ts"
import type { StandingProblem } from "../model/standing-problem.ts"
import type { HostInForce, RouteInForce } from "./in-force.ts"

// Why a route was not taken, given the one that was. Which one is taken is not decided here: nginx has said so (nginx/ingress/src/routes/explain.rs), and what its
// order of matching means for the others follows from that.

export interface NotTaken {
  readonly route: RouteInForce
  readonly why: string
  /** it would serve the path if others were not there */
  readonly isRival: boolean
}

/**
 * All routes of a host but `taken`, those that come near first.
 *
 * @param path decoded and normalised
 * @param problems of the host's Ingresses, which say of patterns that they do not compile
 */
export function notTaken(
  { host, routes }: HostInForce,
  taken: RouteInForce | undefined,
  path: string,
  problems: readonly StandingProblem[] = [],
): readonly NotTaken[] {
  const others = routes
    .filter((route) => route !== taken)
    .map((route) => ({
      route,
      ...(brokenReason(route, host, problems) ?? reason(route, taken, path, routes)),
    }))
  return [...others.filter(({ isRival }) => isRival), ...others.filter(({ isRival }) => !isRival)]
}

type Reason = Pick<NotTaken, "why" | "isRival">

function reason(
  route: RouteInForce,
  taken: RouteInForce | undefined,
  path: string,
  routes: readonly RouteInForce[],
): Reason {
  if (route.within !== undefined && route.within !== taken?.within)
    return { why: `stands within the location ${shown(route.within)}`, isRival: false }
  switch (route.match) {
    case "exact":
      return exactReason(route, path)
    case "prefix":
    case "string_prefix":
    case "string_prefix_final":
      return prefixReason(route, taken, path)
    case "regex":
    case "pattern":
    case "pattern_any_case":
      return patternReason(route, taken, routes)
    default:
      return route.match satisfies never
  }
}

/** A pattern that does not compile may well be the one that was meant. */
function brokenReason(
  route: RouteInForce,
  host: string,
  problems: readonly StandingProblem[],
): Reason | undefined {
  if (!isPattern(route)) return undefined
  const place = `path ${shown(route.path)} of host ${shown(host)}`
  const broken = problems.some(({ code, message }) => code === "bad-pattern" && message.includes(place))
  return broken ? { why: "does not compile as a regular expression", isRival: true } : undefined
}

function exactReason(route: RouteInForce, path: string): Reason {
  return route.path === path
    ? { why: "an earlier route has this path", isRival: true }
    : { why: "is another path", isRival: false }
}

function prefixReason(route: RouteInForce, taken: RouteInForce | undefined, path: string): Reason {
  if (!begins(route, path)) return { why: "does not begin the path", isRival: false }
  if (taken?.match === "exact") return { why: "an exact path comes first", isRival: true }
  if (taken !== undefined && isPattern(taken)) return { why: "regular expressions come first", isRival: true }
  return { why: shorterReason(route, taken), isRival: true }
}

function shorterReason(route: RouteInForce, taken: RouteInForce | undefined): string {
  const isShorter = taken !== undefined && beginning(route).length < beginning(taken).length
  return isShorter ? "is shorter" : "an earlier route has this path"
}

function patternReason(
  route: RouteInForce,
  taken: RouteInForce | undefined,
  routes: readonly RouteInForce[],
): Reason {
  if (taken?.match === "exact") return { why: "an exact path comes first", isRival: true }
  if (taken?.match === "string_prefix_final")
    return { why: "a prefix that is final comes first", isRival: true }
  const comesLater = taken !== undefined && isPattern(taken) && routes.indexOf(route) > routes.indexOf(taken)
  return comesLater
    ? { why: "comes later among the regular expressions", isRival: true }
    : { why: "does not match", isRival: false }
}

/** Whether a route whose path is a prefix, of path elements or of bytes, has this path. */
function begins(route: RouteInForce, path: string): boolean {
  return route.match === "prefix" ? covers(route.path, path) : path.startsWith(route.path)
}

/** What everything begins with that is its, but for the prefix itself. */
function beginning({ match, path }: RouteInForce): string {
  return match === "prefix" ? withSlash(path) : path
}

/** A prefix covers what begins with all of its path elements. */
export function covers(prefix: string, path: string): boolean {
  return path === prefix || path.startsWith(withSlash(prefix))
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`
}
