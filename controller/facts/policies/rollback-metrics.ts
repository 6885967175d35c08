import type { Declare } from "../../support/declare.ts"

/** Counts policies that were taken back. @returns is told the name of each */
export function rollbackMetrics(declare: Declare): (policy: string) => void {
  const rollbacks = declare.counter(
    "wick_policy_rollbacks_total",
    "Times a balancing policy failed too often, so that its last good version took its place, or round robin",
    ["policy"],
  )
  return (policy) => rollbacks.inc({ policy })
}
