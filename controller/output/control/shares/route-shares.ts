import { kinds } from "../../../core/plan/kinds.ts"
import type { Live } from "../../../model/model.ts"
import type { Host, Route } from "../../../model/route.ts"
import { wildcardOf } from "../../../support/host-name.ts"
import { rememberedLast } from "../../../support/incremental/last-result.ts"
import { getOrMake } from "../../../support/maps.ts"
import { closedHost, shortClosedRoute } from "../no-wider.ts"
import { namedByRoutes } from "../wire-route.ts"
import { type Grant, grant, type Item, moreBytes, type Shared } from "./grant.ts"
import { hostGroups } from "./host-groups.ts"
import { addressListBytes, hostBytes, hostScriptBytes, routeBytes, userListBytes } from "./record-bytes.ts"

// Hosts, and the lists that they name. What a namespace has no room for is closed, path by path or host by host, so that nothing else of it
// answers in its place; where there is no room even for that, hosts are left out in whose place nothing of the namespace answers, and at last all.

/** The routes that a namespace has on a host, or an alias of it. */
export interface HostPart extends Item {
  readonly owner: string
  readonly host: Host
  readonly routes: readonly Route[]
}

const { keyOf } = kinds.hosts

const lastParts = rememberedLast<Host, readonly HostPart[]>()

/** By the namespaces of routes; what the operator has belongs to "". */
export function hostParts({ hosts, addressLists, userLists }: Live): readonly HostPart[] {
  const lists = new Map<string, Shared>()
  for (const list of addressLists) lists.set(list.id, { id: list.id, bytes: addressListBytes(list) })
  for (const list of userLists) lists.set(list.id, { id: list.id, bytes: userListBytes(list) })
  const groupOf = hostGroups(hosts)
  return hosts.flatMap((host) => {
    const groups = host.aliasOf === undefined ? [] : [groupOf(host.host, host.owner ?? "")]
    return lastParts(host, [addressLists, userLists, ...groups], () => partsOf(host, lists, groupOf))
  })
}

function partsOf(
  host: Host,
  lists: ReadonlyMap<string, Shared>,
  groupOf: (name: string, owner: string) => string,
): readonly HostPart[] {
  const part = (owner: string, routes: readonly Route[], isWhole: boolean): HostPart => {
    const owners = owner === "" ? [] : [owner]
    const script = scriptOf(host, owner)
    const own = hostBytes(host) + (script === undefined ? 0 : hostScriptBytes(script))
    const bytes = routes.reduce((sum, route) => sum + routeBytes(route), own)
    return {
      owner,
      owners,
      group: groupOf(host.host, owner),
      host,
      routes,
      bytes,
      closedBytes: closedBytes(host, routes, isWhole || script !== undefined),
      needs: needsOf(routes, lists),
    }
  }
  if (host.aliasOf !== undefined) return [part(host.owner ?? "", [], true)]
  const byOwner = Map.groupBy(host.routes, ({ namespace }) => namespace)
  return [...byOwner].map(([owner, routes]) => part(owner, routes, byOwner.size === 1))
}

/** The steps that a namespace has before all routes of the host: without room for them the whole host is closed, as nobody may get past them. */
function scriptOf({ script }: Host, owner: string): Host["script"] {
  return script?.namespace === owner ? script : undefined
}

function needsOf(routes: readonly Route[], lists: ReadonlyMap<string, Shared>): readonly Shared[] {
  return [...new Set(namedByRoutes(routes))].flatMap((id) => lists.get(id) ?? [])
}

function closedBytes(host: Host, routes: readonly Route[], isWhole: boolean): number {
  return isWhole
    ? hostBytes(host)
    : routes.reduce((sum, route) => sum + closedRouteBytes(route), hostBytes(host))
}

function closedRouteBytes(route: Route): number {
  return routeBytes(shortClosedRoute(route))
}

/** What becomes of the routes of a part: those that are not named are closed. */
type Verdict = "nothing" | ReadonlySet<Route>

/** @param shares of the namespaces that want more than that */
export function hostsWithin(
  hosts: readonly Host[],
  parts: ReadonlyMap<string, readonly HostPart[]>,
  shares: ReadonlyMap<string, number>,
): readonly Host[] {
  const verdicts = new Map<string, Map<string, Verdict>>()
  for (const [owner, bytes] of shares) {
    const granted = grant(parts.get(owner) ?? [], bytes, isAnsweredIn(parts.get(owner) ?? []))
    for (const part of parts.get(owner) ?? [])
      if (!granted.granted.has(part))
        getOrMake(verdicts, keyOf(part.host), () => new Map()).set(owner, verdictOf(part, granted))
  }
  return hosts.flatMap((host) => {
    const own = verdicts.get(keyOf(host))
    return own === undefined ? [host] : withVerdicts(host, own)
  })
}

/** Whether something else of its namespace would answer without the part, if the host were not there at all. */
function isAnsweredIn(parts: readonly HostPart[]): (part: HostPart) => boolean {
  const names = new Set(parts.map(({ host }) => keyOf(host)))
  const isThere = (server: string, host: string) => names.has(keyOf({ server, host }))
  return ({ host }) => {
    const { server, host: name } = host
    const wildcard = name.startsWith("*.") ? "_" : wildcardOf(name)
    return name !== "_" && (isThere(server, wildcard) || isThere(server, "_"))
  }
}

function verdictOf(part: HostPart, { isLeftOut, next }: Grant<HostPart>): Verdict {
  const isDivided = scriptOf(part.host, part.owner) === undefined
  const served = new Set(isDivided && next?.item === part ? routesWithin(part, next) : [])
  return served.size === 0 && isLeftOut(part) ? "nothing" : served
}

/** Those that fit beside all others, closed. */
function routesWithin(
  { host, routes, needs }: HostPart,
  next: NonNullable<Grant<HostPart>["next"]>,
): readonly Route[] {
  const has = new Set(next.has)
  const lists = new Map(needs.map((list) => [list.id, list]))
  let left = next.bytes - closedBytes(host, routes, false)
  return routes.filter((route) => {
    const named = needsOf([route], lists)
    const more = moreBytes({ bytes: routeBytes(route), needs: named }, has) - closedRouteBytes(route)
    if (more > left) return false
    left -= more
    for (const { id } of named) has.add(id)
    return true
  })
}

function withVerdicts(host: Host, verdicts: ReadonlyMap<string, Verdict>): readonly Host[] {
  if (host.aliasOf !== undefined)
    return verdicts.get(host.owner ?? "") === "nothing" ? [] : [closedHost(host)]
  const ofScript = host.script && verdicts.get(host.script.namespace)
  if (ofScript !== undefined) return ofScript === "nothing" ? [] : [closedHost(host)]
  const routes = host.routes.flatMap((route) => {
    const verdict = verdicts.get(route.namespace)
    if (verdict === undefined) return [route]
    if (verdict === "nothing") return []
    return [verdict.has(route) ? route : shortClosedRoute(route)]
  })
  if (routes.length === 0) return []
  const isOpen = routes.some(
    (route) => !verdicts.has(route.namespace) || hasAny(verdicts.get(route.namespace)),
  )
  return [isOpen ? { ...host, routes } : closedHost(host)]
}

function hasAny(verdict: Verdict | undefined): boolean {
  return verdict instanceof Set && verdict.size > 0
}
