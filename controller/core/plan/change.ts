import type { Live, LiveKind, LiveThings } from "../../model/model.ts"
import { policiesOf } from "../../model/route.ts"
import { middleOf } from "../../support/incremental/middle.ts"
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
 * The part of `change` that can be posted while a reload is pending: hosts whose policies are all in force, and whatever names none. The TLS host of a host that is held
 * back waits with it, as clients are asked for certificates by both. Then nothing is removed that records in force may still name.
 */
export function postable(change: LiveChange, policiesInForce: ReadonlySet<string>): LiveChange {
  const isReady = (host: LiveThings["hosts"]) =>
    host.routes.flatMap(policiesOf).every((policy) => policiesInForce.has(policy))
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

/** Walks two lists of the same strict order side by side, where they differ. */
function difference<T, Name>(
  { nameOf, order, isSame }: KindRules<T, Name>,
  running: readonly T[],
  wanted: readonly T[],
): { set: T[]; remove: Name[] } {
  const set: T[] = []
  const gone: T[] = []
  const { start, endBefore, endAfter } = middleOf(running, wanted)
  const before = running.slice(start, endBefore)
  const between = (a: T, b: T) => (a === b ? 0 : order(nameOf(a), nameOf(b)))
  let at = 0
  for (const item of wanted.slice(start, endAfter)) {
    at = takeWhile(before, at, (old) => between(old, item) < 0, gone)
    const old = before[at]
    const isKnown = old !== undefined && between(old, item) === 0
    if (!isKnown || (old !== item && !isSame(old, item))) set.push(item)
    if (isKnown) at += 1
  }
  takeWhile(before, at, () => true, gone)
  return { set, remove: gone.map(nameOf) }
}

/** Moves items of `from` into `into` as long as `test` holds; returns where the next one stands. */
function takeWhile<T>(from: readonly T[], start: number, test: (item: T) => boolean, into: T[]): number {
  let at = start
  for (let item = from[at]; item !== undefined && test(item); item = from[at]) {
    into.push(item)
    at += 1
  }
  return at
}
