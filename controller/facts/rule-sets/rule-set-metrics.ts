import type { Declare } from "../../support/declare.ts"

/** Rule sets, each once however many have it. */
export interface RuleSetCounts {
  /** somebody's requests are inspected with it */
  readonly in_force: number
  /** wanted, and nothing is known of it yet */
  readonly checking: number
  /** wanted, and libmodsecurity does not take it */
  readonly refused: number
  /** wanted, and there is no library or no file of rules to check it with */
  readonly absent: number
}

/** Seconds; a set with the Core Rule Set takes a quarter of one. */
const checkBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** @returns is told how long a run of the program took that checks sets */
export function checkMetrics(declare: Declare): (seconds: number) => void {
  const times = declare.histogram(
    "wick_modsecurity_check_seconds",
    "Time until libmodsecurity had compiled what was to be checked together, up to 64 rule sets",
    checkBuckets,
  )
  return (seconds) => times.observe(seconds)
}

/** @param counts asked at each scrape */
export function declareCounts(declare: Declare, counts: () => RuleSetCounts): void {
  declare.gauge("wick_modsecurity_rule_sets", "Rule sets of ModSecurity, by state", ["state"], (gauge) => {
    for (const [state, count] of Object.entries(counts())) gauge.set({ state }, count)
  })
}
