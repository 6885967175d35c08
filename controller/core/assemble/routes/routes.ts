import { byHost } from "../../../model/host-name.ts"
import { contentOf, type Problem } from "../../../model/problem.ts"
import type { Host } from "../../../model/route.ts"
import { DistinctList } from "../../../support/incremental/distinct-list.ts"
import { rememberedLast } from "../../../support/incremental/last-result.ts"
import { MappedList } from "../../../support/incremental/mapped-list.ts"
import { middleOf } from "../../../support/incremental/middle.ts"
import { ProjectedList } from "../../../support/incremental/projected-list.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { Declarations } from "../../declared/declarations.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import type { Rule } from "../../declared/rule.ts"
import { noDefaultBackend } from "../backends/default-backend.ts"
import type { ResolvedBackend, Target } from "../backends/resolved-backends.ts"
import type { HostTls } from "../tls/host-tls.ts"
import type { MergedTls } from "../tls/tls-index.ts"
import { isAmong, isConcerned, isNothing, type Moved, namedBy, placesNaming, type Ref } from "./concerned.ts"
import { faultsOf } from "./faults.ts"
import type { FindTarget } from "./find-target.ts"
import { aliasHost, hostOf, type LastRoutes } from "./host-routes.ts"

export interface Routing {
  readonly hosts: readonly Host[]
  /** what is wrong with the Services that rules name; each once */
  readonly problems: readonly Problem[]
}

interface RoutedHost {
  readonly host: Host
  /** what it was made with */
  readonly tls: HostTls
  readonly aliasOf: string | undefined
  readonly faults: readonly Problem[]
}

interface Last {
  readonly declared: Declarations
  readonly tls: Pick<MergedTls, "of">
  readonly routing: Routing
}

const noFaults: readonly Problem[] = []

/** Leads every route to its backend. Kept from pass to pass: a host is the same object as long as it is merged the same and all its targets are the same. */
export class Routes {
  readonly #byKey = new Map<string, Target>()
  readonly #hosts = new MappedList<DeclaredHost, RoutedHost>(byHost)
  readonly #namedBy = new ProjectedList(namedBy)
  readonly #lastRoutes: LastRoutes = rememberedLast()
  readonly #problems = new DistinctList<Problem>(contentOf)
  readonly #hostsOf = new ProjectedList<RoutedHost, Host>(({ host }) => host)
  readonly #faultsOf = new ProjectedList<RoutedHost, readonly Problem[]>(({ faults }) => faults)
  #everyOther: Target = noDefaultBackend
  #resolved: readonly ResolvedBackend[] = []
  #last: Last | undefined
  /** in the last pass */
  #hasAliases = false

  /**
   * @param resolved what `declared.backends` are in this snapshot, in the same order
   * @param byDefault the default backend; absent when there is none
   */
  lead(
    declared: Declarations,
    tls: Pick<MergedTls, "of">,
    resolved: readonly ResolvedBackend[],
    byDefault: ResolvedBackend | undefined,
  ): Routing {
    const everyOther = byDefault?.target ?? noDefaultBackend
    const moved = this.#followTargets(declared, resolved, everyOther)
    const last = this.#last
    if (isNothing(moved) && last?.declared === declared && last.tls === tls) return last.routing
    const routing = this.#route(declared, tls, moved)
    this.#last = { declared, tls, routing }
    return routing
  }

