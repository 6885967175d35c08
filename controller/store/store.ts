import { isDeepStrictEqual } from "node:util"
import type { Problem } from "../model/problem.ts"
import type { ConfigMap } from "../objects/config-map.ts"
import { type Kind, type KubernetesObject, keyOf, type ObjectKey, qualifiedName } from "../objects/object.ts"
import type { Secret } from "../objects/secret.ts"
import type { Service } from "../objects/service.ts"
import type { Change, NamedKind } from "../provider/source.ts"
import { Ingresses, type IngressesOptions } from "./ingresses.ts"
import { NamedSecrets } from "./named-secrets.ts"
import { SharedMap } from "./shared-map.ts"
import { Slices } from "./slices.ts"
import type { Snapshot } from "./snapshot.ts"
import { Zone } from "./zone.ts"

interface NameOption {
  readonly namespace: string
  readonly name: string
}

/** What the flags say about which objects matter; named as the flags. */
export interface StoreOptions extends IngressesOptions {
  /** objects of other namespaces are not kept; "" keeps all */
  readonly watchNamespace: string
  readonly configmap: NameOption | undefined
  readonly defaultSslCertificate: NameOption | undefined
  readonly defaultBackendService: NameOption | undefined
  /** otherwise zones make no difference */
  readonly enableTopologyAwareRouting: boolean
  /** the Pod that this controller is */
  readonly pod: NameOption
}

/** Where the objects of one kind are kept, by `namespace/name`. */
interface Shelf<V> {
  get(name: string): V | undefined
  /** Replaces, or removes when there is no value. @returns whether what is served or complained about is touched */
  put(name: string, value: V | undefined): boolean
}

type Shelves = { readonly [K in Kind]: Shelf<Extract<KubernetesObject, { kind: K }>> }

/**
 * Keeps the objects as they come from a source and hands out immutable snapshots of them. The snapshot depends on what is there and not on the
 * order in which it came; an object that is set again with equal content stays the object it was.
 */
export class Store {
  readonly #options: StoreOptions
  readonly #ingresses: Ingresses
  readonly #slices = new Slices()
  readonly #services = new SharedMap<Service>()
  readonly #secrets = new NamedSecrets(() => this.named("Secret"))
  readonly #named = new Map<NamedKind, ReadonlySet<string>>()
  readonly #configMaps = new SharedMap<ConfigMap>()
  readonly #zone: Zone
  readonly #shelves: Shelves
  readonly #problems = new Map<string, readonly Problem[]>()
  #sourceProblems: readonly Problem[] | undefined

