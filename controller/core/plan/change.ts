import type { Live, LiveKind, LiveThings } from "../../model/model.ts"
import { locationsOf } from "../../model/route.ts"
import { changesBetween } from "../../support/incremental/changes.ts"
import { type KindRules, kinds, kindsInOrder, liveOf, type NameOf } from "./kinds.ts"

/** The differing part of `live`. What is set may name anything in force or set by the same change. */
export type LiveChange = { readonly [Kind in LiveKind]: ListChange<Kind> }

export interface ListChange<Kind extends LiveKind> {
  readonly set: readonly LiveThings[Kind][]
  readonly remove: readonly NameOf<Kind>[]
}

/** The change that has these lists. */
export function changeOf(lists: <Kind extends LiveKind>(kind: Kind) => ListChange<Kind>): LiveChange {
  return Object.fromEntries(kindsInOrder.map((kind) => [kind, lists(kind)])) as unknown as LiveChange
}

export const noChange: LiveChange = changeOf(() => ({ set: [], remove: [] }))

export function isEmpty(change: LiveChange): boolean {
  return kindsInOrder.every((kind) => change[kind].set.length === 0 && change[kind].remove.length === 0)
}

/** What leads from one live half to another; both are in canonical order. An object that kept its identity costs one comparison. */
export function liveChange(running: Live, wanted: Live): LiveChange {
  return changeOf((kind) => difference(kinds[kind], running[kind], wanted[kind]))
}

/** The live half after `change`, in canonical order: `applyChange(a, liveChange(a, b))` equals `b`. */
export function applyChange(live: Live, change: LiveChange): Live {
  return liveOf((kind) => applied(kind, live[kind], change[kind]))
}

function applied<Kind extends LiveKind>(
  kind: Kind,
  list: readonly LiveThings[Kind][],
  { set, remove }: ListChange<Kind>,
): readonly LiveThings[Kind][] {
  if (set.length === 0 && remove.length === 0) return list
  const { nameOf, keyOf, order }: KindRules<LiveThings[Kind], NameOf<Kind>> = kinds[kind]
  const things = new Map(list.map((thing) => [keyOf(nameOf(thing)), thing]))
  for (const name of remove) things.delete(keyOf(name))
  for (const thing of set) things.set(keyOf(nameOf(thing)), thing)
  return [...things.values()].sort((a, b) => order(nameOf(a), nameOf(b)))
}

/**
 * The part of `change` that can be posted while a reload is pending: hosts whose locations are all in force, and whatever names none. The TLS host of a host that is held
 * back waits with it, as clients are asked for certificates by both. Then nothing is removed that records in force may still name.
 */
export function postable(change: LiveChange, locationsInForce: ReadonlySet<string>): LiveChange {
  const isReady = (host: LiveThings["hosts"]) =>
    host.routes.flatMap(locationsOf).every((location) => locationsInForce.has(location))
  const { hosts, tlsHosts } = change
  const waiting = new Set(hosts.set.filter((host) => !isReady(host)).map(({ host }) => host))
  if (waiting.size === 0) return change
  // An alias may not refer to what is not there yet.
  for (const { host, aliasOf } of hosts.set)
    if (aliasOf !== undefined && waiting.has(aliasOf)) waiting.add(host)
  return {
    ...change,
    hosts: { ...hosts, set: hosts.set.filter(({ host }) => !waiting.has(host)) },
    tlsHosts: {
      set: tlsHosts.set.filter(({ host }) => !waiting.has(host)),
      remove: tlsHosts.remove.filter((host) => !waiting.has(host)),
    },
    certificates: { ...change.certificates, remove: [] },
    authorities: { ...change.authorities, remove: [] },
    backends: { ...change.backends, remove: [] },
    addressLists: { ...change.addressLists, remove: [] },
    userLists: { ...change.userLists, remove: [] },
  }
}

function difference<T, Name>(
  { nameOf, order, isSame }: KindRules<T, Name>,
  running: readonly T[],
  wanted: readonly T[],
): { set: readonly T[]; remove: readonly Name[] } {
  const changes = changesBetween(running, wanted, (a, b) => order(nameOf(a), nameOf(b)))
  return {
    set: changes.flatMap(({ before, after }) =>
      after === undefined || (before !== undefined && isSame(before, after)) ? [] : [after],
    ),
    remove: changes.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? [nameOf(before)] : [],
    ),
  }
}
