import type {
  AffinityCookie,
  BackendPolicy,
  CookieAffinity,
  HashBy,
  LoadBalance,
  OutlierEjection,
  TrafficShaping,
} from "../../../model/backend.ts"

/** What an Ingress says about the backends it names. */
export interface Balancing {
  readonly loadBalancing: LoadBalancing
  readonly affinity?: Affinity
  /** the Ingress is a canary */
  readonly canary?: Canary
}

/** How a backend's endpoints are found and chosen. Of several Ingresses the oldest that names the backend decides all of it. */
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

/** Sessions. Of several Ingresses that want some for a backend the oldest decides about their form, and each where they begin. */
export interface Affinity {
  readonly mode: CookieAffinity["mode"]
  readonly cookie: Omit<AffinityCookie, "sessionsOf">
}

export interface Canary {
  readonly shaping: TrafficShaping
  /** whoever came to it stays with it, as with the backend whose place it takes */
  readonly isSticky: boolean
  /** wants to be used although that backend has a canary already */
  readonly isNWay: boolean
}

/** That of an Ingress without annotations about it: one object for all of them. */
export const defaultBalancing: Balancing = { loadBalancing: {} }
