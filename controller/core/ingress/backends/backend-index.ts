import type { Problem } from "../../../model/problem.ts"
import { rememberedLast } from "../../../support/incremental/last-result.ts"
import { SortedMultimap } from "../../../support/incremental/multimap.ts"
import { SortedList } from "../../../support/incremental/sorted-list.ts"
import { setOrDelete } from "../../../support/maps.ts"
import { compareText } from "../../../support/order.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import { type BackendRef, baseKey } from "../../declared/backend-ref.ts"
import { backendKeys, refOf, refsOf } from "../../declared/rule.ts"
import type { HostIndex } from "../hosts/host-index.ts"
import { byPrecedence } from "../order.ts"
import { defaultBalancing } from "../parsed/balancing.ts"
import type { IngressesChange } from "../parsed/ingresses-change.ts"
import { hostsOf, type ParsedIngress, routesOf } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import { BackendNames, type FirstUse } from "./backend-names.ts"
import type { Canaries } from "./canaries.ts"
import { balancingFaults, type Owners, ownerAmong, type Session, sessionOf, type Use } from "./deciders.ts"
import { declaredBackend, type LastDeclared } from "./named-backends.ts"

/**
 * Which Service ports are used, and who decides about them. Kept from pass to pass: a backend is looked at again when an Ingress that names it
 * changed, or one of the routes to it was accepted or lost.
 */
export class BackendIndex {
  /** by the keys of backends, fallbacks included */
  readonly #namers = new SortedMultimap<ParsedIngress>(byPrecedence)
  readonly #owners = new Map<string, ParsedRoute>()
  readonly #sessions = new Map<string, Session>()
  readonly #names = new BackendNames()
  readonly #refs = new Map<string, BackendRef>()
  readonly #backends = new Map<string, DeclaredBackend>()
  /** Service port → the keys by which it is used: its own, and those with canaries; absent: its own alone, or none */
  readonly #keysOf = new Map<string, ReadonlySet<string>>()
  /** those with Problems */
  readonly #faulty = new Map<ParsedIngress, readonly Problem[]>()
  readonly #lastDeclared: LastDeclared = rememberedLast()
  readonly #inOrder = new SortedList<DeclaredBackend>((a, b) => compareText(a.name, b.name))

  /** The oldest route that names a backend owns it, accepted or not. */
  get owners(): Owners {
    return this.#owners
  }

  /** In order of their names. */
  get backends(): readonly DeclaredBackend[] {
    return this.#inOrder.items()
  }

