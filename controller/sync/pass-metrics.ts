import type { Declare } from "../support/declare.ts"

/** Seconds; a pass is pure computation and the posts it waits for. */
const passBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Seconds; a change waits for the pass before it, and perhaps for a reload. */
const changeBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** How long passes and changes take. */
export interface PassMetrics {
  /** Changes are in force. @param by what that took @param cameMs when they came, as `performance.now()` has it */
  changed(by: "post" | "reload", cameMs: readonly number[]): void
  passed(seconds: number): void
  passFailed(): void
}

export function passMetrics(declare: Declare): PassMetrics {
  const changeSeconds = declare.histogram(
    "wick_change_duration_seconds",
    "Time from when a change of an object was heard of to when all workers serve it",
    changeBuckets,
    ["by"],
  )
  const passSeconds = declare.histogram(
    "wick_pass_duration_seconds",
    "Time of one pass from snapshot to nginx",
    passBuckets,
  )
  const passErrors = declare.counter("wick_pass_errors_total", "Passes that failed and are tried again")
  return {
    changed(by, cameMs) {
      for (const ms of cameMs) changeSeconds.observe({ by }, (performance.now() - ms) / 1000)
    },
    passed: (seconds) => passSeconds.observe(seconds),
    passFailed: () => passErrors.inc(),
  }
}
