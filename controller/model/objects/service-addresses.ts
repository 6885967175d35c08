import { isIP } from "node:net"
import type { Service } from "./service.ts"
import { type StatusAddress, statusAddress } from "./status-address.ts"

/** Under which addresses the Ingresses behind a Service are reached. Source: ingress-nginx 1.15, its order of Service types. */
export function addressesOfService({
  type,
  externalName,
  clusterIp,
  externalIps,
  balancerAddresses,
}: Service): readonly StatusAddress[] {
  const external = externalIps.map(statusAddress)
  switch (type) {
    case "ExternalName":
      return [statusAddress(externalName.replace(/\.$/, ""))]
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
  return isIP(clusterIp) === 0 ? [] : [statusAddress(clusterIp)]
}
