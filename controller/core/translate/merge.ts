import type { AddressList, UserList } from "../../model/access.ts"
import type { Policy } from "../../model/policy.ts"
import type { Problem } from "../../model/problem.ts"
import type { SecretFile } from "../../model/secret-file.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { BackendIndex } from "./backends/backend-index.ts"
import { type Canaries, canariesOf } from "./backends/canaries.ts"
import { implicitRoot } from "./backends/default-backend.ts"
import type { NamedBackend } from "./backends/named.ts"
import type { Context } from "./context.ts"
import { HostIndex } from "./hosts/host-index.ts"
import type { MergedHost } from "./hosts/merged-host.ts"
import type { RoutesChange } from "./hosts/routes-change.ts"
import type { UserLists } from "./ingress/user-list.ts"
import { MergedLists } from "./merged-lists.ts"
import { MergedPolicies } from "./merged-policies.ts"
import type { IngressesChange } from "./parsed/ingresses-change.ts"
import { hostsOf, isCanary, type ParsedIngress, routesOf } from "./parsed/parsed-ingress.ts"
import { backendKeys, type ParsedRoute } from "./parsed/parsed-route.ts"
import { type IngressFacts, ParsedIngresses } from "./parsed-ingresses.ts"
import { type MergedPassthroughs, mergePassthroughs } from "./passthrough/merged-passthroughs.ts"
import { type MergedTls, TlsIndex } from "./tls/tls-index.ts"

/** All Ingresses together, with conflicts settled. Depends on no Service and no endpoint, so it outlives their changes. */
export interface MergedIngresses {
  /** the oldest first */
  readonly ingresses: readonly ParsedIngress[]
  /** by name, each with its `/`; `_` is always there */
  readonly hosts: readonly MergedHost[]
  /** the routes of canaries that are accepted: no host has them, but their backends are used */
  readonly canaries: readonly ParsedRoute[]
  readonly backends: readonly NamedBackend[]
  readonly policies: readonly Policy[]
  readonly files: readonly SecretFile[]
  readonly addressLists: readonly AddressList[]
  readonly userLists: readonly UserList[]
  readonly problems: readonly Problem[]
  readonly tls: MergedTls
  readonly passthroughs: MergedPassthroughs
}

const noCanaries: Canaries = { routes: [], alternatives: new Map(), sessions: new Map() }
const nothingChanged: IngressesChange = { added: [], removed: new Set() }

/**
 * Merges all Ingresses, the older before the younger (behaviour of ingress-nginx). What a change does not concern is kept from the pass before; the
 * result is that of a pass from scratch.
 */
export class IngressMerger {
  readonly #ingresses: ParsedIngresses
  readonly #hosts: HostIndex
  readonly #backends = new BackendIndex()
  readonly #tls: TlsIndex
  readonly #policies: MergedPolicies
  readonly #lists = new MergedLists()
  /** key of a backend that a canary has brought in → the canary's route */
  #canaryOwners: ReadonlyMap<string, ParsedRoute> = new Map()
  #canaries: Canaries = noCanaries
  #merged: MergedIngresses | undefined

