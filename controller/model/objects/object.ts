import { compareText } from "../../support/order.ts"
import type { ObjectName } from "../problem.ts"
import type { ConfigMap } from "./config-map.ts"
import type { EndpointSlice } from "./endpoint-slice.ts"
import type { BackendTlsPolicy } from "./gateway/backend-tls-policy.ts"
import type { Gateway } from "./gateway/gateway.ts"
import type { GatewayClass } from "./gateway/gateway-class.ts"
import type { GrpcRoute } from "./gateway/grpc-route.ts"
import type { HttpRoute } from "./gateway/http-route.ts"
import type { ListenerSet } from "./gateway/listener-set.ts"
import type { ReferenceGrant } from "./gateway/reference-grant.ts"
import type { TcpRoute, TlsRoute, UdpRoute } from "./gateway/stream-routes.ts"
import type { Ingress } from "./ingress.ts"
import type { IngressClass } from "./ingress-class.ts"
import type { Namespace } from "./namespace.ts"
import type { Node } from "./node.ts"
import type { Pod } from "./pod.ts"
import type { Secret } from "./secret.ts"
import type { Service } from "./service.ts"

/** Every kind that the controller reads. */
export type KubernetesObject =
  | Ingress
  | IngressClass
  | Service
  | EndpointSlice
  | ConfigMap
  | Secret
  | Namespace
  | Pod
  | Node
  | GatewayApiObject

/** Those of gateway.networking.k8s.io. */
export type GatewayApiObject =
  | GatewayClass
  | Gateway
  | ListenerSet
  | GatewayRoute
  | BackendTlsPolicy
  | ReferenceGrant

export type GatewayRoute = HttpRoute | GrpcRoute | TlsRoute | TcpRoute | UdpRoute

export type Kind = KubernetesObject["kind"]

/** What identifies an object: its kind and name; cluster-scoped kinds have namespace "". */
export interface ObjectKey {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
}

/** The key of an object. */
export function keyOf(object: KubernetesObject): ObjectKey {
  return { kind: object.kind, namespace: object.meta.namespace, name: object.meta.name }
}

/**
 * `namespace/name`, or the name alone of a cluster-scoped object: the key of the store's maps. Many of them keep it: `join` makes one text of it, a
 * template would be kept as its parts beside that.
 */
export function qualifiedName({ namespace, name }: Named): string {
  return namespace === "" ? name : [namespace, name].join("/")
}

interface Named {
  readonly namespace: string
  readonly name: string
}

/** How Problems and statuses name an object. */
export function nameOf({ kind, meta: { namespace, name } }: Nameable): ObjectName {
  return { kind, namespace, name }
}

interface Nameable {
  readonly kind: string
  readonly meta: { readonly namespace: string; readonly name: string }
}

/** The older first, then by name: who was there first has what two of them want. */
export function byAge(a: Aged, b: Aged): number {
  return a.meta.createdMs - b.meta.createdMs || compareText(qualifiedName(a.meta), qualifiedName(b.meta))
}

interface Aged {
  readonly meta: { readonly createdMs: number; readonly namespace: string; readonly name: string }
}
