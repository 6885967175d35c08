import type { Snapshot } from "../../model/snapshot.ts"
import type { TlsSecretState } from "../../model/tls-secret.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import {
  type Declarations,
  type DeclaredSource,
  type FrontEnd,
  type FrontEndFacts,
  noDeclarations,
} from "../declared/declarations.ts"
import type { Context } from "../options/context.ts"
import type { GatewayOptions } from "../options/translation.ts"
import { declaredBackends, declaredListeners, servedListeners, servedStreams } from "./declare-served.ts"
import { nameOf } from "./finding.ts"
import { Grants } from "./grants.ts"
import { ListenerHosts } from "./hosts/listener-hosts.ts"
import { RouteBuilds } from "./routes/route-builds.ts"
import { type Settled, settle } from "./settle.ts"
import { problemsOf, statusesOf } from "./statuses.ts"
import { ListenerTls, Validations } from "./tls/declared-tls.ts"
import { Policies } from "./tls/policies.ts"

/**
 * The Gateway API: Gateways have listeners, routes attach to them by what both allow, and what each object comes to is said in its status. Routes are
 * read one by one and kept; who is attached to what is settled anew in each pass.
 */
export class GatewayFrontEnd implements FrontEnd {
  readonly #context: Context
  readonly #builds: RouteBuilds
  readonly #hosts = new ListenerHosts()
  readonly #tls = new ListenerTls()
  readonly #validations = new Validations()
  readonly #policies = new Policies()
  readonly #grants = new LastResult<Grants>()
  readonly #declared = new LastResult<Declarations>()

  constructor(context: Context) {
    this.#context = context
    this.#builds = new RouteBuilds(context.settings)
  }

  declare(objects: Snapshot, { tlsSecrets }: FrontEndFacts): Declarations {
    const { gateway: options } = this.#context.options
    if (options === undefined || objects.gateway.classes.size === 0) return noDeclarations
    const inputs = [objects.gateway, objects.services, objects.configMaps, tlsSecrets]
    return this.#declared.of(inputs, () => this.#declare(objects, tlsSecrets, options))
  }

  #declare(
    objects: Snapshot,
    secrets: ReadonlyMap<string, TlsSecretState>,
    options: GatewayOptions,
  ): Declarations {
    const { reserved } = this.#context.options.streams
    const { referenceGrants } = objects.gateway
    const grants = this.#grants.of([referenceGrants], () => new Grants(referenceGrants))
    this.#policies.follow(objects.gateway.backendTlsPolicies, secrets)
    const facts = { secrets, grants, policies: this.#policies }
    const settled = settle(objects, facts, { ...options, reserved }, this.#builds)
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
