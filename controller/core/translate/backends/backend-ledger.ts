import type { Problem } from "../../../model/problem.ts"
import { SortedMultimap } from "../../../support/incremental/multimap.ts"
import { SortedList } from "../../../support/incremental/sorted-list.ts"
import { setOrDelete } from "../../../support/maps.ts"
import { byText } from "../../../support/order.ts"
import type { ClaimsChange } from "../claims-of-all.ts"
import type { HostLedger } from "../hosts/host-ledger.ts"
import { saysNothing } from "../ingress/balancing.ts"
import { type BackendRef, hostsOf, type IngressClaims, type RouteClaim, routesOf } from "../ingress/claim.ts"
import { byPrecedence } from "../order.ts"
import { BackendNames, type FirstUse } from "./backend-names.ts"
import type { Canaries } from "./canaries.ts"
import { type Owners, overruled, ownerAmong, type Session, sessionOf, type Use } from "./deciders.ts"
import { type NamedBackend, namedBackend } from "./named.ts"

/**
 * Which Service ports are used, and who decides about them. Kept from pass to pass: a backend is looked at again when an Ingress that names it
 * changed, or one of the claims on it was met or lost.
 */
export class BackendLedger {
  /** by the keys of backends, stand-ins included */
  readonly #namers = new SortedMultimap<IngressClaims>(byPrecedence)
  readonly #owners = new Map<string, RouteClaim>()
  readonly #sessions = new Map<string, Session>()
  readonly #names = new BackendNames()
  readonly #refs = new Map<string, BackendRef>()
  readonly #backends = new Map<string, NamedBackend>()
  readonly #overruled = new Map<IngressClaims, readonly Problem[]>()
  readonly #inOrder = new SortedList<NamedBackend>(byText(({ name }) => name))

  /** Whoever names a backend first owns it, whether the claim is met or not. */
  get owners(): Owners {
    return this.#owners
  }

  /** In order of their names. */
  get backends(): readonly NamedBackend[] {
    return this.#inOrder.items()
  }

  /** @returns the keys of the backends to settle */
  note({ added, removed }: ClaimsChange): Set<string> {
    const touched = new Set<string>()
    for (const claims of removed) {
      for (const key of keysOf(claims)) this.#namers.remove(key, claims)
      this.#overruled.delete(claims)
    }
    for (const claims of added) for (const key of keysOf(claims)) this.#namers.add(key, claims)
    for (const claims of [...removed, ...added]) for (const key of keysOf(claims)) touched.add(key)
    for (const key of touched) setOrDelete(this.#owners, key, ownerAmong(this.#namers.of(key), key))
    return touched
  }

  /** The Ingresses that name a backend, the oldest first. */
  namersOf(key: string): readonly IngressClaims[] {
    return this.#namers.of(key)
  }

  settle(touched: ReadonlySet<string>, hosts: HostLedger, canaries: Canaries): void {
    for (const key of touched) this.#settleUses(key, usesOf(key, this.#namers.of(key), hosts, canaries))
    const renamed = this.#names.settle()
    const decisions = { owners: this.#owners, sessions: this.#sessions, names: this.#names, canaries }
    for (const key of new Set([...touched, ...renamed])) {
      const ref = this.#refs.get(key)
      const backend = ref && namedBackend(ref, decisions)
      const before = this.#backends.get(key)
      if (before === backend) continue
      if (before !== undefined) this.#inOrder.remove(before)
      if (backend !== undefined) this.#inOrder.add(backend)
      setOrDelete(this.#backends, key, backend)
    }
    this.#settleOverruled(touched)
  }

  #settleUses(key: string, uses: readonly Use[]): void {
    setOrDelete(this.#sessions, key, sessionOf(key, uses))
    const first = firstUseOf(key, uses)
    const known = this.#refs.get(key) ?? first?.ref
    // What is remembered of a backend hangs on the first object that named it, which says the same as all others.
    setOrDelete(this.#refs, key, first && known)
    if (known !== undefined) this.#names.put(known, first)
  }

  #settleOverruled(touched: ReadonlySet<string>): void {
    const concerned = new Set([...touched].flatMap((key) => this.#namers.of(key)))
    for (const claims of concerned) {
      if (saysNothing(claims.root.balancing)) continue
      const problems = overruled(claims, this.#owners, this.#sessions)
      setOrDelete(this.#overruled, claims, problems.length > 0 ? problems : undefined)
    }
  }

  /** Of the older Ingress before those of the younger. */
  problems(): readonly Problem[] {
    return [...this.#overruled].sort(([a], [b]) => byPrecedence(a, b)).flatMap(([, problems]) => problems)
  }
}

/** Every backend that an Ingress names, its stand-in included. */
function keysOf(claims: IngressClaims): ReadonlySet<string> {
  const refs = routesOf(claims).flatMap(({ backend, proxying }) => [backend, proxying.standIn])
  return new Set(refs.flatMap((ref) => ref?.key ?? []))
}

/** The claims on a backend that are met, the oldest first. */
function usesOf(
  key: string,
  namers: readonly IngressClaims[],
  hosts: HostLedger,
  canaries: Canaries,
): readonly Use[] {
  const uses: Use[] = []
  for (const claims of namers) {
    let at = 0
    const add = (claim: RouteClaim, own: Iterable<string>) => {
      at += 1
      if (claim.backend?.key !== key && claim.proxying.standIn?.key !== key) return
      const where = hosts.whereMet(claim, own)
      if (where.length > 0 || canaries.claims.includes(claim)) uses.push({ claims, claim, at, hosts: where })
    }
    add(claims.root, hostsOf(claims))
    for (const { host, routes } of claims.rules) for (const route of routes) add(route, [host])
  }
  return uses
}

function firstUseOf(key: string, uses: readonly Use[]): FirstUse | undefined {
  const main = uses.find(({ claim }) => claim.backend?.key === key)
  if (main?.claim.backend !== undefined) return { ref: main.claim.backend, ...main, isStandIn: false }
  const [other] = uses
  const ref = other?.claim.proxying.standIn
  return other && ref && { ref, ...other, isStandIn: true }
}
