import type { Problem } from "../../../model/problem.ts"
import type { Host } from "../../../model/route.ts"
import { LastResult, rememberedLast } from "../../../support/incremental/last-result.ts"
import { MappedList } from "../../../support/incremental/mapped-list.ts"
import { middleOf } from "../../../support/incremental/middle.ts"
import { getOrMake } from "../../../support/maps.ts"
import { compareText } from "../../../support/order.ts"
import { noDefaultBackend } from "../backends/default-backend.ts"
import type { ResolvedBackend, Target } from "../backends/resolved-backends.ts"
import type { MergedHost } from "../hosts/merged-host.ts"
import type { MergedIngresses } from "../merge.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { HostTls } from "../tls/host-tls.ts"
import { type Fault, faultsOf, noFaults } from "./faults.ts"
import { aliasHost, hostOf, type LastRoutes } from "./host-routes.ts"
import type { FindTarget } from "./serving.ts"

export interface Routing {
  readonly hosts: readonly Host[]
  /** what is wrong with the Services that routes name; once for each route */
  readonly problems: readonly Problem[]
}

interface RoutedHost {
  readonly host: Host
  /** what it was made with */
  readonly tls: HostTls
  readonly aliasOf: string | undefined
  readonly faults: readonly Fault[]
}

/** Leads every route to its backend. Kept from pass to pass: a host is the same object as long as it is merged the same and all its targets are the same. */
export class Routes {
  readonly #byKey = new Map<string, Target>()
  readonly #hosts = new MappedList<MergedHost, RoutedHost>((a, b) => compareText(a.host, b.host))
  readonly #lastRoutes: LastRoutes = rememberedLast()
  readonly #lastHosts = new LastResult<readonly Host[]>()
  #everyOther: Target = noDefaultBackend
  #backends: MergedIngresses["backends"] = []
  #resolved: readonly ResolvedBackend[] = []
  #last: { readonly merged: MergedIngresses; readonly routing: Routing } | undefined

  /**
   * @param resolved what `merged.backends` are in this snapshot, in the same order
   * @param byDefault the default backend; absent when there is none
   */
  lead(
    merged: MergedIngresses,
    resolved: readonly ResolvedBackend[],
    byDefault: ResolvedBackend | undefined,
  ): Routing {
    const everyOther = byDefault?.target ?? noDefaultBackend
    const moved = this.#followTargets(merged, resolved)
    if (everyOther !== this.#everyOther) moved.add(everyOther)
    this.#everyOther = everyOther
    if (moved.size === 0 && merged === this.#last?.merged) return this.#last.routing
    const routing = this.#route(merged, moved)
    this.#last = { merged, routing }
    return routing
  }

  #route(merged: MergedIngresses, moved: ReadonlySet<Target>): Routing {
    const everyOther = this.#everyOther
    const targetOf: FindTarget = (ref) => (ref && this.#byKey.get(ref.key)) ?? everyOther
    const leaders = leadersOf(merged)
    const routed = this.#hosts.map(merged.hosts, (host, before) => {
      const tls = merged.tls.of(host.host)
      const aliasOf = leaders.get(host.host)
      const isSame = before?.tls === tls && before.aliasOf === aliasOf
      if (isSame && (moved.size === 0 || !isConcerned(host, moved, targetOf))) return before
      return this.#routedHost(host, tls, targetOf, aliasOf)
    })
    const hosts = this.#lastHosts.of([routed], () => routed.map(({ host }) => host))
    return { hosts, problems: problemsOf(routed, merged.canaries, targetOf) }
  }

  /** @param aliasOf absent: it has routes of its own */
  #routedHost(
    merged: MergedHost,
    tls: HostTls,
    targetOf: FindTarget,
    aliasOf: string | undefined,
  ): RoutedHost {
    const own = aliasOf === undefined ? merged.routes : []
    const faults = own.flatMap((route) => faultsOf(route, targetOf))
    const host =
      aliasOf === undefined ? hostOf(merged, tls, targetOf, this.#lastRoutes) : aliasHost(merged, aliasOf)
    return { host, tls, aliasOf, faults: faults.length === 0 ? noFaults : faults }
  }

  /** @returns the targets that are not those of the pass before */
  #followTargets({ backends }: MergedIngresses, resolved: readonly ResolvedBackend[]): Set<Target> {
    const moved = new Set<Target>()
    const before = backends === this.#backends ? this.#resolved : []
    // of backends that are gone
    if (backends !== this.#backends && this.#byKey.size > 2 * backends.length) this.#byKey.clear()
    this.#backends = backends
    this.#resolved = resolved
    const { start, endAfter } = middleOf(before, resolved)
    for (let at = start; at < endAfter; at += 1) {
      const [one, key] = [resolved[at], backends[at]?.ref.key]
      if (!one || key === undefined || this.#byKey.get(key) === one.target) continue
      this.#byKey.set(key, one.target)
      moved.add(one.target)
    }
    return moved
  }
}

function isConcerned(
  { routes, clients }: MergedHost,
  moved: ReadonlySet<Target>,
  targetOf: FindTarget,
): boolean {
  const all = clients?.kind === "nobody" ? [...routes, clients.root] : routes
  return all.some(({ backend, proxying: { fallback, errorPages, mirror }, access: { external } }) => {
    if (moved.has(targetOf(backend))) return true
    if (external !== undefined && moved.has(targetOf(external.ref))) return true
    if (mirror !== undefined && moved.has(targetOf(mirror.ref))) return true
    if (errorPages !== "none" && moved.has(targetOf(undefined))) return true
    return fallback !== undefined && moved.has(targetOf(fallback))
  })
}

/**
 * The host that each alias refers to, by the alias: that of the rules, unless one of the two alone has a certificate, so that what is redirected to
 * HTTPS differs; then the first alias like it, which has routes of its own. So each host has two records with routes at most, however many
 * names it has. `_` has routes that are no alias's.
 */
function leadersOf({ hosts, tls }: MergedIngresses): ReadonlyMap<string, string> {
  const leaders = new Map<string, string>()
  const others = new Map<string, string>()
  for (const { host, aliasOf } of hosts) {
    if (aliasOf === undefined || aliasOf === "_") continue
    const isLike = tls.of(host).isCertified === tls.of(aliasOf).isCertified
    const leader = isLike ? aliasOf : getOrMake(others, aliasOf, () => host)
    if (leader !== host) leaders.set(host, leader)
  }
  return leaders
}

function problemsOf(
  routed: readonly RoutedHost[],
  canaries: readonly ParsedRoute[],
  targetOf: FindTarget,
): readonly Problem[] {
  const faults = new Map<Fault[0], Problem>()
  for (const host of routed) for (const [by, problem] of host.faults) faults.set(by, problem)
  for (const [by, problem] of canaries.flatMap((route) => faultsOf(route, targetOf))) faults.set(by, problem)
  return [...faults.values()]
}
