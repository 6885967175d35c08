import type { Problem } from "../../../model/problem.ts"
import { sameItems } from "../../../support/incremental/last-result.ts"
import { SortedMultimap } from "../../../support/incremental/multimap.ts"
import { SortedList, withItems } from "../../../support/incremental/sorted-list.ts"
import { getOrMake } from "../../../support/maps.ts"
import { compareText } from "../../../support/order.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import { distinctProblems } from "../../declared/problems.ts"
import { byPrecedence } from "../order.ts"
import { hostsIn, type IngressesChange } from "../parsed/ingresses-change.ts"
import { hostsOf, isCanary, type ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import { declaredHost } from "./declared-host.ts"
import { DerivedRoutes } from "./derived-routes.ts"
import { type MergedHost, type MergeRules, mergeHost, type SettledHost } from "./merged-host.ts"
import { type OtherName, otherNamesOf } from "./other-names.ts"
import { isForeign } from "./ownership.ts"
import type { RoutesChange } from "./routes-change.ts"
import type { CanaryOwner } from "./without-canaries.ts"

const noNames: readonly string[] = []
const byHost = (a: Pick<DeclaredHost, "host">, b: Pick<DeclaredHost, "host">) => compareText(a.host, b.host)

/** A host as it is merged, and as it is handed over. */
interface KnownHost extends SettledHost {
  readonly declared: DeclaredHost
}

/**
 * Who has which path of which host. Kept from pass to pass: a host is merged again when an Ingress that mentions it changed, and is
 * the same object as long as it says the same.
 */
export class HostIndex {
  readonly #rules: MergeRules
  readonly #mentions = new SortedMultimap<ParsedIngress>(byPrecedence)
  readonly #hosts = new Map<string, KnownHost>()
  /** those with Problems */
  readonly #faulty = new Map<string, KnownHost>()
  readonly #own = new SortedList<DeclaredHost>(byHost)
  #names: ReadonlyMap<string, OtherName> = new Map()
  #others: ReadonlyMap<string, Pick<KnownHost, "merged" | "declared">> = new Map()
  #aliases: ReadonlyMap<string, readonly string[]> = new Map()
  #nameProblems: readonly Problem[] = []

  constructor(rules: Omit<MergeRules, "derived">) {
    this.#rules = { ...rules, derived: new DerivedRoutes() }
  }

  /** @returns the hosts to merge again */
  followIngresses(change: IngressesChange): ReadonlySet<string> {
    const { added, removed } = change
    const touched = hostsIn(change)
    if (!this.#hosts.has("_")) touched.add("_")
    for (const ingress of removed) for (const host of hostsOf(ingress)) this.#mentions.remove(host, ingress)
    for (const ingress of added) for (const host of hostsOf(ingress)) this.#mentions.add(host, ingress)
    return touched
  }

  settle(hosts: ReadonlySet<string>, ownerOf: CanaryOwner): RoutesChange {
    const added: ParsedRoute[] = []
    const removed: ParsedRoute[] = []
    for (const host of hosts) {
      const before = this.#hosts.get(host)
      const after = this.#mergeOne(host, before, ownerOf)
      if (before?.merged === after?.merged) continue
      added.push(...difference(after, before))
      removed.push(...difference(before, after))
      if (before !== undefined) this.#own.remove(before.declared)
      if (after !== undefined) this.#own.add(after.declared)
    }
    return { added, removed }
  }

  #mergeOne(host: string, before: KnownHost | undefined, ownerOf: CanaryOwner): KnownHost | undefined {
    const fresh = mergeHost(host, this.#mentions.of(host), ownerOf, this.#rules)
    this.#faulty.delete(host)
    if (fresh === undefined) {
      this.#hosts.delete(host)
      return undefined
    }
    const isSame = before !== undefined && saysSame(before.merged, fresh.merged)
    const after = isSame
      ? { ...before, problems: fresh.problems }
      : { ...fresh, declared: declaredHost(fresh.merged, this.#rules.derived) }
    this.#hosts.set(host, after)
    if (after.problems.length > 0) this.#faulty.set(host, after)
    return after
  }

  /**
   * Gives hosts their other names.
   *
   * @param ingresses that want some and are no canaries, the oldest first
   */
  rename(ingresses: readonly ParsedIngress[]): void {
    const problems: Problem[] = []
    const around = {
      isOwn: (name: string) => this.#hosts.has(name),
      ownerOf: (host: string) => this.find(host)?.owner,
      ownership: this.#rules.ownership,
      derived: this.#rules.derived,
    }
    const found = otherNamesOf(ingresses, around, problems)
    this.#names = found
    this.#others = new Map([...found].map(([name, other]) => [name, this.#mergedOther(name, other)]))
    const aliases = [...found].flatMap(([name, other]) =>
      other.kind === "alias" ? [{ name, of: other.of }] : [],
    )
    const byHost = Map.groupBy(aliases, (alias) => alias.of)
    this.#aliases = new Map([...byHost].map(([host, of]) => [host, of.map(({ name }) => name)]))
    this.#nameProblems = problems
  }

  #mergedOther(host: string, other: OtherName): Pick<KnownHost, "merged" | "declared"> {
    const { routes = [], clients, owner, server } = this.find(other.of) ?? {}
    const own = other.kind === "redirect" ? [other.root] : routes
    const alias = other.kind === "alias" && { aliasOf: other.of, ...(server && { server }) }
    const fresh = { host, ...(owner && { owner }), routes: own, ...(clients && { clients }), ...alias }
    const before = this.#others.get(host)
    if (before !== undefined && saysSame(before.merged, fresh)) return before
    return { merged: fresh, declared: declaredHost(fresh, this.#rules.derived) }
  }

  /** The Ingresses that mention a host and are no canaries, the oldest first. */
  mains(host: string): readonly ParsedIngress[] {
    return this.#mentions.of(host).filter((ingress) => !isCanary(ingress))
  }

  /** Those of them that may say something of the host as a whole. */
  speakers(host: string): readonly ParsedIngress[] {
    const owner = this.find(host)?.owner
    return this.mains(host).filter(({ root }) => !isForeign(root, owner))
  }

  /** Names beside those of rules. */
  others(): ReadonlyMap<string, OtherName> {
    return this.#names
  }

  /** A host that rules name, or `_`. */
  find(host: string): MergedHost | undefined {
    return this.#hosts.get(host)?.merged
  }

  /** What a route is served as, and where: among the given hosts of its Ingress, and their aliases. */
  whereAccepted(route: ParsedRoute, hosts: Iterable<string>): ReadonlyMap<ParsedRoute, readonly string[]> {
    const found = new Map<ParsedRoute, string[]>()
    for (const host of hosts) {
      const served = this.#hosts.get(host)?.accepted.get(route)
      if (served !== undefined) getOrMake(found, served, () => []).push(host, ...this.aliasesOf(host))
    }
    return found
  }

  aliasesOf(host: string): readonly string[] {
    return this.#aliases.get(host) ?? noNames
  }

  /** Hosts that have aliases. */
  withAliases(): readonly MergedHost[] {
    return [...this.#aliases.keys()].flatMap((host) => this.find(host) ?? [])
  }

  /** All names, in canonical order. */
  all(): readonly DeclaredHost[] {
    const others = [...this.#others.values()].map(({ declared }) => declared)
    return withItems(this.#own.items(), others, byHost)
  }

  /** Of the hosts in canonical order, then of their other names; what several hosts have to say about one route is said once. */
  problems(): readonly Problem[] {
    const inOrder = [...this.#faulty.values()]
      .sort((a, b) => byHost(a.merged, b.merged))
      .flatMap(({ problems }) => problems)
    return [...distinctProblems(inOrder), ...this.#nameProblems]
  }
}

function saysSame(a: MergedHost, b: MergedHost): boolean {
  const isOwnerSame = a.owner?.namespace === b.owner?.namespace && a.owner?.oldest === b.owner?.oldest
  const isServerSame =
    a.server?.steps === b.server?.steps &&
    a.server?.serverText === b.server?.serverText &&
    sameItems(a.server?.routes ?? [], b.server?.routes ?? [])
  return (
    isOwnerSame &&
    isServerSame &&
    a.clients === b.clients &&
    a.aliasOf === b.aliasOf &&
    sameItems(a.routes, b.routes)
  )
}

function difference(a: KnownHost | undefined, b: KnownHost | undefined): readonly ParsedRoute[] {
  if (a === undefined) return []
  const others = new Set(b === undefined ? [] : allRoutes(b.merged))
  return allRoutes(a.merged).filter((route) => !others.has(route))
}

/** With those of location blocks. */
function allRoutes({ routes, server }: MergedHost): readonly ParsedRoute[] {
  return [...routes.flatMap((route) => [route, ...(route.nested ?? [])]), ...(server?.routes ?? [])]
}
