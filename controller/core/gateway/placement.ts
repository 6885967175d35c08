import { fieldPath } from "../../model/field-path.ts"
import { gatewayServiceName, readGatewayPorts, recordedAs } from "../../model/gateway-ports.ts"
import type { Ports } from "../../model/http/processes.ts"
import { serverOf, sharedServer } from "../../model/listener.ts"
import type { StatusAddress } from "../../model/object-status.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import { byAge, qualifiedName } from "../../model/objects/object.ts"
import type { Service } from "../../model/objects/service.ts"
import { shown } from "../../model/shown.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { canonicalAddress } from "../../support/address.ts"
import type { GatewayOptions } from "../options/translation.ts"
import type { Finding } from "./finding.ts"

/** Where a Gateway's listeners are. */
export interface Place {
  /** of a listener's port, as nginx listens on it; none: it is not served yet */
  readonly portOf: (port: number) => number | undefined
  /** local addresses of its connections; undefined among them: any */
  readonly addresses: readonly (string | undefined)[]
  /** on the ports of Ingresses its hosts are among theirs */
  readonly isShared?: true
  /** what its status says */
  readonly published: readonly StatusAddress[]
  /** why it is not accepted */
  readonly unsupported?: Finding
  /** why it is not served, or not at all of the addresses that it asks for */
  readonly unprogrammed?: Finding
}

/**
 * `Host.server` for each address of the Gateway; none: it is not served.
 *
 * @param ports of Ingresses
 */
export function serversOf(
  place: Place,
  scheme: "http" | "https",
  port: number,
  ports: Pick<Ports, "httpPort" | "httpsPort">,
): readonly string[] {
  const own = place.portOf(port)
  if (own === undefined) return []
  const usual = scheme === "http" ? ports.httpPort : ports.httpsPort
  if (place.isShared && own === usual) return place.addresses.length > 0 ? [sharedServer] : []
  return place.addresses.map((address) =>
    serverOf({ scheme, port: own, ...(address !== undefined && { address }) }),
  )
}

/** @param isShared whether a Gateway's parameters say that it is on the ports of Ingresses */
export function placesOf(
  gateways: readonly Gateway[],
  options: GatewayOptions,
  objects: Pick<Snapshot, "services" | "configMaps">,
  isShared: (gateway: Gateway) => boolean,
): ReadonlyMap<Gateway, Place> {
  const inOrder = gateways.toSorted(byAge)
  const own = ownPlaces(
    inOrder.filter((gateway) => !isShared(gateway)),
    options,
    objects,
  )
  return new Map(inOrder.map((gateway) => [gateway, own.get(gateway) ?? everywhere(gateway, options)]))
}

function ownPlaces(
  inOrder: readonly Gateway[],
  { addresses, ports }: GatewayOptions,
  { services, configMaps }: Pick<Snapshot, "services" | "configMaps">,
): ReadonlyMap<Gateway, Place> {
  if (addresses.length > 0) return pooled(inOrder, addresses)
  if (ports === undefined) return new Map()
  const recorded = readGatewayPorts(configMaps.get(qualifiedName(ports))?.data ?? {})
  return new Map(
    inOrder.map((gateway) => {
      const { namespace, name } = gateway.meta
      const service = services.get(`${namespace}/${gatewayServiceName(name)}`)
      return [gateway, byService(gateway, recorded.get(recordedAs(gateway.meta)), service)]
    }),
  )
}

const itself = (port: number) => port

/** Each has an address of its own: one that it asks for, the one that it has, or the first that is free. */
function pooled(gateways: readonly Gateway[], pool: readonly string[]): ReadonlyMap<Gateway, Place> {
  const owners = new Map<string, Gateway>()
  const take = (gateway: Gateway, address: string) => {
    if (pool.includes(address) && !owners.has(address)) owners.set(address, gateway)
  }
  const taking = gateways.filter((gateway) => unsupportedAddress(gateway) === undefined)
  // What one has nobody else gets by asking for it.
  for (const gateway of taking) for (const address of held(gateway, pool)) take(gateway, address)
  for (const gateway of taking) for (const { value } of wanted(gateway)) take(gateway, value)
  const without = () => taking.filter((gateway) => ![...owners.values()].includes(gateway))
  for (const gateway of without()) {
    const free = pool.find((address) => !owners.has(address))
    if (free !== undefined && wanted(gateway).length === 0) take(gateway, free)
  }
  const of = Map.groupBy(owners.keys(), (address) => owners.get(address))
  return new Map(gateways.map((gateway) => [gateway, placeAt(gateway, of.get(gateway) ?? [])]))
}

