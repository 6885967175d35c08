import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { Declarations, DeclaredSource, FrontEnd, FrontEndFacts } from "../declared/declarations.ts"
import { backendKeys } from "../declared/rule.ts"
import type { Context } from "../options/context.ts"
import { BackendIndex } from "./backends/backend-index.ts"
import { type Canaries, canariesOf } from "./backends/canaries.ts"
import { HostIndex } from "./hosts/host-index.ts"
import { implicitRoot } from "./hosts/implicit-root.ts"
import type { RoutesChange } from "./hosts/routes-change.ts"
import type { IngressesChange } from "./parsed/ingresses-change.ts"
import { hostsOf, isCanary, type ParsedIngress, routesOf } from "./parsed/parsed-ingress.ts"
import type { ParsedRoute } from "./parsed/parsed-route.ts"
import { ParsedIngresses } from "./parsed-ingresses.ts"
import { mergePassthroughs } from "./passthroughs.ts"
import { TlsNames } from "./tls/tls-names.ts"

const noCanaries: Canaries = { routes: [], alternatives: new Map(), sessions: new Map() }
const nothingChanged: IngressesChange = { added: [], removed: new Set() }

/**
 * Ingresses: each is read by itself, then all are merged, the older before the younger (behaviour of ingress-nginx). What a change does not concern is
 * kept from the pass before; the result is that of a pass from scratch.
 */
export class IngressFrontEnd implements FrontEnd {
  readonly #ingresses: ParsedIngresses
  readonly #hosts: HostIndex
  readonly #backends = new BackendIndex()
  readonly #tls: TlsNames
  /** key of a backend that a canary has brought in → the canary's route */
  #canaryOwners: ReadonlyMap<string, ParsedRoute> = new Map()
  #canaries: Canaries = noCanaries
  #declared: Declarations | undefined

  constructor(context: Context) {
    this.#ingresses = new ParsedIngresses(context)
    const { settings, options } = context
    const server = this.#ingresses.everyServer
    this.#hosts = new HostIndex({
      ownership: settings,
      prefix: options.annotationsPrefix,
      implicitRoot: implicitRoot(context),
      ...(server && { server }),
    })
    this.#tls = new TlsNames(options.annotationsPrefix)
  }

  declare(objects: Snapshot, facts: FrontEndFacts): Declarations {
    const change = this.#ingresses.followObjects(objects, facts)
    if (change !== undefined || this.#declared === undefined)
      this.#declared = this.#settle(change ?? nothingChanged)
    this.#tls.follow(change ?? nothingChanged, this.#hosts, facts.tlsSecrets, facts.defaultPair)
    const tls = this.#tls.all
    if (tls !== this.#declared.tls) this.#declared = { ...this.#declared, tls }
    return this.#declared
  }

  /** Each step says which hosts or backends it touched; the hosts are settled before the backends, as routes to those are accepted there. */
  #settle(change: IngressesChange): Declarations {
    const canaries = this.#ingresses.all.filter(isCanary)
    const mentionedHosts = this.#hosts.followIngresses(change)
    const namedBackends = this.#backends.followIngresses(change)
    const disputedHosts = this.#followCanaryOwners(canaries)
    const accepted = this.#hosts.settle(mentionedHosts.union(disputedHosts), (route) =>
      this.#canaryOwnerOf(route),
    )
    const renamedBackends = this.#followOtherNames()
    const { problems, divertedBackends } = this.#followCanaries(canaries)
    const touched = [namedBackends, backendsIn(accepted), renamedBackends, divertedBackends]
    this.#backends.settle(unionOf(touched), this.#hosts, this.#canaries)
    return this.#result(problems)
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
    this.#hosts.rename(wanting)
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

  #result(canaryProblems: readonly Problem[]): Declarations {
    const ingresses = this.#ingresses.all
    const passing = ingresses.filter(({ passthrough }) => passthrough !== undefined)
    const passthroughs = mergePassthroughs(passing, (host) => this.#hosts.find(host))
    return {
      hosts: this.#hosts.all(),
      otherRules: this.#canaries.routes,
      backends: this.#backends.backends,
      tls: this.#tls.all,
      passthroughs: passthroughs.all,
      listeners: [],
      streams: [],
      problems: [
        ...this.#ingresses.problems(),
        ...this.#hosts.problems(),
        ...canaryProblems,
        ...this.#backends.problems(),
        ...passthroughs.problems,
      ],
      usesSecret: (name) => this.#tls.usesSecret(name),
      sources: () => sourcesIn(ingresses),
    }
  }
}

function* sourcesIn(ingresses: readonly ParsedIngress[]): Generator<DeclaredSource> {
  for (const { root, rules } of ingresses) {
    const routes = rules.flatMap(({ routes }) => routes)
    yield { source: root.source, backends: routes.flatMap(({ backend }) => backend?.key ?? []) }
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
