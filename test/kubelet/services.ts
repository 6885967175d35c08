// What kube-proxy does: leads connections to the address of a Service to one of its endpoints. A connection keeps the endpoint that it began with.
import type { ApiObject } from "../../harness/cluster/client.ts"
import { apiAddress, balancerRange, nodeAddress, serviceRange, shell, tableName } from "./network.ts"

/** A way in and the places that it leads to. */
interface Target {
  readonly address: string
  readonly protocol: string
  readonly port: number
  /** `address . port` */
  readonly endpoints: readonly string[]
}

/** Puts the rules for these Services in force, at once for all of them. @param apiPort of the API server, on this machine */
export function leadServices(
  services: readonly ApiObject[],
  slices: readonly ApiObject[],
  apiPort: number,
): void {
  const api = { address: apiAddress, protocol: "tcp", port: 443, endpoints: [`${nodeAddress} . ${apiPort}`] }
  const targets = [
    api,
    ...services
      .filter(({ spec }) => spec.clusterIP !== apiAddress)
      .flatMap((service) => targetsOf(service, slices)),
  ]
  shell("nft -f -", rulesOf(targets))
}

export function stopLeading(): void {
  shell(`nft delete table ip ${tableName} || true`)
}

/** One for each port, at each address of the Service. */
function targetsOf(service: ApiObject, slices: readonly ApiObject[]): Target[] {
  const { metadata, spec, status } = service
  const own = slices.filter(
    (slice) =>
      slice.metadata.namespace === metadata.namespace &&
      slice.metadata.labels?.["kubernetes.io/service-name"] === metadata.name,
  )
  const balancers: readonly { ip?: string }[] = status?.loadBalancer?.ingress ?? []
  const addresses = [spec.clusterIP, ...balancers.map(({ ip }) => ip)].filter(
    (address): address is string => address !== undefined && address !== "None",
  )
  return (spec.ports as readonly ServicePort[]).flatMap(({ name = "", protocol = "TCP", port }) => {
    const endpoints = endpointsOf(own, name)
    return addresses.map((address) => ({ address, protocol: protocol.toLowerCase(), port, endpoints }))
  })
}

interface ServicePort {
  readonly name?: string
  readonly protocol?: string
  readonly port: number
}

interface Endpoint {
  readonly addresses: readonly string[]
  readonly conditions: {
    readonly ready?: boolean
    readonly serving?: boolean
    readonly terminating?: boolean
  }
}

/** Those that are ready; where there are none, those that end and still serve (KEP-1669). */
function endpointsOf(slices: readonly ApiObject[], portName: string): string[] {
  const chosen = (isChosen: (endpoint: Endpoint) => boolean) =>
    slices.flatMap(({ ports, endpoints }) => {
      const named = ((ports ?? []) as ServicePort[]).find(({ name = "" }) => name === portName)
      if (named === undefined) return []
      return ((endpoints ?? []) as Endpoint[])
        .filter(isChosen)
        .flatMap(({ addresses }) => addresses.map((address) => `${address} . ${named.port}`))
    })
  const ready = chosen(({ conditions }) => conditions.ready !== false)
  return ready.length > 0
    ? ready
    : chosen(({ conditions }) => conditions.terminating === true && conditions.serving === true)
}

/** What leads nowhere is rejected, and not remembered: a connection that was tracked before a rule was there would never meet it. */
function rulesOf(targets: readonly Target[]): string {
  const led = targets.filter(({ endpoints }) => endpoints.length > 0)
  return `
    table ip ${tableName} {}
    flush table ip ${tableName}
    table ip ${tableName} {
      chain services {
        ${led.map((target) => `${matchOf(target)} ${leadTo(target)}`).join("\n")}
      }
      chain nowhere { ip daddr { ${serviceRange}, ${balancerRange} } reject; }
      chain from-node { type nat hook output priority -100; jump services; }
      chain from-pods { type nat hook prerouting priority -100; jump services; }
      chain node-to-nowhere { type filter hook output priority 0; jump nowhere; }
      chain pods-to-nowhere { type filter hook forward priority 0; jump nowhere; }
    }
  `
}

const matchOf = ({ address, protocol, port }: Target) => `ip daddr ${address} ${protocol} dport ${port}`

function leadTo({ endpoints }: Target): string {
  const map = endpoints.map((endpoint, at) => `${at} : ${endpoint}`).join(", ")
  return `dnat ip to numgen random mod ${endpoints.length} map { ${map} }`
}