/** Addresses that it has, as far as it still wants them: where it asks for none, one. */
function held(gateway: Gateway, pool: readonly string[]): readonly string[] {
  const before = gateway.ownAddresses.filter((address) => pool.includes(address))
  const asked = wanted(gateway)
  if (asked.length === 0) return before.slice(0, 1)
  return before.filter((address) => asked.some(({ value }) => value === address))
}

/** Addresses that are asked for by their value. */
function wanted({ addresses }: Gateway): readonly { readonly value: string }[] {
  return addresses
    .filter(({ type, value }) => type === "IPAddress" && value !== "")
    .map(({ value }) => ({ value: canonicalAddress(value) }))
}

function placeAt(gateway: Gateway, addresses: readonly string[]): Place {
  const unsupported = unsupportedAddress(gateway)
  const lost = wanted(gateway).find(({ value }) => !addresses.includes(value))
  const unprogrammed = lost === undefined ? unassigned(addresses) : unusable(gateway, lost.value)
  return {
    portOf: itself,
    addresses: unsupported === undefined ? addresses : [],
    published: addresses.map(statusAddress),
    ...(unsupported && { unsupported }),
    ...(unprogrammed && { unprogrammed }),
  }
}

function unsupportedAddress({ addresses }: Gateway): Finding | undefined {
  for (const [at, { type, routability }] of addresses.entries()) {
    if (type !== "IPAddress")
      return unsupported(at, "type", `of type ${shown(type)}: only IPAddress is supported`)
    if (routability !== "")
      return unsupported(at, "routability", `of routability ${shown(routability)}: leave it out`)
  }
  return undefined
}

function unsupported(at: number, name: string, state: string): Finding {
  const field = fieldPath("spec", "addresses", at, name)
  return {
    ...{ reason: "UnsupportedAddress", code: "address-unsupported", field },
    message: `Cannot use addresses ${state}`,
  }
}

function unusable({ addresses }: Gateway, value: string): Finding {
  const at = addresses.findIndex((address) => canonicalAddress(address.value) === value)
  const message = `Cannot use address ${shown(value)}: it is none of --gateway-addresses, or another Gateway has it`
  return {
    reason: "AddressNotUsable",
    code: "gateway-address",
    field: fieldPath("spec", "addresses", at, "value"),
    message,
  }
}

function unassigned(addresses: readonly string[]): Finding | undefined {
  if (addresses.length > 0) return undefined
  const message = "Cannot find an address: other Gateways have all of --gateway-addresses"
  return { reason: "AddressNotAssigned", code: "gateway-address", field: "spec.addresses", message }
}

/** Without addresses of their own Gateways are on all addresses of this machine, among Ingresses: their 80 and 443 are what clients reach as these. */
function everywhere(gateway: Gateway, { usual: { httpPort, httpsPort } }: GatewayOptions): Place {
  const unsupported = unsupportedAddress(gateway)
  const usual = new Map([
    [80, httpPort],
    [443, httpsPort],
  ])
  return {
    portOf: (port) => usual.get(port) ?? port,
    addresses: unsupported === undefined ? [undefined] : [],
    isShared: true,
    published: [],
    ...(unsupported && { unsupported }),
  }
}

/**
 * Its Service says where it is reached, and nothing else: who may write Services in one namespace would have the requests of others.
 *
 * @param ports of ours, by those of the Gateway
 */
function byService(
  gateway: Gateway,
  ports: ReadonlyMap<number, number> | undefined,
  service: Service | undefined,
): Place {
  const published = (service === undefined ? [] : reachedAt(service)).map(({ ip, hostname }) =>
    ip === "" ? ({ type: "Hostname", value: hostname } as const) : statusAddress(ip),
  )
  const unsupported = unsupportedAddress(gateway)
  const lost = wanted(gateway).find(({ value }) => !published.some((address) => address.value === value))
  return {
    portOf: (port) => ports?.get(port),
    addresses: unsupported === undefined ? [undefined] : [],
    published,
    ...(unsupported && { unsupported }),
    ...(published.length === 0
      ? { unprogrammed: withoutAddress(gateway) }
      : lost && { unprogrammed: unusable(gateway, lost.value) }),
  }
}

/** A Service without a load balancer is reached in the cluster. */
function reachedAt({ type, clusterIp, balancerAddresses }: Service): Service["balancerAddresses"] {
  const isInside = type !== "LoadBalancer" && clusterIp !== "" && clusterIp !== "None"
  return isInside ? [{ ip: clusterIp, hostname: "" }] : balancerAddresses
}

function withoutAddress({ meta }: Gateway): Finding {
  const service = shown(`${meta.namespace}/${gatewayServiceName(meta.name)}`)
  const message = `Cannot say where the Gateway is reached: Service ${service} has no address yet`
  return { reason: "AddressNotAssigned", code: "gateway-address", field: "spec.addresses", message }
}

function statusAddress(value: string): StatusAddress {
  return { type: "IPAddress", value }
}
