import type { Snapshot } from "../../model/snapshot.ts"
import type { TlsSecretState } from "../../model/tls-secret.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import {
  type Declarations,
  type FrontEnd,
  type FrontEndFacts,
  noDeclarations,
} from "../declared/declarations.ts"
import type { Context } from "../options/context.ts"
import type { GatewayOptions } from "../options/translation.ts"
import { GatewayPass } from "./gateway-pass.ts"
import { Grants } from "./grants.ts"
import { ListenerHosts } from "./hosts/listener-hosts.ts"
import { RouteBuilds } from "./routes/route-builds.ts"

/**
 * The Gateway API: Gateways have listeners, routes attach to them by what both allow, and what each object comes to is said in its status. Routes are
 * read one by one and kept; who is attached to what is settled anew in each pass.
 */
export class GatewayFrontEnd implements FrontEnd {
  readonly #context: Context
  readonly #builds: RouteBuilds
  readonly #hosts = new ListenerHosts()
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
    const pass = new GatewayPass(objects, secrets, { ...options, reserved }, this.#builds, grants)
    const served = pass.servedListeners()
    return {
      ...noDeclarations,
      hosts: this.#hosts.of(served),
      backends: pass.backends(),
      listeners: pass.listeners(),
      statuses: pass.statuses(),
      problems: pass.problems(),
      usesSecret: (name) => pass.usesSecret(name),
      sources: () => pass.sources(),
    }
  }
}
