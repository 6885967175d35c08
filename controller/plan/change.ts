import { isDeepStrictEqual } from "node:util"
import type { Backend } from "../model/backend.ts"
import type { Live } from "../model/model.ts"
import type { HostName, LiveChange } from "./plan.ts"

type Order<T> = (a: T, b: T) => number

export function isEmpty(change: LiveChange): boolean {
  return Object.values(change).every((list) => list.length === 0)
}

/** What leads from one live half to another; both are in canonical order. An object that kept its identity costs one comparison. */
export function liveChange(running: Live, wanted: Live): LiveChange {
  const backends = difference(running.backends, wanted.backends, byName)
  const hosts = difference(running.hosts, wanted.hosts, byHost)
  return {
    setBackends: backends.set,
    removeBackends: backends.remove.map((backend) => backend.name),
    setHosts: hosts.set,
    removeHosts: hosts.remove.map(({ server, host }) => ({ server, host })),
  }
}

/** The live half after `change`, in canonical order: `applyChange(a, liveChange(a, b))` equals `b`. */
export function applyChange(live: Live, change: LiveChange): Live {
  if (isEmpty(change)) return live
  const backends = new Map(live.backends.map((backend) => [backend.name, backend]))
  for (const name of change.removeBackends) backends.delete(name)
  for (const backend of change.setBackends) backends.set(backend.name, backend)
  const hosts = new Map(live.hosts.map((host) => [hostKey(host), host]))
  for (const name of change.removeHosts) hosts.delete(hostKey(name))
  for (const host of change.setHosts) hosts.set(hostKey(host), host)
  return { backends: [...backends.values()].sort(byName), hosts: [...hosts.values()].sort(byHost) }
}

/**
 * The part of `change` that can be posted while a reload is pending: hosts whose policies are all in force, and every backend, as a
 * backend names no policy. Removal of backends waits as long as a host is held back, whose record in force may still name them.
 */
export function postable(change: LiveChange, policiesInForce: ReadonlySet<string>): LiveChange {
  const setHosts = change.setHosts.filter((host) =>
    host.routes.every((route) => policiesInForce.has(route.policy)),
  )
  const holdsBack = setHosts.length < change.setHosts.length
  return { ...change, setHosts, removeBackends: holdsBack ? [] : change.removeBackends }
}

/** Walks two lists of the same strict order side by side. */
function difference<T>(
  running: readonly T[],
  wanted: readonly T[],
  order: Order<T>,
): { set: T[]; remove: T[] } {
  const set: T[] = []
  const remove: T[] = []
  if (running === wanted) return { set, remove }
  let at = 0
  for (const item of wanted) {
    at = takeWhile(running, at, (old) => order(old, item) < 0, remove)
    const old = running[at]
    const isKnown = old !== undefined && order(old, item) === 0
    if (!isKnown || (old !== item && !isDeepStrictEqual(old, item))) set.push(item)
    if (isKnown) at += 1
  }
  takeWhile(running, at, () => true, remove)
  return { set, remove }
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

function byName(a: Backend, b: Backend): number {
  return compare(a.name, b.name)
}

function byHost(a: HostName, b: HostName): number {
  return compare(a.server, b.server) || compare(a.host, b.host)
}

/** `/` cannot be in a server's name. */
function hostKey({ server, host }: HostName): string {
  return `${server}/${host}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