  /** @returns the keys of the backends to settle */
  followIngresses({ added, removed }: IngressesChange): ReadonlySet<string> {
    const touched = new Set<string>()
    for (const ingress of removed) {
      for (const key of keysOf(ingress)) this.#namers.remove(key, ingress)
      this.#faulty.delete(ingress)
    }
    for (const ingress of added) for (const key of keysOf(ingress)) this.#namers.add(key, ingress)
    for (const ingress of [...removed, ...added]) for (const key of keysOf(ingress)) touched.add(key)
    for (const key of touched) setOrDelete(this.#owners, key, ownerAmong(this.#namers.of(key), key))
    return touched
  }

  /** The Ingresses that name a backend, the oldest first. */
  namersOf(key: string): readonly ParsedIngress[] {
    return this.#namers.of(key)
  }

  /** @param touched keys of Service ports, without canaries or with them */
  settle(touched: ReadonlySet<string>, hosts: HostIndex, canaries: Canaries): void {
    const ports = new Set([...touched].map(baseKey))
    const keys = new Set<string>()
    for (const port of ports) {
      const uses = usesOf(port, this.#namers.of(port), hosts, canaries)
      for (const key of this.#settleUses(port, uses)) keys.add(key)
    }
    const renamed = this.#names.settle()
    const decisions = { owners: this.#owners, sessions: this.#sessions, names: this.#names, canaries }
    for (const key of new Set([...keys, ...renamed])) {
      const ref = this.#refs.get(key)
      const backend = ref && declaredBackend(ref, decisions, this.#lastDeclared)
      const before = this.#backends.get(key)
      if (before === backend) continue
      if (before !== undefined) this.#inOrder.remove(before)
      if (backend !== undefined) this.#inOrder.add(backend)
      setOrDelete(this.#backends, key, backend)
    }
    this.#settleFaults(ports)
  }

  /** @returns the keys by which the Service port was used or is */
  #settleUses(port: string, uses: readonly Use[]): Iterable<string> {
    setOrDelete(this.#sessions, port, sessionOf(port, uses))
    const before = this.#keysOf.get(port) ?? new Set([port])
    const after = new Set(uses.flatMap(({ route }) => refsOf(route, port).map(({ key }) => key)))
    const hasCanaries = after.size > 1 || (after.size === 1 && !after.has(port))
    setOrDelete(this.#keysOf, port, hasCanaries ? after : undefined)
    const all = before.union(after)
    for (const key of all) this.#settleUse(key, uses)
    return all
  }

  #settleUse(key: string, uses: readonly Use[]): void {
    const first = firstUseOf(key, uses)
    const known = this.#refs.get(key) ?? first?.ref
    // Results are remembered with the first object that named the backend; all others say the same.
    setOrDelete(this.#refs, key, first && known)
    if (known !== undefined) this.#names.put(known, first)
  }

  #settleFaults(touched: ReadonlySet<string>): void {
    const concerned = new Set([...touched].flatMap((key) => this.#namers.of(key)))
    for (const ingress of concerned) {
      if (ingress.root.balancing === defaultBalancing) continue
      const problems = balancingFaults(ingress, this.#owners, this.#sessions)
      setOrDelete(this.#faulty, ingress, problems.length > 0 ? problems : undefined)
    }
  }

  /** Of the older Ingress before those of the younger. */
  problems(): readonly Problem[] {
    return [...this.#faulty].sort(([a], [b]) => byPrecedence(a, b)).flatMap(([, problems]) => problems)
  }
}

/** Every backend that an Ingress names, its fallback included. */
function keysOf(ingress: ParsedIngress): ReadonlySet<string> {
  return new Set(routesOf(ingress).flatMap(backendKeys))
}

/** The routes to a Service port that are accepted, as they are served, the oldest first. */
function usesOf(
  port: string,
  namers: readonly ParsedIngress[],
  hosts: HostIndex,
  canaries: Canaries,
): readonly Use[] {
  const uses: Use[] = []
  for (const ingress of namers) {
    let at = 0
    const add = (route: ParsedRoute, own: Iterable<string>): void => {
      at += 1
      for (const nested of route.nested ?? []) add(nested, own)
      if (refsOf(route, port).length === 0) return
      const accepted = hosts.whereAccepted(route, own)
      for (const [served, where] of accepted) uses.push({ ingress, route: served, at, hosts: where })
      if (accepted.size === 0 && canaries.routes.includes(route)) uses.push({ ingress, route, at, hosts: [] })
    }
    add(ingress.root, hostsOf(ingress))
    for (const { host, routes } of ingress.rules) for (const route of routes) add(route, [host])
    for (const route of ingress.server?.routes ?? []) add(route, hostsOf(ingress))
  }
  return uses
}

/** @param key of a Service port, without canaries or with them */
function firstUseOf(key: string, uses: readonly Use[]): FirstUse | undefined {
  const main = uses.find(({ route }) => route.backend?.key === key)
  if (main?.route.backend !== undefined) return firstUse(main.route.backend, main, false)
  const other = uses.find(({ route }) => refOf(route, key) !== undefined)
  const ref = other && refOf(other.route, key)
  return other && ref && firstUse(ref, other, true)
}

/** Of the use what is needed later. */
function firstUse(ref: BackendRef, { ingress, at }: Use, isFallback: boolean): FirstUse {
  return { ref, ingress, at, isFallback }
}
