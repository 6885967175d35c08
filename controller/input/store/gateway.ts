import { type GatewayObjects, gatewayOf } from "../../model/gateway-objects.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { Ingress } from "../../model/objects/ingress.ts"
import { type LabelSelector, selects } from "../../model/objects/label-selector.ts"
import type { Namespace } from "../../model/objects/namespace.ts"
import {
  type GatewayApiObject,
  type GatewayRoute,
  type ObjectKey,
  qualifiedName,
} from "../../model/objects/object.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { SharedMap } from "../../support/incremental/shared-map.ts"
import { namedByGatewayObject } from "./gateway-references.ts"
import type { References, ReferencesOf } from "./references.ts"

export interface GatewaysOptions {
  /** spec.controllerName of the GatewayClasses that are ours */
  readonly gatewayControllerName: string
  /** Gateways and routes are ours only in namespaces with such labels; undefined: in all */
  readonly watchNamespaceSelector: LabelSelector | undefined
  /** what the annotations of a route name */
  readonly referencesOf: ReferencesOf<Ingress | GatewayRoute>
}

type Kind = GatewayApiObject["kind"]
type OfKind<K extends Kind> = Extract<GatewayApiObject, { kind: K }>
type Shelves = { readonly [K in Kind]: GatewayShelf<OfKind<K>> }

/**
 * Every object of the Gateway API, and the Namespaces that selectors of its listeners are about. What the Gateways of other controllers name is not
 * counted: their Secrets are none of our business.
 */
export class Gateways {
  readonly shelves: Shelves = {
    GatewayClass: new GatewayShelf((object) => this.#putClass(object)),
    Gateway: new GatewayShelf((object) => this.#putGateway(object)),
    ListenerSet: this.#shelf(),
    HTTPRoute: this.#shelf(),
    GRPCRoute: this.#shelf(),
    TLSRoute: this.#shelf(),
    TCPRoute: this.#shelf(),
    UDPRoute: this.#shelf(),
    BackendTLSPolicy: this.#shelf(),
    ReferenceGrant: new GatewayShelf(() => {}),
  }
  readonly #options: GatewaysOptions
  readonly #references: References
  /** of each object that names some, which have been counted */
  readonly #counted = new Map<string, readonly ObjectKey[]>()
  readonly #namespaces = new SharedMap<Namespace>()
  readonly #last = new LastResult<GatewayObjects>()

  /** @param references is told what is named */
  constructor(options: GatewaysOptions, references: References) {
    this.#options = options
    this.#references = references
  }

  /** @returns whether it may make a difference to a Gateway */
  putNamespace(name: string, namespace: Namespace | undefined): boolean {
    this.#namespaces.put(name, namespace)
    return this.shelves.Gateway.view().size > 0
  }

  /** The same object while nothing changes. */
  view(): GatewayObjects {
    const { shelves } = this
    const views = {
      classes: shelves.GatewayClass.view(),
      gateways: this.#selected(shelves.Gateway),
      listenerSets: this.#selected(shelves.ListenerSet),
      httpRoutes: this.#selected(shelves.HTTPRoute),
      grpcRoutes: this.#selected(shelves.GRPCRoute),
      tlsRoutes: this.#selected(shelves.TLSRoute),
      tcpRoutes: this.#selected(shelves.TCPRoute),
      udpRoutes: this.#selected(shelves.UDPRoute),
      backendTlsPolicies: shelves.BackendTLSPolicy.view(),
      referenceGrants: shelves.ReferenceGrant.view(),
      namespaces: this.#namespaces.view(),
    }
    return this.#last.of(Object.values(views), () => views)
  }

  /** Whether the flag selects a namespace. */
  watches(namespace: string): boolean {
    const { watchNamespaceSelector: selector } = this.#options
    const labels = this.#namespaces.get(namespace)?.meta.labels
    return selector === undefined || (labels !== undefined && selects(selector, labels))
  }

  /** Those of namespaces that the flag selects. */
  #selected<V extends GatewayApiObject>(shelf: GatewayShelf<V>): ReadonlyMap<string, V> {
    const { watchNamespaceSelector: selector } = this.#options
    return selector === undefined ? shelf.view() : shelf.viewIn(this.#namespaces.view(), selector)
  }

  #shelf<K extends Kind>(): GatewayShelf<OfKind<K>> {
    return new GatewayShelf((object) => this.#count(object))
  }

  /** Gateways may be ours now, or no longer. */
  #putClass(changed: Replaced): void {
    this.#count(changed)
    for (const after of this.shelves.Gateway.values()) this.#putGateway({ before: after, after })
  }

  #putGateway(changed: Replaced): void {
    this.#count(changed)
    const name = nameOf(changed)
    for (const after of this.shelves.ListenerSet.values())
      if (gatewayOf(after) === name) this.#count({ before: after, after })
  }

  #count(changed: Replaced): void {
    const { after } = changed
    const key = [(changed.before ?? after)?.kind, nameOf(changed)].join(" ")
    const named = after && this.#isOurs(after) ? this.#namedBy(after) : []
    this.#references.replace(this.#counted.get(key) ?? [], named)
    if (named.length > 0) this.#counted.set(key, named)
    else this.#counted.delete(key)
  }

  #namedBy(object: GatewayApiObject): readonly ObjectKey[] {
    return namedByGatewayObject(object, this.#options.referencesOf)
  }

  /** Of routes and policies it is not asked: what they name is not secret. */
  #isOurs(object: GatewayApiObject): boolean {
    switch (object.kind) {
      case "GatewayClass":
        return object.controllerName === this.#options.gatewayControllerName
      case "Gateway":
        return this.#isOurGateway(object)
      case "ListenerSet":
        return this.#isOurGateway(this.shelves.Gateway.get(gatewayOf(object)))
      default:
        return true
    }
  }

  #isOurGateway(gateway: Gateway | undefined): boolean {
    const gatewayClass = gateway && this.shelves.GatewayClass.get(gateway.className)
    return gatewayClass?.controllerName === this.#options.gatewayControllerName
  }
}

/** One object that has come, changed or gone. */
interface Replaced {
  readonly before: GatewayApiObject | undefined
  readonly after: GatewayApiObject | undefined
}

function nameOf({ before, after }: Replaced): string {
  const object = after ?? before
  return object === undefined ? "" : qualifiedName(object.meta)
}

/** The objects of a kind, each of which is a reason for a pass. */
class GatewayShelf<V extends GatewayApiObject> {
  readonly #all = new SharedMap<V>()
  readonly #replaced: (changed: Replaced) => void
  readonly #selected = new LastResult<ReadonlyMap<string, V>>()

  /** @param replaced is told afterwards */
  constructor(replaced: (changed: Replaced) => void) {
    this.#replaced = replaced
  }

  get(name: string): V | undefined {
    return this.#all.get(name)
  }

  put(name: string, value: V | undefined): boolean {
    const before = this.get(name)
    this.#all.put(name, value)
    this.#replaced({ before, after: value })
    return true
  }

  values(): Iterable<V> {
    return this.#all.values()
  }

  view(): ReadonlyMap<string, V> {
    return this.#all.view()
  }

  /** Those of namespaces with such labels; the same map while nothing changes. */
  viewIn(namespaces: ReadonlyMap<string, Namespace>, selector: LabelSelector): ReadonlyMap<string, V> {
    const all = this.view()
    const isSelected = ({ meta: { namespace } }: V) => {
      const { meta } = namespaces.get(namespace) ?? {}
      return meta !== undefined && selects(selector, meta.labels)
    }
    return this.#selected.of([all, namespaces], () => new Map([...all].filter(([, it]) => isSelected(it))))
  }
}
