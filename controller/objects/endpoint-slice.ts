import type { Meta } from "./meta.ts"

export interface EndpointSlice {
  readonly kind: "EndpointSlice"
  readonly meta: Meta
  /** label `kubernetes.io/service-name` */
  readonly serviceName: string
  readonly addressType: "IPv4" | "IPv6" | "FQDN"
  readonly ports: readonly SlicePort[]
  readonly endpoints: readonly SliceEndpoint[]
}

export interface SlicePort {
  readonly name: string
  readonly port?: number
  readonly protocol: "TCP" | "UDP" | "SCTP"
}

export interface SliceEndpoint {
  readonly addresses: readonly string[]
  /** only an explicit `false` keeps it out */
  readonly ready: boolean
}
