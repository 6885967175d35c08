import type { StreamListener } from "./stream-listener.ts"

/** What became of the sessions of a port of TCP or UDP, in all workers since nginx was started, or since it listens on any port. */
export interface StreamCounters extends StreamListener {
  /** those that have begun */
  readonly sessions: number
  readonly ended: number
  /** those of them that reached no endpoint, although they were not refused */
  readonly failed: number
  /** those that were closed before an endpoint was chosen, by cause */
  readonly refused: Readonly<Record<string, number>>
  /** from clients, and to them */
  readonly receivedBytes: number
  readonly sentBytes: number
  /** of all that have ended */
  readonly durationMs: number
  /** those that reached an endpoint, and how long that took */
  readonly connected: number
  readonly connectMs: number
}

/** Those that were closed before an endpoint was chosen, whatever the cause. */
export function refusedSessions({ refused }: Pick<StreamCounters, "refused">): number {
  return Object.values(refused).reduce((sum, count) => sum + count, 0)
}
