import type { Backend, BackendPolicy, LoadBalance } from "../../../model/backend.ts"
import type { LoadBalancing } from "../../declared/load-balancing.ts"

/** How backends are balanced of which it is not said. */
export interface CommonBalancing {
  readonly loadBalance: LoadBalance
  /** chooses instead, in namespaces where it may */
  readonly policy?: CommonPolicy
}

/** The policy that the ConfigMap names. The same object while nothing in it changes. */
export interface CommonPolicy {
  readonly policy: Omit<BackendPolicy, "config">
  /** absent: in all */
  readonly namespaces?: readonly string[]
}

/** What chooses the endpoints of a backend. @param serviceKey `namespace/service` */
export function chosenBalancing(
  { loadBalance, policy, policyConfig: config = "", hashBy }: LoadBalancing,
  serviceKey: string,
  common: CommonBalancing,
): Pick<Backend, "loadBalance" | "policy"> {
  if (loadBalance !== undefined) return { loadBalance, ...(policy && { policy }) }
  // as any algorithm of the ConfigMap, it does not come to it where hashing is asked for
  const isUsed = common.policy !== undefined && hashBy === undefined && isIn(serviceKey, common.policy)
  const own = isUsed ? common.policy?.policy : undefined
  return { loadBalance: common.loadBalance, ...(own && { policy: { ...own, config } }) }
}

function isIn(serviceKey: string, { namespaces }: CommonPolicy): boolean {
  return namespaces === undefined || namespaces.includes(serviceKey.split("/")[0] ?? "")
}

/** Whether it wants to know of each endpoint in which zone that is. Source: docs/abi.md, "Policies". */
export function wantsZones(policy: BackendPolicy | undefined): boolean {
  return policy !== undefined && (policy.needs & zonesBit) !== 0
}

const zonesBit = 16
