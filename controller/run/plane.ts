import type { DataPlane, PlaneEvents } from "../output/plane/plane.ts"
import type { ReloadHistory } from "../report/history/reload-history.ts"
import type { Metrics } from "../report/observe/metrics.ts"
import type { Log } from "../support/log.ts"

interface Listeners {
  readonly metrics: Metrics
  readonly reloads: Pick<ReloadHistory, "reloaded" | "failed" | "died">
  readonly log: Pick<Log, "info" | "error">
  /** a pass is due */
  readonly request: () => void
}

/** Who hears what the data plane tells by itself. */
export function eventsOf({ metrics, reloads, log, request }: Listeners): PlaneEvents {
  const reloadedFor = (reason: string) => {
    metrics.reloadedFor([reason])
    reloads.reloaded([reason])
  }
  return {
    died(how) {
      metrics.nginxRestarted()
      reloads.died(how)
      log.error({ how }, "nginx died")
      request()
    },
    posted: (outcome, seconds) => metrics.posted(outcome, seconds),
    closedForRoom: (routes) => metrics.closedForRoom(routes),
    renewed: () => reloadedFor("many numbers of routes"),
    grew(larger, failure) {
      if (failure === undefined) {
        reloadedFor("zones are nearly full")
        log.info({ zones: larger }, "Zones of shared memory have grown")
      } else {
        reloads.failed(["zones are nearly full"], failure.message)
        log.error({ zones: larger, detail: failure.message }, "Zones of shared memory cannot grow")
      }
    },
  }
}

/** What the data plane says of itself is asked at each scrape. */
export function observePlane({ read }: DataPlane, metrics: Metrics): void {
  metrics.observeNamespaces(() => read.namespaceUse())
  metrics.observeZones(
    () => read.zones(),
    () => read.zoneShortages(),
  )
  metrics.observeFilter(() => read.filterCounters())
  metrics.observePolicies(() => read.policyCounters())
  if (read.requestMetrics) metrics.observeRequests(read.requestMetrics)
  if (read.endpointMetrics) metrics.observeEndpoints(read.endpointMetrics, () => read.endpointStates())
}
