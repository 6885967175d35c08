import { gatewayServiceName } from "../../model/gateway-ports.ts"
import type { BackendTlsPolicy } from "../../model/objects/gateway/backend-tls-policy.ts"
import type { RouteFilter } from "../../model/objects/gateway/filters.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { GatewayClass } from "../../model/objects/gateway/gateway-class.ts"
import type { GatewayListener } from "../../model/objects/gateway/gateway-listener.ts"
import type { ListenerSet } from "../../model/objects/gateway/listener-set.ts"
import type { ObjectRef } from "../../model/objects/gateway/references.ts"
import type { GatewayApiObject, GatewayRoute, ObjectKey } from "../../model/objects/object.ts"
import { distinctBy } from "../../support/distinct.ts"

// What the objects of the Gateway API name, whether a ReferenceGrant allows it or not: Services, whose changes are of interest then, and Secrets and
// ConfigMaps, which are not read without being named.

/** The objects that one object names. @param annotated those that its annotations name */
export function namedByGatewayObject(
  object: GatewayApiObject,
  annotated: (route: GatewayRoute) => readonly ObjectKey[],
): readonly ObjectKey[] {
  switch (object.kind) {
    case "GatewayClass":
      return keysOf(ofClass(object))
    case "Gateway":
      return [...keysOf(ofGateway(object)), ownService(object)]
    case "ListenerSet":
      return keysOf(ofListeners(object))
    case "HTTPRoute":
    case "GRPCRoute":
    case "TLSRoute":
    case "TCPRoute":
    case "UDPRoute":
      return [...keysOf(ofRoute(object)), ...annotated(object)]
    case "BackendTLSPolicy":
      return keysOf(ofPolicy(object))
    case "ReferenceGrant":
      return []
    default:
      return object satisfies never
  }
}

type Ref = Pick<ObjectRef, "group" | "kind" | "namespace" | "name">

/** Kinds of the core group that are of use; others are named in vain. */
function keysOf(refs: readonly Ref[]): readonly ObjectKey[] {
  const keys = refs.flatMap(({ group, kind, namespace, name }): readonly ObjectKey[] =>
    group === "" && (kind === "Service" || kind === "Secret" || kind === "ConfigMap")
      ? [{ kind, namespace, name }]
      : [],
  )
  return distinctBy(keys, ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)
}

function ofClass({ parameters }: GatewayClass): readonly Ref[] {
  return parameters ? [parameters] : []
}

function ofGateway(gateway: Gateway): readonly Ref[] {
  const { infrastructure, backendCertificate, clients, clientsOfPort } = gateway
  const allClients = [clients, ...clientsOfPort.map((ofPort) => ofPort.clients)]
  return [
    ...ofListeners(gateway),
    ...(infrastructure.parameters ? [infrastructure.parameters] : []),
    ...(backendCertificate ? [backendCertificate] : []),
    ...allClients.flatMap((some) => some?.authorities ?? []),
  ]
}

/** Its addresses are those of the Gateway. */
function ownService({ meta: { namespace, name } }: Gateway): ObjectKey {
  return { kind: "Service", namespace, name: gatewayServiceName(name) }
}

function ofListeners({ listeners }: Gateway | ListenerSet): readonly Ref[] {
  return listeners.flatMap(({ tls, filters }: GatewayListener) => [
    ...(tls?.certificates ?? []),
    ...filters.flatMap((filter) => (filter.kind === "external-auth" ? [filter.auth.backend] : [])),
  ])
}

function ofRoute(route: GatewayRoute): readonly Ref[] {
  if (route.kind !== "HTTPRoute" && route.kind !== "GRPCRoute")
    return route.rules.flatMap(({ backends }) => backends)
  return route.rules.flatMap(({ filters, backends }) => [
    ...backends,
    ...filters.flatMap(ofFilter),
    ...backends.flatMap((backend) => backend.filters.flatMap(ofFilter)),
  ])
}

function ofFilter(filter: RouteFilter): readonly Ref[] {
  if (filter.type === "RequestMirror") return [filter.mirror.backend]
  return filter.type === "ExternalAuth" ? [filter.auth.backend] : []
}

function ofPolicy({ authorities, targets }: BackendTlsPolicy): readonly Ref[] {
  return [...authorities, ...targets]
}
