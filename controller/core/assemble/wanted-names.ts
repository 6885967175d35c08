import type { Certificate } from "../../model/certificate.ts"
import type { Service } from "../../model/objects/service.ts"
import type { WantedRuleSet } from "../../model/rule-set.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { changedSince } from "../../support/incremental/shared-map.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import type { Context } from "../options/context.ts"
import type { TranslateOptions } from "../options/translation.ts"
import { wantedName } from "./backends/external.ts"
import { lookedUpName } from "./backends/reach.ts"
import { destinationNames } from "./operator-addresses.ts"

/** What has to be found out beside the objects before they are translated. */
export interface WantedFacts {
  /** for `Facts.names` */
  readonly names: ReadonlySet<string>
  /** for `Facts.ocsp`: those that are served. The same list as long as they are the same */
  readonly certificates: readonly Certificate[]
  /** to be checked for `Facts.ruleSets`; the same list as long as they are the same */
  readonly ruleSets: readonly WantedRuleSet[]
}

/** Finds the names that DNS has to be asked for, pass by pass. */
export class WantedNames {
  readonly #context: Context
  readonly #external: ExternalNames
  readonly #names = new LastResult<ReadonlySet<string>>()

  constructor(context: Context) {
    this.#context = context
    this.#external = new ExternalNames(context.options)
  }

  of(backends: readonly DeclaredBackend[], services: ReadonlyMap<string, Service>): ReadonlySet<string> {
    return this.#names.of(
      [backends, services],
      () =>
        new Set([
          ...this.#external.usedBy(backends, services),
          ...this.#outside(backends, services),
          ...destinationNames(this.#context.settings),
        ]),
    )
  }

  /** The names of authentication services that are none of the cluster's. */
  #outside(backends: readonly DeclaredBackend[], services: ReadonlyMap<string, Service>): readonly string[] {
    const outside = backends.filter(({ ref }) => ref.outside !== undefined)
    return outside.flatMap(({ ref }) => {
      const service = services.get(ref.serviceKey)
      return service === undefined ? (lookedUpName(ref, service, this.#context.options) ?? []) : []
    })
  }
}

/** The names that Services of type ExternalName stand for. There are few: only Services that changed are looked at. */
class ExternalNames {
  readonly #options: TranslateOptions
  /** by `namespace/service` */
  readonly #names = new Map<string, string>()
  #services: ReadonlyMap<string, Service> = new Map()

  constructor(options: TranslateOptions) {
    this.#options = options
  }

  usedBy(backends: readonly DeclaredBackend[], services: ReadonlyMap<string, Service>): ReadonlySet<string> {
    this.#followServices(services)
    if (this.#names.size === 0) return new Set()
    const { defaultBackendService: own } = this.#options
    const used = backends.map(({ ref }) => ref.serviceKey)
    if (own !== undefined) used.push(`${own.namespace}/${own.name}`)
    return new Set(used.flatMap((key) => this.#names.get(key) ?? []))
  }

  #followServices(services: ReadonlyMap<string, Service>): void {
    const changed = changedSince(this.#services, services)
    if (changed === undefined) this.#names.clear()
    for (const key of changed ?? services.keys()) this.#note(key, services.get(key))
    this.#services = services
  }

  #note(key: string, service: Service | undefined): void {
    const name = service && wantedName(service, this.#options.disableSvcExternalName)
    if (name === undefined) this.#names.delete(key)
    else this.#names.set(key, name)
  }
}
