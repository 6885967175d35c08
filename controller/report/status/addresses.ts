import { isIP } from "node:net"
import type { Options } from "../../core/options/flags.ts"
import type { Node } from "../../model/objects/node.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import type { Service } from "../../model/objects/service.ts"
import type { StatusAddress } from "../../model/objects/status-address.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { distinctBy } from "../../support/distinct.ts"
import { compareText } from "../../support/order.ts"
import { replicasOf } from "./replicas.ts"

// Under which addresses the Ingresses are reached. Source: ingress-nginx 1.15, its order of flags and of Service types.

export interface AddressOptions
  extends Pick<Options, "publishService" | "publishStatusAddress" | "reportNodeInternalIpAddress"> {
  /** the Pod that this controller is */
  readonly pod: { readonly namespace: string; readonly name: string }
}

/** `unknown` is not "none": what a status says is left alone until there is something to say. The reason fits after a colon. */
export type Addresses =
  | { readonly kind: "known"; readonly addresses: readonly StatusAddress[] }
  | { readonly kind: "unknown"; readonly reason: string }

/** What the addresses are found from. */
export type Cluster = Pick<Snapshot, "services" | "pods" | "nodes">

/** In order: of `--publish-status-address`, else of the Service of `--publish-service`, else of the Nodes that replicas run on. Sorted, each once. */
export function addressesOf(cluster: Cluster, options: AddressOptions): Addresses {
  const { publishStatusAddress, publishService } = options
  if (publishStatusAddress.length > 0) return known(publishStatusAddress.map(toAddress))
  if (publishService === undefined) return ofNodes(cluster, options)
  const name = qualifiedName(publishService)
  const service = cluster.services.get(name)
  return service ? known(ofService(service)) : unknown(`there is no Service ${JSON.stringify(name)}`)
}

function ofService({
  type,
  externalName,
  clusterIp,
  externalIps,
  balancerAddresses,
}: Service): readonly StatusAddress[] {
  const external = externalIps.map(toAddress)
  switch (type) {
    case "ExternalName":
      return [toAddress(externalName.replace(/\.$/, ""))]
    case "ClusterIP":
      return clusterAddress(clusterIp)
    case "NodePort":
      return external.length > 0 ? external : clusterAddress(clusterIp)
    case "LoadBalancer":
      return [
        ...balancerAddresses,
        ...external.filter(({ ip }) => !balancerAddresses.some((given) => given.ip === ip)),
      ]
    default:
      return type satisfies never
  }
}

/** A headless Service has none. */
function clusterAddress(clusterIp: string): readonly StatusAddress[] {
  return isIP(clusterIp) === 0 ? [] : [toAddress(clusterIp)]
}

/** The asking replica runs: if none is ready, that is about to change. So is it when Nodes have not been read, or one of them is gone. */
function ofNodes({ pods, nodes }: Cluster, options: AddressOptions): Addresses {
  const replicas = replicasOf(pods, options.pod)
  if (replicas === undefined) return unknown(`there is no Pod ${JSON.stringify(qualifiedName(options.pod))}`)
  const serving = replicas.filter(({ isRunning, isReady }) => isRunning && isReady)
  if (serving.length === 0) return unknown("no replica is ready")
  const missing = serving.find(({ nodeName }) => !nodes.has(nodeName))
  if (missing) return unknown(`there is no Node ${JSON.stringify(missing.nodeName)}`)
  const addresses = serving.flatMap(({ nodeName }) => ofNode(nodes.get(nodeName), options))
  return addresses.length > 0 ? known(addresses) : unknown("the Nodes of the replicas have no addresses")
}

/** The first external address, or the first internal one when there is no external or the flag says so. */
function ofNode(
  node: Node | undefined,
  { reportNodeInternalIpAddress }: AddressOptions,
): readonly StatusAddress[] {
  const first = (type: string) => node?.addresses.find((address) => address.type === type)?.address
  const external = reportNodeInternalIpAddress ? undefined : first("ExternalIP")
  const address = external ?? first("InternalIP")
  return address === undefined ? [] : [toAddress(address)]
}

function toAddress(text: string): StatusAddress {
  return isIP(text) === 0 ? { ip: "", hostname: text } : { ip: text, hostname: "" }
}

function known(addresses: readonly StatusAddress[]): Addresses {
  const distinct = distinctBy(addresses, ({ hostname, ip }) => `${hostname} ${ip}`)
  return { kind: "known", addresses: distinct.toSorted(byHostnameAndIp) }
}

function unknown(reason: string): Addresses {
  return { kind: "unknown", reason }
}

function byHostnameAndIp(a: StatusAddress, b: StatusAddress): number {
  return compareText(a.hostname, b.hostname) || compareText(a.ip, b.ip)
}