  constructor(context: Context, users: UserLists) {
    this.#ingresses = new ParsedIngresses(context, users)
    const { settings, options } = context
    this.#hosts = new HostIndex({
      ownership: settings,
      prefix: options.annotationsPrefix,
      implicitRoot: implicitRoot(context),
    })
    this.#tls = new TlsIndex(context)
    this.#policies = new MergedPolicies(context.options.passesTls)
  }

  /** @returns the same object as long as nothing changes */
  merge(objects: Snapshot, facts: IngressFacts): MergedIngresses {
    const change = this.#ingresses.followObjects(objects, facts)
    const known = change === undefined ? this.#merged : undefined
    const settled = known ?? this.#settle(change ?? nothingChanged)
    const tls = this.#tls.followHosts(change ?? nothingChanged, this.#hosts, facts.tlsSecrets)
    this.#merged = tls === known?.tls ? known : { ...settled, tls }
    return this.#merged
  }

  /** Each step says which hosts or backends it touched; the hosts are settled before the backends, as routes to those are accepted there. */
  #settle(change: IngressesChange): Omit<MergedIngresses, "tls"> {
    const canaries = this.#ingresses.all.filter(isCanary)
    const mentionedHosts = this.#hosts.followIngresses(change)
    const namedBackends = this.#backends.followIngresses(change)
    const disputedHosts = this.#followCanaryOwners(canaries)
    const accepted = this.#hosts.settle(mentionedHosts.union(disputedHosts), (route) =>
      this.#canaryOwnerOf(route),
    )
    this.#followRoutes(accepted)
    const renamedBackends = this.#followOtherNames()
    const { problems, divertedBackends } = this.#followCanaries(canaries)
    const touched = [namedBackends, backendsIn(accepted), renamedBackends, divertedBackends]
    this.#backends.settle(unionOf(touched), this.#hosts, this.#canaries)
    return this.#result(problems)
  }

  /** What routes bring along. */
  #followRoutes(change: RoutesChange): void {
    this.#policies.followRoutes(change)
    this.#lists.followRoutes(change)
  }

  /** @returns hosts of the Ingresses that name a backend whose canary owner changed */
  #followCanaryOwners(canaries: readonly ParsedIngress[]): ReadonlySet<string> {
    const before = this.#canaryOwners
    const { owners } = this.#backends
    const keys = canaries.flatMap(routesOf).flatMap(backendKeys)
    this.#canaryOwners = new Map(
      keys.flatMap((key) => {
        const owner = owners.get(key)
        return owner?.balancing.canary === undefined ? [] : [[key, owner] as const]
      }),
    )
    const changed = [...before.keys(), ...keys].filter(
      (key) => before.get(key) !== this.#canaryOwners.get(key),
    )
    const namers = changed.flatMap((key) => this.#backends.namersOf(key))
    return new Set(namers.flatMap((ingress) => [...hostsOf(ingress)]))
  }

  #canaryOwnerOf({ backend }: ParsedRoute): ParsedRoute | undefined {
    return backend && this.#canaryOwners.get(backend.key)
  }

  /** @returns keys of the backends that may be reached under other names now */
  #followOtherNames(): Iterable<string> {
    const before = this.#hosts.withAliases()
    const wanting = this.#ingresses.all.filter((ingress) => {
      return (ingress.names.aliases ?? ingress.names.www) !== undefined && !isCanary(ingress)
    })
    this.#followRoutes(this.#hosts.rename(wanting))
    return [...before, ...this.#hosts.withAliases()].flatMap(({ routes }) => routes.flatMap(backendKeys))
  }

  /** @returns keys of the backends that have or had canaries, or are or were some */
  #followCanaries(canaries: readonly ParsedIngress[]): {
    readonly problems: readonly Problem[]
    readonly divertedBackends: Iterable<string>
  } {
    const before = this.#canaries
    const problems: Problem[] = []
    const findHost = (host: string) => this.#hosts.find(host)
    this.#canaries = canariesOf(canaries, findHost, this.#backends.owners, problems)
    const divertedBackends = [before, this.#canaries].flatMap(({ routes, alternatives }) => [
      ...routes.flatMap(backendKeys),
      ...alternatives.keys(),
    ])
    return { problems, divertedBackends }
  }

  #result(canaryProblems: readonly Problem[]): Omit<MergedIngresses, "tls"> {
    const passing = this.#ingresses.all.filter(({ passthrough }) => passthrough !== undefined)
    return {
      ingresses: this.#ingresses.all,
      hosts: this.#hosts.all(),
      canaries: this.#canaries.routes,
      backends: this.#backends.backends,
      policies: this.#policies.policies,
      files: this.#policies.files,
      addressLists: this.#lists.addresses,
      userLists: this.#lists.users,
      problems: [
        ...this.#ingresses.problems(),
        ...this.#hosts.problems(),
        ...canaryProblems,
        ...this.#backends.problems(),
      ],
      passthroughs: mergePassthroughs(passing, (host) => this.#hosts.find(host)),
    }
  }
}

function backendsIn({ added, removed }: RoutesChange): Iterable<string> {
  return [...added, ...removed].flatMap(backendKeys)
}

function unionOf(all: readonly Iterable<string>[]): ReadonlySet<string> {
  const union = new Set<string>()
  for (const keys of all) for (const key of keys) union.add(key)
  return union
}
