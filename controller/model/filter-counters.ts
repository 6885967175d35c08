/** What nginx says of the filter that chooses endpoints, of all workers together since nginx was started (`GET /filter`). */
export interface FilterCounters {
  /** calls that trapped, took too long, or failed otherwise */
  readonly faults: number
  /** attempts whose endpoint nginx chose because the filter could not */
  readonly fallbacks: number
  /** instances that were built: one for each worker, and one after each fault */
  readonly instances: number
  /** repairs of shared memory after a worker had been killed in it */
  readonly repairs: number
}
