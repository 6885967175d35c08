/** Where finished spans go, and how. */
export interface SpanExport {
  /** a name or an address; "": what the environment says, if anything */
  readonly collectorHost: string
  readonly collectorPort: number
  readonly serviceName: string
  /** a finished span waits no longer, unless the collector does not take it */
  readonly scheduleDelayMs: number
  readonly maxBatchSize: number
}
