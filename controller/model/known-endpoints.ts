import type { EndpointCounts } from "./endpoint-counts.ts"
import type { BackendState, EndpointState } from "./endpoint-state.ts"

/** What nginx says of the endpoints of one backend. */
export interface KnownEndpoints {
  /** undefined: attempts are not counted by endpoint */
  readonly counts: readonly EndpointCounts[] | undefined
  /** undefined: balancing learns nothing of them */
  readonly state: BackendState | undefined
}

/** What is known of one endpoint. */
export interface KnownEndpoint {
  /** absent: there was no attempt, or nobody counts */
  readonly counts?: EndpointCounts
  readonly state?: EndpointState
}

/** @returns what is known of an endpoint, by its address and port as `10.0.0.1:8080` or `[2001:db8::1]:8080` */
export function knownByEndpoint({
  counts: counted = [],
  state: learned,
}: Partial<KnownEndpoints>): (endpoint: string) => KnownEndpoint {
  const allCounts = new Map(counted.map((one) => [one.endpoint, one]))
  const states = new Map(learned?.endpoints.map((one) => [one.endpoint, one]))
  return (endpoint) => {
    const [counts, state] = [allCounts.get(endpoint), states.get(endpoint)]
    return { ...(counts && { counts }), ...(state && { state }) }
  }
}
