import { byAge, type GatewayRoute } from "../../../model/objects/object.ts"
import { compareText } from "../../../support/order.ts"
import type { ReadMatch } from "./read-match.ts"

/** What decides between rules of one host name that a request fits: the first. Source: Gateway API, HTTPRouteRule.matches. */
export interface Ranked {
  readonly match: ReadMatch
  readonly route: GatewayRoute
  /** its place in the route */
  readonly at: number
}

/** Exact paths, patterns, longer prefixes; method; more headers; more parameters; the older route, its name, its first rule. */
export function byPrecedence(a: Ranked, b: Ranked): number {
  return (
    pathKind(a.match) - pathKind(b.match) ||
    b.match.path.length - a.match.path.length ||
    b.match.methods - a.match.methods ||
    b.match.headers - a.match.headers ||
    b.match.parameters - a.match.parameters ||
    byAge(a.route, b.route) ||
    compareText(a.route.kind, b.route.kind) ||
    a.at - b.at
  )
}

function pathKind({ match }: ReadMatch): number {
  if (match === "exact") return 0
  return match === "prefix" ? 2 : 1
}
