import type { LoadBalance } from "../model/backend.ts"
import type { PolicyFields } from "../model/policy.ts"
import type { Overrides } from "../model/route.ts"

/** What an Ingress says in its annotations, grouped by where it ends up. What is absent is inherited or at its default. */
export interface AnnotationValues {
  /** part of the route record: a change is a post */
  readonly route: Overrides
  /** part of a named location: a change is a post where another Ingress has the same policy already, else a reload */
  readonly policy: Partial<PolicyFields>
  // read by a step of translate, which makes fields of backends of them: a change is a post
  readonly canary: CanaryValues
  readonly affinity: AffinityValues
  readonly balancing: BalancingValues
}

/** Which requests an Ingress takes from another one; ranges as in model/backend.ts, TrafficShaping. */
export interface CanaryValues {
  readonly isCanary?: boolean
  readonly weight?: number
  readonly weightTotal?: number
  readonly header?: string
  readonly headerValue?: string
  readonly headerPattern?: string
  readonly cookie?: string
  /** to be used beside an older canary of the same backend */
  readonly isNWay?: boolean
}

/** Sessions; units and ranges as in model/backend.ts, AffinityCookie. */
export interface AffinityValues {
  readonly kind?: "cookie"
  readonly mode?: "balanced" | "persistent"
  /** of a canary: whether it takes part in the sessions of the backend whose place it takes */
  readonly canaryBehavior?: "sticky" | "legacy"
  readonly cookieName?: string
  readonly expiresSeconds?: number
  readonly maxAgeSeconds?: number
  readonly domain?: string
  readonly path?: string
  readonly sameSite?: "None" | "Lax" | "Strict"
  readonly secure?: boolean
  readonly conditionalSameSiteNone?: boolean
  readonly changeOnFailure?: boolean
}

export interface BalancingValues {
  readonly loadBalance?: LoadBalance
  /** text with nginx's variables */
  readonly hashKey?: string
  readonly hashesToSubset?: boolean
  /** 1 to 2^31 - 1 */
  readonly subsetSize?: number
  /** one endpoint: the Service's own address */
  readonly serviceUpstream?: boolean
  readonly slowStartMs?: number
  /** failed attempts in a row, 1 to 1000 */
  readonly outlierFailures?: number
  readonly outlierEjectionMs?: number
}
