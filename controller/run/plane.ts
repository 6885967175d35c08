import { LocalNginx } from "../output/nginx/local-nginx.ts"
import { Workplace } from "../output/nginx/workplace.ts"
import type { DataPlane, PlaneEvents } from "../output/plane/plane.ts"
import type { Common } from "./common.ts"
import type { Passes } from "./passes.ts"
import type { World } from "./world.ts"

/** What this process has to itself on its machine. */
export async function workplace({ options, identity }: World, stops: AsyncDisposableStack) {
  return { workplace: await Workplace.take(options, identity, stops) }
}

type Before = World & Common & { readonly workplace: Workplace; readonly passes: Passes }

/** The nginx that runs here is taken over, or it is made sure that one can be started. */
export async function plane(
  before: Before,
  stops: AsyncDisposableStack,
): Promise<{ readonly plane: DataPlane }> {
  const { options, workplace, signal } = before
  const plane = await LocalNginx.open(options, workplace, eventsOf(before), signal, stops)
  await plane.adopt()
  return { plane }
}

/** Listeners of what the data plane tells by itself. */
function eventsOf({ metrics, reloads, log, passes }: Before): PlaneEvents {
  const reloadedFor = (reason: string) => {
    metrics.reloads.reloadedFor([reason])
    reloads.reloaded([reason])
  }
  return {
    died(how) {
      metrics.plane.died()
      reloads.died(how)
      log.error({ how }, "nginx died")
      passes.request()
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
