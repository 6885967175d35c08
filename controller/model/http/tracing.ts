/** Which traces are recorded, and how many finished spans wait for whoever exports them. */
export interface Tracing {
  readonly sampler: "AlwaysOn" | "AlwaysOff" | "TraceIdRatioBased"
  /** of `TraceIdRatioBased`: 0 to 1 */
  readonly samplerRatio: number
  /** what a client says of its own trace counts */
  readonly isParentBased: boolean
  /** spans */
  readonly maxQueueSize: number
}
