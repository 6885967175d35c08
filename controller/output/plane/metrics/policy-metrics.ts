import type { PolicyCounters } from "../../../model/policy-counters.ts"
import { type Declare, shared } from "../../../support/declare.ts"
import type { Readings } from "../readings.ts"

type PolicyMetric = readonly [string, string, (counters: PolicyCounters) => number]

const counters: readonly PolicyMetric[] = [
  ["picks_total", "Times a balancing policy was asked for an endpoint", ({ picks }) => picks],
  ["declines_total", "Times that it left to round robin", ({ declines }) => declines],
  [
    "faults_total",
    "Times it trapped, took too long, or named an endpoint that is not there",
    ({ faults }) => faults,
  ],
  ["sampled_picks_total", "Picks whose time was measured", ({ samples }) => samples],
  ["sampled_seconds_total", "The time that those took", ({ nanoseconds }) => nanoseconds / 1e9],
]

/** Enough to tell versions apart. */
const digestDigits = 12

/** Declares what balancing policies did, read once at each scrape. What nobody uses any more has no values. */
export function declarePolicies(declare: Declare, read: Readings["policyCounters"]): void {
  const policies = shared(read)
  for (const [name, help, of] of counters) {
    declare.counter(`wick_policy_${name}`, help, ["policy", "digest"], async (counter) => {
      const now = await policies()
      counter.reset()
      for (const one of now)
        counter.inc({ policy: one.policy, digest: one.digest.slice(0, digestDigits) }, of(one))
    })
  }
}
