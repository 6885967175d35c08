import type { InForce } from "../../../controller/inspect/in-force.ts"
import type { EndpointCounts } from "../../../controller/model/endpoint-counts.ts"
import type { BackendState } from "../../../controller/model/endpoint-state.ts"
import type { RequestCount } from "../../../controller/model/request-count.ts"
import type { StreamCounters } from "../../../controller/model/stream-counters.ts"
import type { ZoneFill } from "../../../controller/model/zone-fill.ts"
import type { RequestTimes } from "../../../controller/output/control/request-times.ts"
import { type ControllerFacts, readController } from "./controller-facts.ts"

/** What was counted until a moment, and what is so at that moment. */
export interface Snapshot {
  /** `performance.now()` */
  readonly atMs: number
  /** by the labels that tell them apart; undefined: nobody counts requests */
  readonly requests: readonly RequestCount[] | undefined
  /** none where nobody counts them, or there are too many series to read all of them again and again */
  readonly times: readonly RequestTimes[]
  /** undefined: nobody counts attempts by endpoint */
  readonly endpoints: readonly EndpointCounts[] | undefined
  readonly states: readonly BackendState[]
  /** sessions of ports that somebody came to */
  readonly ports: readonly StreamCounters[]
  readonly zones: readonly ZoneFill[]
  /** undefined: no controller answers */
  readonly controller: ControllerFacts | undefined
}

/** Each has a dozen lines of its histogram. */
const maxTimedSeries = 3000

/** @throws Failure `control-lost` */
export async function takeSnapshot(inForce: InForce): Promise<Snapshot> {
  const [requests, endpoints, states, ports, zones, controller] = await Promise.all([
    inForce.requestCounts(),
    inForce.endpointCounts(),
    inForce.backendStates(),
    inForce.streamCounters(),
    inForce.zones(),
    readController(inForce.layout.uiSocket),
  ])
  const isRead = requests !== undefined && requests.length <= maxTimedSeries
  const times = isRead ? await inForce.requestTimes() : []
  return { atMs: performance.now(), requests, times, endpoints, states, ports, zones, controller }
}
