/** What the processes of one data plane use, added up. */
export interface ResourceUse {
  /** processes */
  readonly count: number
  /** seconds since 1970 */
  readonly oldestStartSeconds: number
  readonly residentBytes: number
  readonly virtualBytes: number
  /** user and system time */
  readonly cpuSeconds: number
  readonly readBytes: number
  readonly writtenBytes: number
}
