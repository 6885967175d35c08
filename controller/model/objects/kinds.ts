import { gatewayVersion } from "./gateway/names.ts"
import type { Kind } from "./object.ts"

/** What Kubernetes calls a kind that is read. */
interface KindName {
  readonly apiVersion: string
  /** as in paths */
  readonly plural: string
  readonly isNamespaced: boolean
}

/** Every kind that is read; how one is read is in parse.ts, where it comes from in `input/`. */
export const kinds: Readonly<Record<Kind, KindName>> = {
  Ingress: { apiVersion: "networking.k8s.io/v1", plural: "ingresses", isNamespaced: true },
  IngressClass: { apiVersion: "networking.k8s.io/v1", plural: "ingressclasses", isNamespaced: false },
  EndpointSlice: { apiVersion: "discovery.k8s.io/v1", plural: "endpointslices", isNamespaced: true },
  Service: { apiVersion: "v1", plural: "services", isNamespaced: true },
  ConfigMap: { apiVersion: "v1", plural: "configmaps", isNamespaced: true },
  Secret: { apiVersion: "v1", plural: "secrets", isNamespaced: true },
  Namespace: { apiVersion: "v1", plural: "namespaces", isNamespaced: false },
  Pod: { apiVersion: "v1", plural: "pods", isNamespaced: true },
  Node: { apiVersion: "v1", plural: "nodes", isNamespaced: false },
  GatewayClass: { apiVersion: gatewayVersion, plural: "gatewayclasses", isNamespaced: false },
  Gateway: { apiVersion: gatewayVersion, plural: "gateways", isNamespaced: true },
  ListenerSet: { apiVersion: gatewayVersion, plural: "listenersets", isNamespaced: true },
  HTTPRoute: { apiVersion: gatewayVersion, plural: "httproutes", isNamespaced: true },
  GRPCRoute: { apiVersion: gatewayVersion, plural: "grpcroutes", isNamespaced: true },
  TLSRoute: { apiVersion: gatewayVersion, plural: "tlsroutes", isNamespaced: true },
  TCPRoute: { apiVersion: gatewayVersion, plural: "tcproutes", isNamespaced: true },
  UDPRoute: { apiVersion: gatewayVersion, plural: "udproutes", isNamespaced: true },
  BackendTLSPolicy: { apiVersion: gatewayVersion, plural: "backendtlspolicies", isNamespaced: true },
  ReferenceGrant: { apiVersion: gatewayVersion, plural: "referencegrants", isNamespaced: true },
}
