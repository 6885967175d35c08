import { canonicalAddress } from "../../support/address.ts"
import type { Service } from "./service.ts"

/** Where a Service is reached: IPs of all kinds in canonical spelling, whatever its type; no names. */
export function addressesOfService(service: Service | undefined): readonly string[] {
  if (service === undefined) return []
  const { clusterIp, externalIps, balancerAddresses } = service
  const all = [clusterIp, ...externalIps, ...balancerAddresses.map(({ ip }) => ip)]
  return all.filter((address) => address !== "" && address !== "None").map(canonicalAddress)
}
