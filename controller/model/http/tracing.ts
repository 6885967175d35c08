/** Words of OpenTelemetry's `OTEL_PROPAGATORS`. */
export type Propagator = "tracecontext" | "b3" | "b3multi"

/** Which traces are recorded, and how many finished spans wait for whoever exports them. */
export interface Tracing {
  readonly sampler: "AlwaysOn" | "AlwaysOff" | "TraceIdRatioBased"
  /** of `TraceIdRatioBased`: 0 to 1 */
  readonly samplerRatio: number
  /** what a client says of its own trace counts */
  readonly isParentBased: boolean
  /** in which headers traces come and go; one at least */
  readonly propagators: readonly Propagator[]
  /** spans */
  readonly maxQueueSize: number
}