  #route({ hosts: declared, otherRules }: Declarations, tls: Pick<MergedTls, "of">, moved: Moved): Routing {
    const everyOther = this.#everyOther
    const targetOf: FindTarget = (ref) => (ref && this.#byKey.get(ref.key)) ?? everyOther
    const routed = this.#routed(declared, tls, moved, targetOf)
    const problems = problemsOf(this.#faultsOf.of(routed), otherRules, targetOf)
    return { hosts: this.#hostsOf.of(routed), problems: this.#problems.of(problems) }
  }

  #routed(
    declared: readonly DeclaredHost[],
    tls: Pick<MergedTls, "of">,
    moved: Moved,
    targetOf: FindTarget,
  ): readonly RoutedHost[] {
    const leaders = leadersOf(declared, tls)
    const make = (host: DeclaredHost) => this.#routedHost(host, tls.of(host), targetOf, leaders.get(host))
    const hadAliases = this.#hasAliases
    this.#hasAliases = leaders.size > 0
    const concerned = this.#concerned(declared, moved)
    if (tls.of === this.#last?.tls.of && !hadAliases && leaders.size === 0) {
      this.#hosts.mapNew(declared, make)
      return this.#hosts.remap(concerned, make)
    }
    const among = new Set(concerned.map((at) => declared[at]))
    return this.#hosts.map(declared, (host, before) => {
      const isSame = before?.tls === tls.of(host) && before.aliasOf === leaders.get(host)
      return isSame && !among.has(host) ? before : make(host)
    })
  }

  /** Places of the hosts in the list. */
  #concerned(hosts: readonly DeclaredHost[], moved: Moved): readonly number[] {
    if (isNothing(moved)) return []
    if (!moved.isDefault) return placesNaming(this.#namedBy.of(hosts), moved.keys)
    const isMoved = (ref: Ref) => isAmong(moved, ref, this.#byKey)
    return [...hosts.keys()].filter((at) => isConcerned(hosts[at], isMoved))
  }

  /** @param aliasOf absent: it has routes of its own */
  #routedHost(
    declared: DeclaredHost,
    tls: HostTls,
    targetOf: FindTarget,
    aliasOf: string | undefined,
  ): RoutedHost {
    const own = aliasOf === undefined ? declared.rules : []
    const faults = own.flatMap((rule) => faultsOf(rule, targetOf))
    const host =
      aliasOf === undefined ? hostOf(declared, tls, targetOf, this.#lastRoutes) : aliasHost(declared, aliasOf)
    return { host, tls, aliasOf, faults: faults.length === 0 ? noFaults : faults }
  }

  /** @returns what leads elsewhere than in the pass before */
  #followTargets(
    { backends }: Declarations,
    resolved: readonly ResolvedBackend[],
    everyOther: Target,
  ): Moved {
    const keys = new Set<string>()
    const isDefault = everyOther !== this.#everyOther
    this.#everyOther = everyOther
    // of backends that are gone
    const areTooMany = this.#byKey.size > 2 * backends.length
    if (areTooMany) this.#byKey.clear()
    const before = areTooMany ? [] : this.#resolved
    const { start, endAfter } = middleOf(before, resolved)
    this.#resolved = resolved
    for (let at = start; at < endAfter; at += 1) {
      // Only what is another object is looked at: to touch all of them takes longer than everything else.
      if (resolved[at] === before[at]) continue
      const [one, key] = [resolved[at], backends[at]?.ref.key]
      if (!one || key === undefined || this.#byKey.get(key) === one.target) continue
      this.#byKey.set(key, one.target)
      keys.add(key)
    }
    return { keys, isDefault }
  }
}

/**
 * The host that each alias refers to, by the alias: that of the rules, unless one of the two alone has a certificate, so that what is redirected to
 * HTTPS differs; then the first alias like it, which has routes of its own. So each host has two records with routes at most, however many
 * names it has. `_` has routes that are no alias's.
 */
function leadersOf(
  declared: readonly DeclaredHost[],
  tls: Pick<MergedTls, "of">,
): ReadonlyMap<DeclaredHost, string> {
  const leaders = new Map<DeclaredHost, string>()
  const others = new Map<string, string>()
  for (const one of declared) {
    const { server, host, aliasOf } = one
    if (aliasOf === undefined || aliasOf === "_") continue
    const isLike = tls.of(one).isCertified === tls.of({ server, host: aliasOf }).isCertified
    const leader = isLike ? aliasOf : getOrMake(others, `${server} ${aliasOf}`, () => host)
    if (leader !== host) leaders.set(one, leader)
  }
  return leaders
}

function problemsOf(
  ofHosts: readonly (readonly Problem[])[],
  otherRules: readonly Rule[],
  targetOf: FindTarget,
): readonly Problem[] {
  const all: Problem[] = []
  for (const faults of ofHosts) if (faults !== noFaults) all.push(...faults)
  for (const rule of otherRules) all.push(...faultsOf(rule, targetOf, "it gets no requests"))
  return all
}
