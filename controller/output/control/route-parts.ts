import { createHash } from "node:crypto"
import { type Host, isPattern, type Route } from "../../model/route.ts"
import { contentName } from "../../support/content-name.ts"
import { compareText } from "../../support/order.ts"
import { routeFields } from "./wire-route.ts"

// The routes of a host that has many are posted in parts, each called by its content: a change of one path posts one part, and a worker reads
// one. Where a part ends is decided by its own paths, so that what is added or removed in one part does not move the others.

/** Some of the routes of one host; docs/wire.md, ROUTE_PART. */
export interface RoutePart {
  readonly id: string
  readonly routes: readonly Route[]
}

/** A host with more routes comes in parts. */
export const maxWholeRoutes = 256

/** A part begins where a path's hash says so, once in so many paths; */
const usualRoutes = 64
/** but not before it has so many, */
const minRoutes = 16
/** and after so many in any case, or so many bytes of JSON: what a worker reads in a fraction of a millisecond. */
const maxRoutes = 256
const maxBytes = 64 * 1024

/** The parts of a host, in the order that readers expect. The same routes make the same parts, however they got there. */
export function routePartsOf({ host, routes }: Host): RoutePart[] {
  const parts: RoutePart[] = []
  let part: Placed[] = []
  let bytes = 0
  for (const placed of inOrder(routes)) {
    const { length } = placed
    if (mayEnd(part, placed) && (bytes + length > maxBytes || isCut(part, placed))) {
      parts.push(partOf(host, part))
      part = []
      bytes = 0
    }
    part.push(placed)
    bytes += length
  }
  if (part.length > 0) parts.push(partOf(host, part))
  return parts
}

/** Two parts of the routes of one, or that one where all of them have to stay together. */
export function halvesOf(host: string, { routes }: RoutePart): RoutePart[] {
  const placed = inOrder(routes)
  const cuts = placed.flatMap((next, at) => (mayEnd(placed.slice(0, at), next) ? [at] : []))
  const middle = cuts.find((at) => 2 * at >= placed.length) ?? cuts.at(-1) ?? 0
  return [placed.slice(0, middle), placed.slice(middle)]
    .filter((half) => half.length > 0)
    .map((half) => partOf(host, half))
}

/** A part with other routes in the place of those of one. */
export function partWith(host: string, routes: readonly Route[]): RoutePart {
  return partOf(host, inOrder(routes))
}

/** A route, and what decides about its place. */
interface Placed {
  readonly route: Route
  /** equal ones have to be in one part; absent: that of a pattern, which may be anywhere */
  readonly key: string | undefined
  /** of its JSON */
  readonly hash: string
  /** of its JSON, in bytes */
  readonly length: number
}

/** Routes are mostly the same objects when their host changes. */
const known = new WeakMap<Route, Placed>()

/**
 * Patterns as they are; behind them everything else, by path: a slash comes before every other byte, and those at the end do not count. A path with a zero byte, which no request
 * can have (nginx answers 400), would be out of order.
 */
function inOrder(routes: readonly Route[]): Placed[] {
  const patterns = routes.filter(isPattern).map(placedOf)
  const others = routes.filter((route) => !isPattern(route) && !route.path.includes("\0"))
  return [...patterns, ...others.map(placedOf).sort((a, b) => compareText(a.key ?? "", b.key ?? ""))]
}

function placedOf(route: Route): Placed {
  const before = known.get(route)
  if (before !== undefined) return before
  const json = Buffer.from(JSON.stringify(routeFields(route)))
  const hash = createHash("sha256").update(json).digest("base64")
  const key = isPattern(route) ? undefined : keyOf(route.path)
  const placed = { route, key, hash, length: json.length }
  known.set(route, placed)
  return placed
}

/** The bytes of the path, one for each character, with 0 for a slash. */
function keyOf(path: string): string {
  return Buffer.from(path.replace(/\/+$/, "")).toString("latin1").replaceAll("/", "\0")
}

function mayEnd(part: readonly Placed[], { key }: Placed): boolean {
  const last = part.at(-1)
  return last !== undefined && (key === undefined || last.key !== key)
}

function isCut(part: readonly Placed[], { route }: Placed): boolean {
  return part.length >= maxRoutes || (part.length >= minRoutes && hashOf(route.path) % usualRoutes === 0)
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Of hosts with equal routes each has parts of its own: who removes those of one need not ask about the other. */
function partOf(host: string, placed: readonly Placed[]): RoutePart {
  const text = [host, ...placed.map(({ hash }) => hash)].join("\n")
  return { id: contentName(text), routes: placed.map(({ route }) => route) }
}
