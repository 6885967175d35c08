/** What a balancing policy has done so far, in all workers of an nginx. */
export interface PolicyCounters {
  /** its name */
  readonly policy: string
  /** SHA-256 of its module, 64 hex digits */
  readonly digest: string
  readonly picks: number
  /** those of them that it left to round robin */
  readonly declines: number
  readonly faults: number
  /** picks whose time was measured, and that time */
  readonly samples: number
  readonly nanoseconds: number
  /** of workers that have it loaded */
  readonly instances: number
}
