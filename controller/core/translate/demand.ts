import type { Facts } from "../../facts/facts.ts"
import type { Snapshot } from "../../input/store/snapshot.ts"
import type { Policy } from "../../model/policy.ts"
import type { Problem } from "../../model/problem.ts"
import type { SecretFile } from "../../model/secret-file.ts"
import { getOrMake } from "../../support/maps.ts"
import { BackendLedger } from "./backends/backend-ledger.ts"
import { type Canaries, canariesOf } from "./backends/canaries.ts"
import { unclaimedRoot } from "./backends/default-backend.ts"
import type { NamedBackend } from "./backends/named.ts"
import { type ClaimsChange, ClaimsOfAll } from "./claims-of-all.ts"
import { HostLedger } from "./hosts/host-ledger.ts"
import type { HostDemand } from "./hosts/hosts.ts"
import { hostsOf, type IngressClaims, type RouteClaim, routesOf } from "./ingress/claim.ts"
import type { Context } from "./ingress/context.ts"
import { distinctFiles, distinctPolicies, filesOfHosts } from "./ingress/policies.ts"
import { type PassthroughDemands, passthroughDemands } from "./passthrough/demand.ts"
import { type TlsDemand, TlsLedger } from "./tls/tls-ledger.ts"

/** What all Ingresses together ask for, with conflicts settled. Depends on no Service and no endpoint, so it outlives their changes. */
export interface Demand {
  /** by name, each with its `/`; `_` is always there */
  readonly hosts: readonly HostDemand[]
  /** the canaries among the claims that are met: no host has them, but their backends are used */
  readonly canaries: readonly RouteClaim[]
  readonly backends: readonly NamedBackend[]
  readonly policies: readonly Policy[]
  readonly files: readonly SecretFile[]
  readonly problems: readonly Problem[]
  readonly tls: TlsDemand
  readonly passthroughs: PassthroughDemands
}

/**
 * Puts the claims of all Ingresses together, the older before the younger (behaviour of ingress-nginx). What a change does not concern is
 * taken over from the pass before; the result is that of a pass from scratch.
 */
export function demandOf(objects: Snapshot, tlsSecrets: Facts["tlsSecrets"], context: Context): Demand {
  return getOrMake(ledgers, context, () => new Ledger(context)).update(objects, tlsSecrets)
}

const ledgers = new WeakMap<Context, Ledger>()
const noCanaries: Canaries = { claims: [], alternatives: new Map(), sessions: new Map() }
const nothingChanged: ClaimsChange = { added: [], removed: new Set() }

class Ledger {
  readonly #claims: ClaimsOfAll
  readonly #hosts: HostLedger
  readonly #backends = new BackendLedger()
  readonly #tls: TlsLedger
  readonly #passesTls: boolean
  /** key of a backend that a canary has brought in → the canary's claim */
  #taken: ReadonlyMap<string, RouteClaim> = new Map()
  #canaries: Canaries = noCanaries
  #demand: Demand | undefined

  constructor(context: Context) {
    this.#claims = new ClaimsOfAll(context)
    this.#hosts = new HostLedger(unclaimedRoot(context))
    this.#tls = new TlsLedger(context)
    this.#passesTls = context.options.passesTls
  }

  update(objects: Snapshot, tlsSecrets: Facts["tlsSecrets"]): Demand {
    const change = this.#claims.update(objects, tlsSecrets)
    const known = change === undefined ? this.#demand : undefined
    const settled = known ?? this.#settle(change ?? nothingChanged)
    const tls = this.#tls.update(change ?? nothingChanged, this.#hosts, tlsSecrets)
    this.#demand = tls === known?.tls ? known : { ...settled, tls }
    return this.#demand
  }

  #settle(change: ClaimsChange): Omit<Demand, "tls"> {
    const hosts = this.#hosts.note(change)
    const backends = this.#backends.note(change)
    const canaryClaims = this.#claims.all.filter(({ root }) => root.balancing.canary !== undefined)
    for (const host of this.#retake(canaryClaims)) hosts.add(host)
    const met = this.#hosts.settle(hosts, (claim) => this.#canaryOwnerOf(claim))
    for (const key of met.flatMap(keysOf)) backends.add(key)
    for (const key of this.#rename()) backends.add(key)
    const problems: Problem[] = []
    for (const key of this.#divert(canaryClaims, problems)) backends.add(key)
    this.#backends.settle(backends, this.#hosts, this.#canaries)
    return this.#result(problems)
  }

  /** @returns hosts on which it makes a difference whose canary a backend is now */
  #retake(canaryClaims: readonly IngressClaims[]): Set<string> {
    const before = this.#taken
    const { owners } = this.#backends
    const keys = canaryClaims.flatMap(routesOf).flatMap(keysOf)
    this.#taken = new Map(
      keys.flatMap((key) => {
        const owner = owners.get(key)
        return owner?.balancing.canary === undefined ? [] : [[key, owner] as const]
      }),
    )
    const changed = [...before.keys(), ...keys].filter((key) => before.get(key) !== this.#taken.get(key))
    const namers = changed.flatMap((key) => this.#backends.namersOf(key))
    return new Set(namers.flatMap((claims) => [...hostsOf(claims)]))
  }

  #canaryOwnerOf({ backend }: RouteClaim): RouteClaim | undefined {
    return backend && this.#taken.get(backend.key)
  }

  /** @returns keys of the backends that may be reached under other names now */
  #rename(): readonly string[] {
    const before = this.#hosts.withAliases()
    const wanting = this.#claims.all.filter(({ names, root }) => {
      return (names.aliases ?? names.www) !== undefined && root.balancing.canary === undefined
    })
    this.#hosts.rename(wanting)
    return [...before, ...this.#hosts.withAliases()].flatMap(({ routes }) => routes.flatMap(keysOf))
  }

  /** @returns keys of the backends that have or had to do with canaries */
  #divert(canaryClaims: readonly IngressClaims[], problems: Problem[]): readonly string[] {
    const before = this.#canaries
    const findHost = (host: string) => this.#hosts.find(host)
    this.#canaries = canariesOf(canaryClaims, findHost, this.#backends.owners, problems)
    return [before, this.#canaries].flatMap(({ claims, alternatives }) => [
      ...claims.flatMap(keysOf),
      ...alternatives.keys(),
    ])
  }

  #result(canaryProblems: readonly Problem[]): Omit<Demand, "tls"> {
    const hosts = this.#hosts.all()
    const passing = this.#claims.all.filter((claims) => claims.passing !== undefined)
    return {
      hosts,
      canaries: this.#canaries.claims,
      backends: this.#backends.backends,
      policies: distinctPolicies(hosts, this.#passesTls),
      files: distinctFiles(filesOfHosts(hosts)),
      problems: [
        ...this.#claims.problems(),
        ...this.#hosts.problems(),
        ...canaryProblems,
        ...this.#backends.problems(),
      ],
      passthroughs: passthroughDemands(passing, (host) => this.#hosts.find(host)),
    }
  }
}

/** The backends that a claim names. */
function keysOf({ backend, proxying: { standIn } }: RouteClaim): readonly string[] {
  return [backend, standIn].flatMap((ref) => ref?.key ?? [])
}
