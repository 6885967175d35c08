import type { Declare } from "../../../support/declare.ts"
import type { Readings } from "../readings.ts"
import { declareFilter } from "./filter-metrics.ts"
import { declarePolicies } from "./policy-metrics.ts"
import { declareProcesses } from "./process-metrics.ts"
import { declareStreams } from "./stream-metrics.ts"
import { declareNamespaces, declareShortages, declareZones } from "./zone-metrics.ts"

/** What a data plane says of itself is read at each scrape. While it does not answer there are no values: a number that is not known is not 0. */
export function declareReadings(declare: Declare, read: Readings): void {
  declareNamespaces(declare, () => read.namespaceUse())
  declareZones(declare, () => read.zones())
  declareShortages(declare, () => read.zoneShortages())
  declareFilter(declare, () => read.filterCounters())
  declarePolicies(declare, () => read.policyCounters())
  declareStreams(declare, () => read.streamCounters())
  declareProcesses(declare, read)
}
