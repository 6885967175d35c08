import type { BackendTlsPolicy } from "./objects/gateway/backend-tls-policy.ts"
import type { Gateway } from "./objects/gateway/gateway.ts"
import type { GatewayClass } from "./objects/gateway/gateway-class.ts"
import type { GrpcRoute } from "./objects/gateway/grpc-route.ts"
import type { HttpRoute } from "./objects/gateway/http-route.ts"
import type { ListenerSet } from "./objects/gateway/listener-set.ts"
import { gatewayGroup } from "./objects/gateway/names.ts"
import type { ReferenceGrant } from "./objects/gateway/reference-grant.ts"
import type { TcpRoute, TlsRoute, UdpRoute } from "./objects/gateway/stream-routes.ts"
import type { Namespace } from "./objects/namespace.ts"
import { qualifiedName } from "./objects/object.ts"

/**
 * The objects of the Gateway API, whoever's they are: which are ours is a question of references, which the front end follows. By `namespace/name`; a
 * map none of whose objects has changed is the same object as before, and so is this one.
 */
export interface GatewayObjects {
  /** by name */
  readonly classes: ReadonlyMap<string, GatewayClass>
  readonly gateways: ReadonlyMap<string, Gateway>
  readonly listenerSets: ReadonlyMap<string, ListenerSet>
  readonly httpRoutes: ReadonlyMap<string, HttpRoute>
  readonly grpcRoutes: ReadonlyMap<string, GrpcRoute>
  readonly tlsRoutes: ReadonlyMap<string, TlsRoute>
  readonly tcpRoutes: ReadonlyMap<string, TcpRoute>
  readonly udpRoutes: ReadonlyMap<string, UdpRoute>
  readonly backendTlsPolicies: ReadonlyMap<string, BackendTlsPolicy>
  readonly referenceGrants: ReadonlyMap<string, ReferenceGrant>
  /** by name: their labels are what selectors of listeners are about */
  readonly namespaces: ReadonlyMap<string, Namespace>
}

const none = new Map<string, never>()

/** Where there are none: one object for all. */
export const noGatewayObjects: GatewayObjects = {
  classes: none,
  gateways: none,
  listenerSets: none,
  httpRoutes: none,
  grpcRoutes: none,
  tlsRoutes: none,
  tcpRoutes: none,
  udpRoutes: none,
  backendTlsPolicies: none,
  referenceGrants: none,
  namespaces: none,
}

/** `namespace/name` of the Gateway that a set adds listeners to; "" when it names something else. */
export function gatewayOf({ parent }: ListenerSet): string {
  return parent.group === gatewayGroup && parent.kind === "Gateway" ? qualifiedName(parent) : ""
}
