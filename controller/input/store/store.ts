import { isDeepStrictEqual } from "node:util"
import { type ConfigMap, ownerLabel } from "../../model/objects/config-map.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import {
  type Kind,
  type KubernetesObject,
  keyOf,
  type ObjectKey,
  qualifiedName,
} from "../../model/objects/object.ts"
import type { Service } from "../../model/objects/service.ts"
import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { SharedMap } from "../../support/incremental/shared-map.ts"
import { compareText } from "../../support/order.ts"
import type { Change, NamedKind } from "../provider/source.ts"
import { type FlagNames, isNamed, type NameOption, namedByFlags, servedByFlags } from "./flag-names.ts"
import { Gateways, type GatewaysOptions } from "./gateway.ts"
import { Ingresses, type IngressesOptions } from "./ingresses.ts"
import { NamedSecrets } from "./named-secrets.ts"
import { References, type ReferencesOf } from "./references.ts"
import { Slices } from "./slices.ts"
import { SourceProblems } from "./source-problems.ts"
import { Zone } from "./zone.ts"

/** What the flags say about which objects matter; named as the flags. */
export interface StoreOptions extends IngressesOptions, GatewaysOptions, FlagNames {
  /** objects of other namespaces are not kept, but for those that flags name; "" keeps all */
  readonly watchNamespace: string
  /** otherwise zones make no difference */
  readonly enableTopologyAwareRouting: boolean
  /** the Pod that this controller is */
  readonly pod: NameOption
  /** what the values of the global settings name */
  readonly referencesOfSettings: ReferencesOf<ConfigMap>
  /** what the entries of TCP and UDP services name */
  readonly referencesOfStreams: ReferencesOf<ConfigMap>
  /** whether a ConfigMap is one of settings by its look, which is a Problem where no flag names it; absent: nobody asks */
  readonly looksLikeSettings?: (configMap: ConfigMap) => boolean
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
  /** what flags name, which is kept wherever it lies */
  readonly #flagged: readonly ObjectKey[]
  readonly #references: References
  readonly #ingresses: Ingresses
  readonly #gateways: Gateways
  readonly #slices = new Slices()
  readonly #services = new SharedMap<Service>()
  readonly #secrets = new NamedSecrets((name) => this.#references.has("Secret", name))
  readonly #configMaps = new SharedMap<ConfigMap>()
  readonly #zone: Zone
  readonly #shelves: Shelves
  readonly #problems = new SourceProblems()

