/** Which of several replicas writes what all of them would write alike. */
export interface Leadership {
  /** True only while no other replica can be the leader, as far as clocks run evenly. */
  readonly isLeader: boolean
  /** Aborts with the end of the present term; of no use while `isLeader` is false. */
  readonly term: AbortSignal
  /** Told of every change from then on. */
  onChange(listener: (isLeader: boolean) => void): void
}

/** Of who has no rivals. */
export const alone: Leadership = {
  isLeader: true,
  term: new AbortController().signal,
  onChange() {},
}
