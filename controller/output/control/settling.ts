import { isDeepStrictEqual } from "node:util"
import { applyChange, isEmpty, type LiveChange, liveChange, noChange } from "../../core/plan/change.ts"
import { kinds, kindsInOrder, type NameOf } from "../../core/plan/kinds.ts"
import type { Live, LiveKind } from "../../model/model.ts"
import type { Host, Route } from "../../model/route.ts"
import { Failure } from "../../support/failure.ts"
import { type Closing, closingOf, type Keys } from "./closing.ts"
import { byPlace, placeOf } from "./no-wider.ts"
import { itWaits } from "./poster.ts"
import { type Refusal, withoutRefused } from "./refusal.ts"
import { headItem, type Item } from "./wire.ts"
import { namedByRoutes, namedByStream } from "./wire-route.ts"

// What happens to the rest of a change when a part of it has no room: what its former records would give too much is closed, what nothing names
// any more is removed, and what was refused is tried once more in the room that this leaves.

type OrOutOfStep<T> = T | "out-of-step"

/** Posts a change. @param running what is in force */
export type PostAll = (change: LiveChange, running: Live) => Promise<OrOutOfStep<readonly Refusal[]>>

/** A change of which something was refused. */
export interface Unsettled {
  readonly inForce: Live
  readonly wanted: Live
  readonly refusals: readonly Refusal[]
  /** what is in the zones without being known */
  readonly unknown: Keys
  /** whether the change removed something, in whose place what was refused before may fit */
  readonly hasMadeRoom: boolean
}

export interface Settled {
  readonly inForce: Live
  readonly refusals: readonly Refusal[]
}

/** @throws Failure when not even what closes is taken */
export async function settle(unsettled: Unsettled, post: PostAll): Promise<OrOutOfStep<Settled>> {
  const { wanted, refusals } = unsettled
  const closed = await close(unsettled, post)
  if (closed === "out-of-step") return closed
  if (closed === unsettled.inForce && !unsettled.hasMadeRoom)
    return { inForce: closed, refusals: told(refusals, closed, wanted) }
  const again = await post(withoutRemovedBackends(liveChange(closed, wanted)), closed)
  if (again === "out-of-step") return again
  const inForce = withoutRefused(closed, wanted, again)
  const last = await close({ inForce, wanted, refusals: again, unknown: {}, hasMadeRoom: false }, post)
  if (last === "out-of-step") return last
  return { inForce: last, refusals: told(again, last, wanted) }
}

/** @returns what is in force then: the same object if nothing had to be closed, and there was nothing to remove */
async function close(unsettled: Unsettled, post: PostAll): Promise<OrOutOfStep<Live>> {
  const { inForce, wanted, refusals, unknown } = unsettled
  const closing = closingOf(inForce, wanted, keysOf(refusals), unknown)
  const narrowed = await carryOut(closing.narrower, inForce, post)
  if (narrowed === "out-of-step") return narrowed
  const closed = await carryOut(restOf(closing, narrowed.refusals), narrowed.inForce, post)
  if (closed === "out-of-step") return closed
  assertClosed(closed.refusals, inForce, unknown)
  const rest = await carryOut(unusedIn(closed.inForce, wanted), closed.inForce, post)
  return rest === "out-of-step" ? rest : rest.inForce
}

async function carryOut(change: LiveChange, running: Live, post: PostAll): Promise<OrOutOfStep<Settled>> {
  if (isEmpty(change)) return { inForce: running, refusals: [] }
  const refusals = await post(change, running)
  if (refusals === "out-of-step") return refusals
  return { inForce: withoutRefused(running, applyChange(running, change), refusals), refusals }
}

/** Closes what did not become narrower. */
function restOf({ narrower, closed }: Closing, refused: readonly Refusal[]): LiveChange {
  const isTaken = <Kind extends LiveKind>(kind: Kind, name: NameOf<Kind>) => {
    const key = keyOf(kind, name)
    const isTried = narrower[kind].set.some((thing) => keyOf(kind, nameOf(kind, thing)) === key)
    return isTried && !refused.some(({ item }) => item.kind === kind && itemKey(item) === key)
  }
  const remove = <Kind extends "backends" | "passthroughs" | "streams">(kind: Kind) => ({
    set: [],
    remove: closed[kind].remove.filter((name) => !isTaken(kind, name as NameOf<Kind>)),
  })
  const hosts = closed.hosts.set.filter((host) => !isTaken("hosts", host))
  return {
    ...closed,
    hosts: { set: hosts, remove: [] },
    backends: remove("backends"),
    passthroughs: remove("passthroughs"),
    streams: remove("streams"),
  }
}

