import type { Meta } from "./meta.ts"

export interface Service {
  readonly kind: "Service"
  readonly meta: Meta
  readonly type: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName"
  readonly clusterIp: string
  readonly externalName: string
  readonly ports: readonly ServicePort[]
}

export interface ServicePort {
  /** "" when unnamed */
  readonly name: string
  readonly port: number
  /** number, or the name of a container port */
  readonly targetPort: number | string
  readonly protocol: "TCP" | "UDP" | "SCTP"
}
