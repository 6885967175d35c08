import { rollbackMetrics } from "../facts/policies/rollback-metrics.ts"
import { checkMetrics } from "../facts/rule-sets/rule-set-metrics.ts"
import { clusterMetrics } from "../input/cluster/cluster-metrics.ts"
import { eventMetrics } from "../output/plane/metrics/event-metrics.ts"
import { declareReadings } from "../output/plane/metrics/reading-metrics.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { Metrics as Kept } from "../report/observe/metrics.ts"
import { problemMetrics } from "../report/problems/problem-metrics.ts"
import { passMetrics } from "../sync/pass-metrics.ts"
import { reloadMetrics } from "../sync/reload-metrics.ts"
import type { World } from "./world.ts"

export type Metrics = ReturnType<typeof declareMetrics>

/** What the parts measure, and where it is kept. A part whose metrics are there whether it runs or not is listed here. */
export function declareMetrics({ identity, build, options }: Pick<World, "identity" | "build" | "options">) {
  const kept = new Kept(identity, build, options.enableMetrics)
  const { declare } = kept
  return {
    kept,
    reloads: reloadMetrics(declare),
    passes: passMetrics(declare),
    plane: eventMetrics(declare),
    problems: problemMetrics(declare),
    rolledBack: rollbackMetrics(declare),
    ruleSetsChecked: checkMetrics(declare),
    cluster: clusterMetrics(declare),
  }
}

/** What the data plane says of itself is asked at each scrape. */
export function observePlane({ read }: DataPlane, { kept }: Metrics): void {
  const { requestMetrics: requests, endpointMetrics: counted } = read
  declareReadings(kept.declare, read)
  if (requests) kept.sources.requests = requests
  if (counted) kept.sources.endpoints = { counted, known: () => read.endpointStates() }
}
