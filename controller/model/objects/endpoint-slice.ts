import { isIP } from "node:net"
import type { Meta } from "./meta.ts"
import type { Fault, Reader } from "./reader.ts"
import { type Protocol, protocols } from "./service.ts"

export interface EndpointSlice {
  readonly kind: "EndpointSlice"
  readonly meta: Meta
  /** from its label; "" when absent: then it belongs to no Service */
  readonly serviceName: string
  readonly addressType: "IPv4" | "IPv6" | "FQDN"
  readonly ports: readonly SlicePort[]
  readonly endpoints: readonly SliceEndpoint[]
}

interface SlicePort {
  /** "" when unnamed */
  readonly name: string
  /** absent: every port */
  readonly port?: number
  readonly protocol: Protocol
}

export interface SliceEndpoint {
  /** IPv4 or IPv6 literals as the type of the slice says; anything else was left out */
  readonly addresses: readonly string[]
  /** only an explicit `false` keeps it out */
  readonly ready: boolean
  /** names of the zones that it is meant for; none: not said */
  readonly zones: readonly string[]
  /** where it is; absent when not said */
  readonly zone?: string
}

/** The label that names the Service of a slice. */
export const serviceNameLabel = "kubernetes.io/service-name"

const noZones: readonly string[] = []

const addressTypes = ["IPv4", "IPv6", "FQDN"] as const satisfies readonly EndpointSlice["addressType"][]

export function readEndpointSlice(at: Reader, meta: Meta): EndpointSlice | undefined {
  if (!at.has("addressType")) at.refuse("addressType", "field-missing", "is missing: write IPv4 or IPv6")
  const addressType = at.oneOf("addressType", addressTypes, "IPv4")
  const serviceName = meta.labels[serviceNameLabel] ?? ""
  const ports = at.list("ports", readPort)
  const endpoints = at.list("endpoints", (endpoint) => readEndpoint(endpoint, addressType))
  return at.accepted({
    kind: "EndpointSlice",
    meta: withoutLabels(meta),
    serviceName,
    addressType,
    ports,
    endpoints,
  })
}

/** All that was kept of them is in a field of its own. */
function withoutLabels({ namespace, name, uid, createdMs, annotations }: Meta): Meta {
  return { namespace, name, uid, createdMs, labels: noLabels, annotations }
}

const noLabels = {}

function readPort(at: Reader): SlicePort | undefined {
  const port = at.port("port")
  const name = at.text("name")
  const protocol = at.oneOf("protocol", protocols, "TCP")
  return at.accepted(port === undefined ? { name, protocol } : { name, protocol, port })
}

function readEndpoint(at: Reader, addressType: EndpointSlice["addressType"]): SliceEndpoint | undefined {
  const family = { IPv4: 4, IPv6: 6, FQDN: undefined }[addressType]
  const bad: Fault = { code: "address-bad", state: `has to be an ${addressType} address` }
  const addresses = at.texts("addresses", (text) =>
    family === undefined || isIP(text) === family ? undefined : bad,
  )
  const ready = at.expected("conditions", (conditions) =>
    conditions.accepted(conditions.boolean("ready", true)),
  )
  const zones = at.optional("hints", (hints) => hints.accepted(hints.list("forZones", readZone))) ?? noZones
  const zone = at.text("zone")
  const isReady = ready ?? true
  return at.accepted(
    zone === "" ? { addresses, ready: isReady, zones } : { addresses, ready: isReady, zones, zone },
  )
}

function readZone(at: Reader): string | undefined {
  return at.accepted(at.requiredText("name"))
}
