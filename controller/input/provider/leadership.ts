/** Which of several replicas writes what all of them would write alike. */
export interface Leadership {
  /** True only while no other replica can be the leader, as far as clocks run evenly. Ask right before what only a leader may do. */
  readonly isLeader: boolean
  /** Aborts with the end of the present term, at the latest when `isLeader` is asked after that; of no use while that is false. */
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
