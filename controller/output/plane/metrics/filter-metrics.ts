import type { FilterCounters } from "../../../model/filter-counters.ts"
import { type Declare, shared } from "../../../support/declare.ts"
import type { Readings } from "../readings.ts"

type FilterMetric = readonly [string, string, (counters: FilterCounters) => number]

const counters: readonly FilterMetric[] = [
  ["wick_filter_faults_total", "Times the balancing filter trapped or took too long", ({ faults }) => faults],
  [
    "wick_filter_fallbacks_total",
    "Attempts whose endpoint nginx chose by itself, because the filter could not",
    ({ fallbacks }) => fallbacks,
  ],
  [
    "wick_filter_instances_total",
    "Instances of the filter that were built: one for each worker, and one after each fault",
    ({ instances }) => instances,
  ],
  [
    "wick_zone_repairs_total",
    "Repairs of shared memory after a worker had been killed while it wrote there",
    ({ repairs }) => repairs,
  ],
]

/** Declares what the filter did, read once at each scrape. Without an answer it has no values. */
export function declareFilter(declare: Declare, read: Readings["filterCounters"]): void {
  const filter = shared(read)
  for (const [name, help, of] of counters)
    declare.counter(name, help, [], async (counter) => {
      const now = await filter()
      counter.reset()
      if (now) counter.inc(of(now))
      else counter.remove()
    })
}
