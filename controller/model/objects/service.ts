import type { Meta } from "./meta.ts"
import { isPort, type Reader } from "./reader.ts"
import { readStatusAddresses, type StatusAddress } from "./status-address.ts"

export interface Service {
  readonly kind: "Service"
  readonly meta: Meta
  readonly type: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName"
  /** an address, "None" for a headless Service, "" when not assigned */
  readonly clusterIp: string
  /** "" for other types than ExternalName */
  readonly externalName: string
  /** which endpoints its traffic should prefer, as `PreferSameZone`; "" when it does not say */
  readonly trafficDistribution: string
  /** addresses outside of the cluster that lead to it, as its author says */
  readonly externalIps: readonly string[]
  /** what its load balancer has been given so far */
  readonly balancerAddresses: readonly StatusAddress[]
  readonly ports: readonly ServicePort[]
}

export interface ServicePort {
  /** "" when unnamed */
  readonly name: string
  readonly port: number
  /** number, or the name of a container port; the same as `port` when absent */
  readonly targetPort: number | string
  readonly protocol: Protocol
  /** what it speaks, as its author says; absent: not said */
  readonly appProtocol?: string
  /** where every node has it; absent: nowhere */
  readonly nodePort?: number
}

export type Protocol = "TCP" | "UDP" | "SCTP"
export const protocols = ["TCP", "UDP", "SCTP"] as const satisfies readonly Protocol[]

const types = [
  "ClusterIP",
  "NodePort",
  "LoadBalancer",
  "ExternalName",
] as const satisfies readonly Service["type"][]

/** The annotation by which a Service asks for endpoints in the zone, before there was `trafficDistribution`. */
export const topologyMode = "service.kubernetes.io/topology-mode"

export function readService(at: Reader, meta: Meta): Service | undefined {
  const balancerAddresses = readStatusAddresses(at)
  const service = at.required("spec", (spec) =>
    spec.accepted({
      kind: "Service" as const,
      meta,
      type: spec.oneOf("type", types, "ClusterIP"),
      clusterIp: spec.text("clusterIP"),
      externalName: spec.text("externalName"),
      trafficDistribution: spec.text("trafficDistribution"),
      externalIps: spec.texts("externalIPs"),
      balancerAddresses,
      ports: spec.list("ports", readPort),
    }),
  )
  return service && at.accepted(service)
}

function readPort(at: Reader): ServicePort | undefined {
  const port = at.port("port")
  if (port === undefined) {
    at.refuse("port", "field-missing", "is missing or no port")
    return undefined
  }
  const name = at.text("name")
  const protocol = at.oneOf("protocol", protocols, "TCP")
  const nodePort = at.port("nodePort")
  const appProtocol = at.text("appProtocol")
  const targetPort = readTargetPort(at, port)
  if (appProtocol === "" && nodePort === undefined) return at.accepted({ name, port, targetPort, protocol })
  return at.accepted({
    ...{ name, port, targetPort, protocol },
    ...(appProtocol !== "" && { appProtocol }),
    ...(nodePort !== undefined && { nodePort }),
  })
}

function readTargetPort(at: Reader, port: number): number | string {
  const target = at.raw("targetPort") ?? port
  if (isPort(target) || (typeof target === "string" && target !== "")) return target
  at.refuse("targetPort", "type-wrong", "has to be a port from 1 to 65535 or the name of a container port")
  return port
}
