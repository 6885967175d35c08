import type { Problem } from "../../../model/problem.ts"
import { sameItems } from "../../../support/incremental/last-result.ts"
import { SortedMultimap } from "../../../support/incremental/multimap.ts"
import { SortedList, withItems } from "../../../support/incremental/sorted-list.ts"
import { byText } from "../../../support/order.ts"
import { type ClaimsChange, mentionedIn } from "../claims-of-all.ts"
import { hostsOf, type IngressClaims, type RouteClaim } from "../ingress/claim.ts"
import { byPrecedence } from "../order.ts"
import { distinctProblems } from "../problems.ts"
import { type HostDemand, type SettledHost, settleHost } from "./hosts.ts"
import { type OtherName, otherNamesOf } from "./other-names.ts"
import type { CanaryOwner } from "./without-canaries.ts"

const noNames: readonly string[] = []
const byHost = byText(({ host }: HostDemand) => host)

/**
 * Who has which path of which host. Kept from pass to pass: a host is settled again when an Ingress that mentions it changed, and its demand is
 * the same object as long as it says the same.
 */
export class HostLedger {
  readonly #unclaimed: RouteClaim
  readonly #mentions = new SortedMultimap<IngressClaims>(byPrecedence)
  readonly #settled = new Map<string, SettledHost>()
  /** those with Problems */
  readonly #faulty = new Map<string, SettledHost>()
  readonly #own = new SortedList<HostDemand>(byHost)
  #names: ReadonlyMap<string, OtherName> = new Map()
  #others: ReadonlyMap<string, HostDemand> = new Map()
  #aliases: ReadonlyMap<string, readonly string[]> = new Map()
  #nameProblems: readonly Problem[] = []

  /** @param unclaimed the `/` of `_` as long as no Ingress claims it */
  constructor(unclaimed: RouteClaim) {
    this.#unclaimed = unclaimed
  }

  /** @returns the hosts to settle */
  note(change: ClaimsChange): Set<string> {
    const { added, removed } = change
    const touched = mentionedIn(change)
    if (!this.#settled.has("_")) touched.add("_")
    for (const claims of removed) for (const host of hostsOf(claims)) this.#mentions.remove(host, claims)
    for (const claims of added) for (const host of hostsOf(claims)) this.#mentions.add(host, claims)
    return touched
  }

  /** @returns the claims that are met now and were not before, or the other way round */
  settle(hosts: ReadonlySet<string>, ownerOf: CanaryOwner): readonly RouteClaim[] {
    const changed: RouteClaim[] = []
    for (const host of hosts) {
      const before = this.#settled.get(host)
      const after = this.#settleOne(host, before, ownerOf)
      if (before?.demand === after?.demand) continue
      changed.push(...difference(before, after), ...difference(after, before))
      if (before !== undefined) this.#own.remove(before.demand)
      if (after !== undefined) this.#own.add(after.demand)
    }
    return changed
  }

  #settleOne(host: string, before: SettledHost | undefined, ownerOf: CanaryOwner): SettledHost | undefined {
    const fresh = settleHost(host, this.#mentions.of(host), ownerOf, this.#unclaimed)
    this.#faulty.delete(host)
    if (fresh === undefined) {
      this.#settled.delete(host)
      return undefined
    }
    const isSame = before !== undefined && saysSame(before.demand, fresh.demand)
    const after = isSame ? { ...before, problems: fresh.problems } : fresh
    this.#settled.set(host, after)
    if (after.problems.length > 0) this.#faulty.set(host, after)
    return after
  }

  /**
   * Gives hosts their other names.
   *
   * @param claims those of Ingresses that want some and are no canaries, the oldest first
   */
  rename(claims: readonly IngressClaims[]): void {
    const problems: Problem[] = []
    const found = otherNamesOf(claims, (name) => this.#settled.has(name), problems)
    this.#names = found
    this.#others = new Map([...found].map(([name, other]) => [name, this.#otherDemand(name, other)]))
    const aliases = [...found].flatMap(([name, other]) =>
      other.kind === "alias" ? [{ name, of: other.of }] : [],
    )
    const byHost = Map.groupBy(aliases, (alias) => alias.of)
    this.#aliases = new Map([...byHost].map(([host, of]) => [host, of.map(({ name }) => name)]))
    this.#nameProblems = problems
  }

  #otherDemand(host: string, other: OtherName): HostDemand {
    const { routes = [], clients } = this.find(other.of) ?? {}
    const own = other.kind === "redirect" ? [other.root] : routes
    const fresh = { host, routes: own, ...(clients && { clients }) }
    const before = this.#others.get(host)
    return before !== undefined && saysSame(before, fresh) ? before : fresh
  }

  /** The claims that mention a host and are no canary's, the oldest first. */
  mains(host: string): readonly IngressClaims[] {
    return this.#mentions.of(host).filter(({ root }) => root.balancing.canary === undefined)
  }

  /** Names beside those of rules. */
  others(): ReadonlyMap<string, OtherName> {
    return this.#names
  }

  /** A host that rules name, or `_`. */
  find(host: string): HostDemand | undefined {
    return this.#settled.get(host)?.demand
  }

  /** Where a claim is met: those of the given hosts of its Ingress, and their aliases. */
  whereMet(claim: RouteClaim, hosts: Iterable<string>): readonly string[] {
    const met = [...hosts].filter((host) => this.#settled.get(host)?.met.has(claim) === true)
    return met.flatMap((host) => [host, ...this.aliasesOf(host)])
  }

  aliasesOf(host: string): readonly string[] {
    return this.#aliases.get(host) ?? noNames
  }

  /** Hosts that have aliases. */
  withAliases(): readonly HostDemand[] {
    return [...this.#aliases.keys()].flatMap((host) => this.find(host) ?? [])
  }

  /** All names, in canonical order. */
  all(): readonly HostDemand[] {
    return withItems(this.#own.items(), [...this.#others.values()], byHost)
  }

  /** Of the hosts in canonical order, then of their other names; what several hosts have to say about one claim is said once. */
  problems(): readonly Problem[] {
    const inOrder = [...this.#faulty.values()]
      .sort((a, b) => byHost(a.demand, b.demand))
      .flatMap(({ problems }) => problems)
    return [...distinctProblems(inOrder), ...this.#nameProblems]
  }
}

function saysSame(a: HostDemand, b: HostDemand): boolean {
  return a.clients === b.clients && sameItems(a.routes, b.routes)
}

function difference(a: SettledHost | undefined, b: SettledHost | undefined): readonly RouteClaim[] {
  return a === undefined ? [] : a.demand.routes.filter((route) => b?.met.has(route) !== true)
}
