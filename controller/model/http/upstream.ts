/** Idle connections to endpoints. */
export interface Upstream {
  /** per worker; 0 keeps none */
  readonly upstreamKeepaliveConnections: number
  readonly upstreamKeepaliveTimeMs: number
  readonly upstreamKeepaliveTimeoutSeconds: number
  readonly upstreamKeepaliveRequests: number
}
