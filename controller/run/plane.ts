import type { PlaneEvents } from "../output/plane/plane.ts"
import type { ReloadHistory } from "../report/history/reload-history.ts"
import type { Log } from "../support/log.ts"
import type { Metrics } from "./metrics.ts"

interface Listeners {
  readonly metrics: Pick<Metrics, "plane" | "reloads">
  readonly reloads: Pick<ReloadHistory, "reloaded" | "failed" | "died">
  readonly log: Pick<Log, "info" | "error">
  /** a pass is due */
  readonly request: () => void
}

/** Who hears what the data plane tells by itself. */
export function eventsOf({ metrics, reloads, log, request }: Listeners): PlaneEvents {
  const reloadedFor = (reason: string) => {
    metrics.reloads.reloadedFor([reason])
    reloads.reloaded([reason])
  }
  return {
    died(how) {
      metrics.plane.died()
      reloads.died(how)
      log.error({ how }, "nginx died")
      request()
    },
    posted: (outcome, seconds) => metrics.plane.posted(outcome, seconds),
    closedForRoom: (routes) => metrics.plane.closedForRoom(routes),
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