  constructor(options: StoreOptions) {
    this.#options = options
    this.#references = new References((kind, name) => {
      if (kind === "Secret") this.#secrets.rename(name)
    })
    this.#ingresses = new Ingresses(options, this.#references)
    this.#gateways = new Gateways(options, this.#references)
    this.#zone = new Zone(options.enableTopologyAwareRouting ? qualifiedName(options.pod) : undefined)
    this.#references.replace([], servedByFlags(options))
    this.#flagged = namedByFlags(options)
    this.#shelves = this.#makeShelves()
  }

  /** @returns whether anything that is served or complained about is touched: whether a pass is due */
  apply(changes: readonly Change[]): boolean {
    return changes.map((change) => this.#apply(change)).includes(true)
  }

  /** `namespace/name` of what an Ingress, a flag or the global settings name, whether it exists or not; the same set while it does not change. */
  named(kind: NamedKind): ReadonlySet<string> {
    return this.#references.names(kind)
  }

  /** Whether an Ingress would be ours if it were there: by its class, and by its namespace. */
  wouldBeOurs(ingress: Ingress): boolean {
    return this.#isInScope(ingress.meta.namespace) && this.#ingresses.wouldBeOurs(ingress)
  }

  /** Whether objects of the Gateway API there may be ours. */
  watchesGatewaysIn(namespace: string): boolean {
    return this.#isInScope(namespace) && this.#gateways.watches(namespace)
  }

  /** @param name `namespace/name` */
  service(name: string): Service | undefined {
    return this.#services.get(name)
  }

  /** @param name `namespace/name` */
  configMap(name: string): ConfigMap | undefined {
    return this.#configMaps.get(name)
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
      gateway: this.#gateways.view(),
      ...(zone !== undefined && { zone }),
      problems: [...this.#problems.all(), ...this.#unnamedSettings(), ...this.#ingresses.unassigned()],
    }
  }

  #makeShelves(): Shelves {
    const isMentioned = (kind: Kind) => (name: string) => this.#references.has(kind, name)
    return {
      Ingress: this.#ingresses,
      IngressClass: this.#ingresses.classes,
      Namespace: {
        get: (name) => this.#ingresses.namespaces.get(name),
        put: (name, namespace) =>
          [
            this.#ingresses.namespaces.put(name, namespace),
            this.#gateways.putNamespace(name, namespace),
          ].includes(true),
      },
      Service: shelf(this.#services, isMentioned("Service")),
      EndpointSlice: {
        get: (name) => this.#slices.get(name),
        put: (name, slice) => this.#slices.put(name, slice).some(isMentioned("Service")),
      },
      Secret: this.#secrets,
      ConfigMap: {
        get: (name) => this.#configMaps.get(name),
        put: (name, configMap) => this.#putConfigMap(name, configMap),
      },
      Pod: this.#zone.pods,
      Node: this.#zone.nodes,
      ...this.#gateways.shelves,
    }
  }

  #apply(change: Change): boolean {
    switch (change.kind) {
      case "set":
        return this.#set(change.object)
      case "delete":
        return this.#delete(change.key)
      case "problems":
        return this.#problems.put(change.origin, change.problems)
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
    const { kind, meta } = object
    if (kind === "Pod") return meta.namespace === this.#options.pod.namespace
    if (kind === "Secret" && object.type === "helm.sh/release.v1") return false
    if (kind === "ConfigMap" && meta.labels[ownerLabel] === "TILLER") return false
    return this.#isInScope(meta.namespace) || isNamed(object, this.#flagged)
  }

  /** Whether a namespace is read; "" is that of objects which have none. */
  #isInScope(namespace: string): boolean {
    const { watchNamespace } = this.#options
    return watchNamespace === "" || namespace === "" || namespace === watchNamespace
  }

  #putConfigMap(name: string, configMap: ConfigMap | undefined): boolean {
    const before = this.#configMaps.get(name)
    this.#references.replace(
      before ? this.#referencesOf(name, before) : [],
      configMap ? this.#referencesOf(name, configMap) : [],
    )
    this.#configMaps.put(name, configMap)
    return (
      this.#references.has("ConfigMap", name) || [before, configMap].some((it) => it && this.#isUnnamed(it))
    )
  }

  /** What it names as one that flags name. */
  #referencesOf(name: string, configMap: ConfigMap): readonly ObjectKey[] {
    const { configmap, tcpServicesConfigmap: tcp, udpServicesConfigmap: udp } = this.#options
    const isAmong = (...flags: readonly (NameOption | undefined)[]) =>
      flags.some((flag) => flag !== undefined && qualifiedName(flag) === name)
    return [
      ...(isAmong(configmap) ? this.#options.referencesOfSettings(configMap) : []),
      ...(isAmong(tcp, udp) ? this.#options.referencesOfStreams(configMap) : []),
    ]
  }

  #isUnnamed(configMap: ConfigMap): boolean {
    const { configmap, looksLikeSettings } = this.#options
    return configmap === undefined && looksLikeSettings?.(configMap) === true
  }

  #unnamedSettings(): readonly Problem[] {
    if (this.#options.looksLikeSettings === undefined) return []
    const unnamed = [...this.#configMaps.view().values()].filter((configMap) => this.#isUnnamed(configMap))
    return unnamed.map(unnamedProblem).sort((a, b) => compareText(a.message, b.message))
  }
}

function unnamedProblem({ meta }: ConfigMap): Problem {
  const { namespace, name } = meta
  const message = `ConfigMap ${JSON.stringify(qualifiedName(meta))} has keys of ingress-nginx and no effect: no flag names it, add --configmap=${qualifiedName(meta)}`
  return { object: { kind: "ConfigMap", namespace, name }, field: "data", code: "configmap-unnamed", message }
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
