import type { BackendPolicy, HashBy, LoadBalance, OutlierEjection } from "../../model/backend.ts"

/** How a backend's endpoints are found and chosen. */
export interface LoadBalancing {
  /** absent: that of the ConfigMap */
  readonly loadBalance?: LoadBalance
  /** chooses instead */
  readonly policy?: BackendPolicy
  /** of the policy of the ConfigMap, where that decides */
  readonly policyConfig?: string
  /** absent: that of the ConfigMap */
  readonly serviceUpstream?: boolean
  readonly hashBy?: HashBy
  readonly slowStartMs?: number
  readonly outlierEjection?: OutlierEjection
}

/** Where nothing is said: one object for all. */
export const usualBalancing: LoadBalancing = {}
