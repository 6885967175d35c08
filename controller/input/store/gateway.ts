import type { GatewayObjects } from "../../model/gateway-objects.ts"
import type { Namespace } from "../../model/objects/namespace.ts"
import type { GatewayApiObject } from "../../model/objects/object.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { SharedMap } from "../../support/incremental/shared-map.ts"

type Kind = GatewayApiObject["kind"]
type OfKind<K extends Kind> = Extract<GatewayApiObject, { kind: K }>
type Shelves = { readonly [K in Kind]: GatewayShelf<OfKind<K>> }

/** Every object of the Gateway API, and the Namespaces that selectors of its listeners are about. */
export class Gateways {
  readonly shelves: Shelves = {
    GatewayClass: new GatewayShelf(),
    Gateway: new GatewayShelf(),
    ListenerSet: new GatewayShelf(),
    HTTPRoute: new GatewayShelf(),
    GRPCRoute: new GatewayShelf(),
    TLSRoute: new GatewayShelf(),
    TCPRoute: new GatewayShelf(),
    UDPRoute: new GatewayShelf(),
    BackendTLSPolicy: new GatewayShelf(),
    ReferenceGrant: new GatewayShelf(),
  }
  readonly #namespaces = new SharedMap<Namespace>()
  readonly #last = new LastResult<GatewayObjects>()

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
      gateways: shelves.Gateway.view(),
      listenerSets: shelves.ListenerSet.view(),
      httpRoutes: shelves.HTTPRoute.view(),
      grpcRoutes: shelves.GRPCRoute.view(),
      tlsRoutes: shelves.TLSRoute.view(),
      tcpRoutes: shelves.TCPRoute.view(),
      udpRoutes: shelves.UDPRoute.view(),
      backendTlsPolicies: shelves.BackendTLSPolicy.view(),
      referenceGrants: shelves.ReferenceGrant.view(),
      namespaces: this.#namespaces.view(),
    }
    return this.#last.of(Object.values(views), () => views)
  }
}

/** The objects of a kind, each of which is a reason for a pass. */
class GatewayShelf<V> {
  readonly #all = new SharedMap<V>()

  get(name: string): V | undefined {
    return this.#all.get(name)
  }

  put(name: string, value: V | undefined): boolean {
    this.#all.put(name, value)
    return true
  }

  view(): ReadonlyMap<string, V> {
    return this.#all.view()
  }
}
