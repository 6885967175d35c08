import { channel } from "node:diagnostics_channel"

/** Where a change is on its way to traffic. Each is reached in this order; `served` when something is posted to an nginx, which may be more than once. */
export type Stage = "came" | "begun" | "facts" | "translated" | "planned" | "served" | "posted" | "ended"

/** What those hear who measure. */
export interface Reached {
  readonly stage: Stage
  /** as `performance.now()` has it */
  readonly atMs: number
}

/** The name under which stages are told in this process. */
export const stagesChannel = "wick:stages"

const stages = channel(stagesChannel)

/** A change has come so far. Costs nothing while nobody measures (bench/change-stages.ts). */
export function reached(stage: Stage): void {
  if (stages.hasSubscribers) stages.publish({ stage, atMs: performance.now() } satisfies Reached)
}
