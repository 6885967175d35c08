import type { GatewayRoute } from "../../model/objects/object.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import {
  type Declarations,
  type DeclaredSource,
  type FrontEnd,
  type FrontEndFacts,
  noDeclarations,
} from "../declared/declarations.ts"
import type { SaidReader, SaidWorld } from "../declared/said.ts"
import type { Context } from "../options/context.ts"
import type { GatewayOptions } from "../options/translation.ts"
import { declaredBackends, declaredListeners, servedListeners, servedStreams } from "./declare-served.ts"
import { nameOf } from "./finding.ts"
import { Grants } from "./grants.ts"
import { ListenerHosts } from "./hosts/listener-hosts.ts"
import { RouteBuilds } from "./routes/route-builds.ts"
import { type Settled, Settling } from "./settle.ts"
import { problemsOf, statusesOf } from "./statuses.ts"
import { ListenerTls, Validations } from "./tls/declared-tls.ts"
import { Policies } from "./tls/policies.ts"

/**
 * The Gateway API: Gateways have listeners, routes attach to them by what both allow, and what each object comes to is said in its status. Routes are
 * read one by one and kept; who is attached to what is settled anew in each pass.
 */
export class GatewayFrontEnd implements FrontEnd {
  readonly #context: Context
  readonly #annotations: SaidReader
  readonly #builds: RouteBuilds
  readonly #hosts = new ListenerHosts()
  readonly #tls = new ListenerTls()
  readonly #validations = new Validations()
  readonly #settling = new Settling()
  readonly #policies = new Policies()
  readonly #grants = new LastResult<Grants>()
  readonly #declared = new LastResult<Declarations>()

  constructor(context: Context, annotations: SaidReader) {
    this.#context = context
    this.#annotations = annotations
    this.#builds = new RouteBuilds()
  }

  declare(objects: Snapshot, { tlsSecrets, policies }: FrontEndFacts): Declarations {
    const { gateway: options } = this.#context.options
    if (options === undefined || objects.gateway.classes.size === 0) return noDeclarations
    const { gateway, services, configMaps, secrets } = objects
    const named = { configMaps, secrets, tlsSecrets, policies }
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
    const facts = { secrets, grants, policies: this.#policies, annotated }
    const { enforcesRules, hostRules } = this.#context.settings
    const limits = { reserved, ...(enforcesRules && hostRules && { hostRules }) }
    const settled = this.#settling.settle(objects, facts, { ...options, ...limits }, this.#builds)
    const { ports } = this.#context.options
    const place = { ...facts, services: objects.services, validations: this.#validations, ports }
    const served = servedListeners(settled, this.#builds, place)
    return {
      ...noDeclarations,
      hosts: this.#hosts.of(served),
      tls: this.#tls.of(served),
      backends: declaredBackends(settled),
      listeners: declaredListeners(settled),
      streams: servedStreams(settled),
      statuses: statusesOf(settled, this.#policies),
      problems: problemsOf(settled, this.#policies),
      usesSecret: (name) => usesSecret(settled, name),
      sources: () => sourcesIn(settled),
    }
  }
}

function usesSecret({ gateways }: Settled, name: string): boolean {
  return gateways.some(({ listeners }) => listeners.some(({ secrets }) => secrets.includes(name)))
}

function* sourcesIn({ webRoutes, streamRoutes }: Settled): Generator<DeclaredSource> {
  for (const { built } of [...webRoutes, ...streamRoutes])
    yield { source: nameOf(built.route), backends: built.backends.map(({ ref }) => ref.key) }
}
