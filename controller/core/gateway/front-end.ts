import { sharedServer } from "../../model/listener.ts"
import { type GatewayRoute, nameOf } from "../../model/objects/object.ts"
import { contentOf, type Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { DistinctList } from "../../support/incremental/distinct-list.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import {
  type Declarations,
  type DeclaredSource,
  type FrontEnd,
  type FrontEndFacts,
  noDeclarations,
} from "../declared/declarations.ts"
import type { DeclaredListener } from "../declared/listener.ts"
import type { SaidReader, SaidWorld } from "../declared/said.ts"
import type { DeclaredStream } from "../declared/stream.ts"
import type { DeclaredTls } from "../declared/tls.ts"
import type { Context } from "../options/context.ts"
import type { GatewayOptions } from "../options/translation.ts"
import { declaredBackends, declaredListeners, servedListeners, servedStreams } from "./declare-served.ts"
import { Grants } from "./grants.ts"
import { Contributions, type Touched } from "./hosts/contributions.ts"
import { ListenerHosts, type ServedListener } from "./hosts/listener-hosts.ts"
import { type BuildPlace, RouteBuilds } from "./routes/route-builds.ts"
import { type Settled, Settling } from "./settle.ts"
import { problemsOf, Statuses } from "./statuses.ts"
import { ListenerTls, Validations } from "./tls/declared-tls.ts"
import { Policies } from "./tls/policies.ts"
import { UsedBackends } from "./used-backends.ts"

/**
 * The Gateway API: Gateways have listeners, routes attach to them by what both allow, and what each object comes to is said in its status. Routes are
 * read one by one and kept, and so is who is attached to what: a pass looks at what has changed, and at what depends on it.
 */
export class GatewayFrontEnd implements FrontEnd {
  readonly #context: Context
  readonly #annotations: SaidReader
  readonly #builds: RouteBuilds
  readonly #hosts = new ListenerHosts()
  readonly #tls = new ListenerTls()
  readonly #contributions = new Contributions()
  readonly #backends = new UsedBackends()
  readonly #allBackends = new LastResult<readonly DeclaredBackend[]>()
  readonly #served = new LastResult<readonly ServedListener[]>()
  readonly #listenerTls = new LastResult<readonly DeclaredTls[]>()
  readonly #listeners = new LastResult<readonly DeclaredListener[]>()
  readonly #streams = new LastResult<readonly DeclaredStream[]>()
  readonly #validations = new Validations()
  readonly #settling = new Settling()
  readonly #policies = new Policies()
  readonly #statuses = new Statuses()
  readonly #problems = new DistinctList<Problem>(contentOf)
  readonly #grants = new LastResult<Grants>()
  readonly #declared = new LastResult<Declarations>()

  constructor(context: Context, annotations: SaidReader) {
    this.#context = context
    this.#annotations = annotations
    this.#builds = new RouteBuilds()
  }

  declare(objects: Snapshot, { tlsSecrets, policies, ruleSets }: FrontEndFacts): Declarations {
    const { gateway: options } = this.#context.options
    if (options === undefined || objects.gateway.classes.size === 0) return noDeclarations
    const { gateway, services, configMaps, secrets } = objects
    const named = { configMaps, secrets, tlsSecrets, policies, ruleSets }
    return this.#declared.of([gateway, services, ...Object.values(named)], () =>
      this.#declare(objects, named, options),
    )
  }

  #declare(objects: Snapshot, named: SaidWorld, options: GatewayOptions): Declarations {
    const { reserved } = this.#context.options.streams
    const { referenceGrants } = objects.gateway
    const grants = this.#grants.of([referenceGrants], () => new Grants(referenceGrants))
    const secrets = named.tlsSecrets
    this.#policies.follow(objects.gateway.backendTlsPolicies, secrets)
    const annotated = (route: GatewayRoute) => this.#annotations.of(route, named)
    const facts = { secrets, grants, policies: this.#policies, annotated, named }
    const { enforcesRules, hostRules, usesHttp3 } = this.#context.settings
    const limits = { reserved, usesHttp3, ...(enforcesRules && hostRules && { hostRules }) }
    const settled = this.#settling.settle(objects, facts, { ...options, ...limits }, this.#builds)
    const { gateways, streamRoutes } = settled
    const used = this.#backends.follow([...settled.changes.web, ...settled.changes.streams])
    const touched = this.#followRoutes(settled, { ...facts, services: objects.services })
    const served = this.#served.of([gateways], () => servedListeners(gateways, this.#servingPlace()))
    const hosts = this.#hosts.of(served, touched)
    const problems = [...problemsOf(settled, this.#policies), ...this.#hosts.problems()]
    return {
      ...noDeclarations,
      hosts,
      tls: this.#listenerTls.of([served, isOnShared(served) && touched.size > 0 ? touched : undefined], () =>
        this.#tls.of(served),
      ),
      backends: this.#allBackends.of([used, gateways], () => declaredBackends(used, gateways)),
      listeners: this.#listeners.of([gateways], () => declaredListeners(gateways)),
      streams: this.#streams.of([gateways, streamRoutes], () => servedStreams(gateways, streamRoutes)),
      statuses: this.#statuses.of(settled, this.#policies),
      problems: this.#problems.of(problems),
      usesSecret: (name) => usesSecret(settled, name),
      sources: () => sourcesIn(settled),
    }
  }

  #servingPlace() {
    const { ports } = this.#context.options
    return { contributions: this.#contributions, validations: this.#validations, ports }
  }

  /** A route is built in another way where its Gateway shows backends a certificate. */
  #followRoutes({ gateways, changes }: Settled, place: BuildPlace): Touched {
    const pairs = new Map(gateways.map(({ gateway, backendPair }) => [gateway, backendPair.pair]))
    const listeners = new Set(gateways.flatMap((of) => of.listeners))
    return this.#contributions.follow(listeners, changes.web, ({ built }, { gateway }) => {
      const pair = pairs.get(gateway)
      return pair === undefined ? built : this.#builds.web.of(built.route, place, pair)
    })
  }
}

/** There the routes of listeners give names, too. */
function isOnShared(served: readonly ServedListener[]): boolean {
  return served.some(({ servers }) => servers.includes(sharedServer))
}

function usesSecret({ gateways }: Settled, name: string): boolean {
  return gateways.some(({ listeners }) => listeners.some(({ secrets }) => secrets.includes(name)))
}

function* sourcesIn({ webRoutes, streamRoutes }: Settled): Generator<DeclaredSource> {
  for (const { built } of [...webRoutes, ...streamRoutes])
    yield { source: nameOf(built.route), backends: built.backends.map(({ ref }) => ref.key) }
}
