import type { Snapshot } from "../../input/store/snapshot.ts"
import type { Certificate } from "../../model/certificate.ts"
import type { Service } from "../../model/objects/service.ts"
import { rememberedLast } from "../../support/incremental/last-result.ts"
import { changedSince } from "../../support/incremental/shared-map.ts"
import { getOrMake } from "../../support/maps.ts"
import type { Settings } from "../options/settings.ts"
import { wantedName } from "./backends/external.ts"
import type { NamedBackend } from "./backends/named.ts"
import { lookedUpName } from "./backends/resolved-backends.ts"
import { type Context, contextOf } from "./context.ts"
import { mergeIngresses } from "./merge.ts"
import { destinationNames } from "./operator-addresses.ts"
import type { TranslateOptions } from "./options.ts"
import type { IngressFacts } from "./parsed-ingresses.ts"

/** What has to be found out beside the objects before they are translated. */
export interface WantedFacts {
  /** for `Facts.names` */
  readonly names: ReadonlySet<string>
  /** for `Facts.ocsp`: those that are served. The same list as long as they are the same */
  readonly certificates: readonly Certificate[]
}

/** Pure. Shares its results with the translation of the same objects, and costs next to nothing beside it. */
export function wantedFacts(
  objects: Snapshot,
  facts: IngressFacts,
  settings: Settings,
  options: TranslateOptions,
): WantedFacts {
  const context = contextOf(settings, options)
  const { backends, tls } = mergeIngresses(objects, facts, context)
  const external = getOrMake(externalNames, context, () => new ExternalNames(options))
  const names = new Set([
    ...external.usedBy(backends, objects.services),
    ...outsideNames(backends, objects.services, options),
    ...destinationNames(settings),
  ])
  return { names, certificates: tls.certificates }
}

const lastOutside = rememberedLast<readonly NamedBackend[], readonly NamedBackend[]>()

/** The names of authentication services that are none of the cluster's. */
function outsideNames(
  backends: readonly NamedBackend[],
  services: ReadonlyMap<string, Service>,
  options: TranslateOptions,
): readonly string[] {
  const asked = lastOutside(backends, [], () => backends.filter(({ ref }) => ref.outside !== undefined))
  return asked.flatMap(({ ref }) => {
    const service = services.get(ref.serviceKey)
    return service === undefined ? (lookedUpName(ref, service, options) ?? []) : []
  })
}

const externalNames = new WeakMap<Context, ExternalNames>()

/** The names that Services of type ExternalName stand for. There are few: only Services that changed are looked at. */
class ExternalNames {
  readonly #options: TranslateOptions
  /** by `namespace/service` */
  readonly #names = new Map<string, string>()
  #services: ReadonlyMap<string, Service> = new Map()

  constructor(options: TranslateOptions) {
    this.#options = options
  }

  usedBy(backends: readonly NamedBackend[], services: ReadonlyMap<string, Service>): ReadonlySet<string> {
    this.#update(services)
    if (this.#names.size === 0) return new Set()
    const { defaultBackendService: own } = this.#options
    const used = backends.map(({ ref }) => ref.serviceKey)
    if (own !== undefined) used.push(`${own.namespace}/${own.name}`)
    return new Set(used.flatMap((key) => this.#names.get(key) ?? []))
  }

  #update(services: ReadonlyMap<string, Service>): void {
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