  constructor(options: StoreOptions) {
    this.#options = options
    this.#ingresses = new Ingresses(options, (kind) => {
      if (kind === "Secret" || kind === "ConfigMap") this.#rename(kind)
    })
    this.#zone = new Zone(options.enableTopologyAwareRouting ? qualifiedName(options.pod) : undefined)
    this.#shelves = {
      Ingress: this.#ingresses,
      IngressClass: this.#ingresses.classes,
      Service: shelf(this.#services, (name) => this.#isMentioned(name)),
      EndpointSlice: {
        get: (name) => this.#slices.get(name),
        put: (name, slice) => this.#slices.put(name, slice).some((service) => this.#isMentioned(service)),
      },
      Secret: {
        get: (name) => this.#secrets.get(name),
        put: (name, secret) => this.#putSecret(name, secret),
      },
      ConfigMap: {
        get: (name) => this.#configMaps.get(name),
        put: (name, configMap) => this.#putConfigMap(name, configMap),
      },
      Pod: this.#zone.pods,
      Node: this.#zone.nodes,
    }
  }

  /** @returns whether anything that is served or complained about is touched: whether a pass is due */
  apply(changes: readonly Change[]): boolean {
    return changes.map((change) => this.#apply(change)).includes(true)
  }

  /** `namespace/name` of what an Ingress, a flag or the global settings name, whether it exists or not; the same set while it does not change. */
  named(kind: NamedKind): ReadonlySet<string> {
    const known = this.#named.get(kind)
    if (known !== undefined) return known
    const names = new Set(this.#namesOf(kind))
    this.#named.set(kind, names)
    return names
  }

  snapshot(): Snapshot {
    const zone = this.#zone.name()
    return {
      ingresses: this.#ingresses.ours(),
      services: this.#services.view(),
      endpointSlices: this.#slices.view(),
      secrets: this.#secrets.view(),
      configMaps: this.#configMaps.view(),
      pods: this.#zone.pods.view(),
      nodes: this.#zone.nodes.view(),
      ...(zone !== undefined && { zone }),
      problems: [
        ...this.#readProblems(),
        ...(this.#options.reportsUnclaimed ? this.#ingresses.unclaimed() : []),
      ],
    }
  }

  #apply(change: Change): boolean {
    switch (change.kind) {
      case "set":
        return this.#set(change.object)
      case "delete":
        return this.#delete(change.key)
      case "problems":
        return this.#putProblems(change.origin, change.problems)
      default:
        return change satisfies never
    }
  }

  #set(object: KubernetesObject): boolean {
    if (!this.#isWanted(object)) return this.#delete(keyOf(object))
    const name = qualifiedName(object.meta)
    const shelf = this.#shelf(object.kind)
    return !isDeepStrictEqual(shelf.get(name), object) && shelf.put(name, object)
  }

  #delete(key: ObjectKey): boolean {
    const name = qualifiedName(key)
    const shelf = this.#shelf(key.kind)
    return shelf.get(name) !== undefined && shelf.put(name, undefined)
  }

  /** Objects of another kind never reach a shelf: both callers name the kind of what they bring. */
  #shelf(kind: Kind): Shelf<KubernetesObject> {
    return this.#shelves[kind] as Shelf<KubernetesObject>
  }

  /** Helm's bookkeeping is large and changes often; ingress-nginx leaves it out too. */
  #isWanted(object: KubernetesObject): boolean {
    const { watchNamespace, pod } = this.#options
    const { namespace, labels } = object.meta
    if (object.kind === "Pod") return namespace === pod.namespace
    if (watchNamespace !== "" && namespace !== "" && namespace !== watchNamespace) return false
    if (object.kind === "Secret") return object.type !== "helm.sh/release.v1"
    return object.kind !== "ConfigMap" || labels.OWNER !== "TILLER"
  }

  #isMentioned(service: string): boolean {
    return (
      this.#ingresses.references.has("Service", service) ||
      isNamed(this.#options.defaultBackendService, service)
    )
  }

  #putSecret(name: string, secret: Secret | undefined): boolean {
    const isNamed = this.#isNamedSecret(name)
    this.#secrets.put(name, secret, isNamed)
    return isNamed
  }

  #putConfigMap(name: string, configMap: ConfigMap | undefined): boolean {
    this.#configMaps.put(name, configMap)
    const isGlobal = isNamed(this.#options.configmap, name)
    if (isGlobal) for (const kind of ["Secret", "ConfigMap"] as const) this.#rename(kind)
    return (
      isGlobal || this.#ingresses.references.has("ConfigMap", name) || this.#settingValues().includes(name)
    )
  }

  #isNamedSecret(name: string): boolean {
    return (
      this.#ingresses.references.has("Secret", name) ||
      isNamed(this.#options.defaultSslCertificate, name) ||
      this.#settingValues().includes(name)
    )
  }

  /** Others of this kind may be named now. */
  #rename(kind: NamedKind): void {
    this.#named.delete(kind)
    if (kind === "Secret") this.#secrets.rename()
  }

  /** By an Ingress, a flag, or the global settings; where those name something else there is no such object. */
  *#namesOf(kind: NamedKind): Iterable<string> {
    const { configmap, defaultSslCertificate } = this.#options
    const flag = kind === "Secret" ? defaultSslCertificate : configmap
    yield* this.#ingresses.references.names(kind)
    if (flag) yield qualifiedName(flag)
    yield* this.#settingValues()
  }

  /** Some values of the global settings name a ConfigMap or a Secret. */
  #settingValues(): readonly string[] {
    const { configmap } = this.#options
    const settings = configmap && this.#configMaps.get(qualifiedName(configmap))
    return settings === undefined ? [] : Object.values(settings.data)
  }

  #putProblems(origin: string, problems: readonly Problem[]): boolean {
    if (isDeepStrictEqual(this.#problems.get(origin) ?? [], problems)) return false
    if (problems.length > 0) this.#problems.set(origin, problems)
    else this.#problems.delete(origin)
    this.#sourceProblems = undefined
    return true
  }

  /** What sources reported, in the order of their origins. */
  #readProblems(): readonly Problem[] {
    this.#sourceProblems ??= [...this.#problems]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, problems]) => problems)
    return this.#sourceProblems
  }
}

function shelf<V>(map: SharedMap<V>, isTouching: (name: string) => boolean): Shelf<V> {
  return {
    get: (name) => map.get(name),
    put(name, value) {
      map.put(name, value)
      return isTouching(name)
    },
  }
}

function isNamed(named: NameOption | undefined, name: string): boolean {
  return named !== undefined && qualifiedName(named) === name
}
