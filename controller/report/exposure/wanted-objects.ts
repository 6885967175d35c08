import type { GatewayParameters } from "../../model/gateway-parameters.ts"
import { type GatewayPorts, gatewayServiceName, recordedAs } from "../../model/gateway-ports.ts"
import { managedBy } from "../../model/managed-by.ts"
import { gatewayVersion } from "../../model/objects/gateway/names.ts"
import { recordOf } from "../../model/objects/reader.ts"
import { isLoopback } from "../../support/loopback.ts"
import type { ExposedGateway, ExposedPort } from "./exposed-gateways.ts"

// The objects by which a Gateway is reached: a Service, which has the labels and annotations of its infrastructure, and EndpointSlices, since no selector
// leads to Pods of another namespace. Both belong to the Gateway and go with it.

/** An object as JSON. */
export interface OwnObject {
  readonly apiVersion: string
  readonly kind: "Service" | "EndpointSlice"
  readonly metadata: {
    readonly namespace: string
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences: readonly object[]
  }
  readonly [field: string]: unknown
}

/** What leads to a replica, or to a Gateway's own address. */
export interface Target {
  readonly address: string
  readonly isReady: boolean
  readonly isLeaving: boolean
  /** "" when it is on none */
  readonly nodeName: string
}

const gatewayName = "gateway.networking.k8s.io/gateway-name"

/** Where Gateways are on addresses of this machine: a name for the cluster, by a Service without an address of its own. */
export function headlessObjects(exposed: ExposedGateway): readonly OwnObject[] {
  const targets = exposed.gateway.ownAddresses.map((address) => {
    return { address, isReady: true, isLeaving: false, nodeName: "" }
  })
  const service = serviceOf(exposed, { type: "ClusterIP", clusterIP: "None" }, ({ port }) => port)
  return [service, ...slicesOf(exposed, targets, ({ port }) => port)]
}

/** A load balancer whose ports lead to those of ours that are the Gateway's. */
export function balancerObjects(
  exposed: ExposedGateway,
  allocated: GatewayPorts,
  replicas: readonly Target[],
): readonly OwnObject[] {
  const own = allocated.get(recordedAs(exposed.gateway.meta))
  const placed = { ...exposed, ports: exposed.ports.filter(({ port }) => own?.has(port)) }
  if (placed.ports.length === 0) return []
  const targetOf = ({ port }: ExposedPort) => own?.get(port) ?? port
  const requested = exposed.gateway.addresses.find(({ type, value }) => type === "IPAddress" && value !== "")
  const spec = specOf(exposed.parameters, requested?.value)
  return [serviceOf(placed, spec, targetOf), ...slicesOf(placed, replicas, targetOf)]
}

/** Some fields belong to some types. Source: Kubernetes, ServiceSpec of v1. */
function specOf(parameters: GatewayParameters, address: string | undefined): object {
  const { serviceType: type = "LoadBalancer", externalTrafficPolicy, loadBalancerClass } = parameters
  return {
    type,
    ...(type !== "ClusterIP" && externalTrafficPolicy && { externalTrafficPolicy }),
    ...(type === "LoadBalancer" && loadBalancerClass && { loadBalancerClass }),
    ...(type === "LoadBalancer" && address !== undefined && { loadBalancerIP: address }),
  }
}

type TargetPort = (port: ExposedPort) => number

function serviceOf(exposed: ExposedGateway, spec: object, targetOf: TargetPort): OwnObject {
  const { gateway, ports } = exposed
  const { labels, annotations } = gateway.infrastructure
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      ...metadataOf(
        exposed,
        gatewayServiceName(gateway.meta.name),
        labels,
        annotationsOf(labels, annotations),
      ),
    },
    spec: { ...spec, ports: ports.map((it) => ({ ...namedPort(it), targetPort: targetOf(it) })) },
  }
}

/** Names of labels and annotations that are a Gateway's, so that those that it has no more can be told from those of others. */
export const ofInfrastructure = "wick.dev/infrastructure"

function annotationsOf(labels: Texts, annotations: Texts): Texts {
  const names = [labels, annotations].map((texts) => Object.keys(texts).sort())
  if (names.flat().length === 0) return {}
  return { ...annotations, [ofInfrastructure]: JSON.stringify(names) }
}

/** One of each family of addresses. Endpoints cannot be at loopback addresses. */
function slicesOf(
  exposed: ExposedGateway,
  targets: readonly Target[],
  targetOf: TargetPort,
): readonly OwnObject[] {
  const { gateway, ports } = exposed
  const service = gatewayServiceName(gateway.meta.name)
  const labels = {
    "kubernetes.io/service-name": service,
    "endpointslice.kubernetes.io/managed-by": "wick.dev",
  }
  return families.flatMap(({ addressType, has }) => {
    const endpoints = targets.filter(({ address }) => has(address) && !isLoopback(address)).map(endpointOf)
    if (endpoints.length === 0) return []
    return [
      {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: metadataOf(exposed, `${service}-${addressType.toLowerCase()}`, labels),
        addressType,
        endpoints,
        ports: ports.map((it) => ({ ...namedPort(it), port: targetOf(it) })),
      } as const,
    ]
  })
}

const families = [
  { addressType: "IPv4", has: (address: string) => !address.includes(":") },
  { addressType: "IPv6", has: (address: string) => address.includes(":") },
] as const

function endpointOf({ address, isReady, isLeaving, nodeName }: Target) {
  return {
    addresses: [address],
    conditions: { ready: isReady && !isLeaving, serving: isReady, terminating: isLeaving },
    ...(nodeName !== "" && { nodeName }),
  }
}

function namedPort({ port, protocol }: ExposedPort) {
  return { name: `${protocol.toLowerCase()}-${port}`, port, protocol }
}

/** Of two wicks in a cluster each knows its own by it. */
const madeBy = "wick.dev/gateway-controller"

/** Whether an object of wick's is one of the controller of this name. */
export function isMadeBy(object: unknown, controllerName: string): boolean {
  return recordOf(recordOf(recordOf(object).metadata).annotations)[madeBy] === controllerName
}

type Texts = Readonly<Record<string, string>>

function metadataOf(
  { gateway: { meta }, controllerName }: ExposedGateway,
  name: string,
  labels: Texts,
  annotations: Texts = {},
) {
  const { namespace, uid } = meta
  return {
    namespace,
    name,
    labels: { ...labels, [managedBy.name]: managedBy.value, ...shortLabel(meta.name) },
    annotations: { ...annotations, [madeBy]: controllerName },
    ownerReferences: [
      { apiVersion: gatewayVersion, kind: "Gateway", name: meta.name, uid, controller: true },
    ],
  }
}

/** A label takes 63 characters, a name may have more. */
function shortLabel(name: string): Readonly<Record<string, string>> {
  return name.length <= 63 ? { [gatewayName]: name } : {}
}