/** A host that was not there at all stays away. */
function assertClosed(refused: readonly Refusal[], { hosts }: Live, { hosts: unknown }: Keys): void {
  const there = new Set(hosts.flatMap((host) => (isThere(host) ? [kinds.hosts.keyOf(host)] : [])))
  const open = refused.find(({ item }) => there.has(itemKey(item)) || unknown?.has(itemKey(item)) === true)
  if (open === undefined) return
  throw new Failure(
    "control-failed",
    `Cannot close routes that have no room in shared memory: ${open.reason}`,
  )
}

function isThere({ routes, aliasOf, isClosed }: Host): boolean {
  return routes.length > 0 || aliasOf !== undefined || isClosed === true
}

/** Lists and certificates that nothing in force names any more. */
function unusedIn(inForce: Live, wanted: Live): LiveChange {
  const change = liveChange(inForce, wanted)
  const named = new Set([
    ...inForce.hosts.flatMap(({ routes }) => namedByRoutes(routes)),
    ...inForce.tlsHosts.flatMap(({ certificates, clientCertificate: asked }) => [
      ...certificates,
      ...(asked ? [asked.authority] : []),
    ]),
    ...inForce.streams.flatMap(namedByStream),
  ])
  const unused = (remove: readonly string[]) => ({ set: [], remove: remove.filter((id) => !named.has(id)) })
  return {
    ...noChange,
    addressLists: unused(change.addressLists.remove),
    userLists: unused(change.userLists.remove),
    certificates: unused(change.certificates.remove),
    authorities: unused(change.authorities.remove),
    staples: unused(change.staples.remove),
  }
}

/** Backends linger. */
export function withoutRemovedBackends(change: LiveChange): LiveChange {
  return { ...change, backends: { ...change.backends, remove: [] } }
}

/** Statuses of what has no room, or waits for what has none. */
const withoutRoom: ReadonlySet<number> = new Set([413, itWaits.status, 507])

/** What was to be set and has no room. */
function keysOf(refusals: readonly Refusal[]): Keys {
  const concerned = refusals.filter(({ item, status }) => item.verb === "set" && withoutRoom.has(status))
  return Object.fromEntries(
    kindsInOrder.map((kind) => [
      kind,
      new Set(concerned.flatMap(({ item }) => (item.kind === kind ? [itemKey(item)] : []))),
    ]),
  )
}

/** Says of each host that was refused what has become of its routes. */
function told(refusals: readonly Refusal[], inForce: Live, wanted: Live): readonly Refusal[] {
  const now = new Map(inForce.hosts.map((host) => [kinds.hosts.keyOf(host), host]))
  const hosts = new Map(wanted.hosts.map((host) => [kinds.hosts.keyOf(host), host]))
  return refusals.flatMap((refusal) => {
    const { item, status, routes } = refusal
    const [before, host] = [now.get(itemKey(item)), hosts.get(itemKey(item))]
    const isHost = item.kind === "hosts" && item.verb === "set" && withoutRoom.has(status)
    if (!isHost || routes !== undefined || host === undefined || before === undefined) return [refusal]
    return isThere(before) ? ofRoutes(refusal, host, before) : [refusal]
  })
}

function ofRoutes({ status, reason }: Refusal, wanted: Host, inForce: Host): readonly Refusal[] {
  const former = byPlace(inForce)
  const states = Map.groupBy(wanted.routes, (route) => stateOf(route, inForce, former.get(placeOf(route))))
  const item = headItem(wanted, [])
  const refusals = [...states].map(([state, routes]) => ({
    item,
    status,
    reason: `${reason}; ${state}`,
    routes,
    inForce,
  }))
  const changed = refusals.filter(({ reason: said }) => !said.endsWith(asWanted))
  return changed.length > 0 ? changed : [{ item, status, reason, inForce }]
}

const asWanted = "it is as it should be"

function stateOf(wanted: Route, host: Host, former: Route | undefined): string {
  if (host.isClosed === true) return "requests get 503"
  if (former === undefined) return "it is left out"
  if (isDeepStrictEqual(former, wanted)) return asWanted
  return former.status === 503 ? "requests get 503" : "it stays what it was"
}

function nameOf<Kind extends LiveKind>(kind: Kind, thing: Live[Kind][number]): NameOf<Kind> {
  return (kinds[kind].nameOf as (thing: Live[Kind][number]) => NameOf<Kind>)(thing)
}

function keyOf<Kind extends LiveKind>(kind: Kind, name: NameOf<Kind>): string {
  return (kinds[kind].keyOf as (name: NameOf<Kind>) => string)(name)
}

function itemKey({ kind, name }: Item): string {
  return kind === "hosts" ? kinds.hosts.keyOf(name) : name
}
