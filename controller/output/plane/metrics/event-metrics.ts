import type { Declare } from "../../../support/declare.ts"
import type { PlaneEvents } from "../plane.ts"

/** Seconds; a post crosses a socket on the same machine. */
const postBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Counts what a data plane tells by itself. */
export function eventMetrics(
  declare: Declare,
): Pick<PlaneEvents, "posted" | "closedForRoom"> & { died(): void } {
  const posts = declare.counter("wick_posts_total", "Changes posted to nginx", ["outcome"])
  const postSeconds = declare.histogram(
    "wick_post_duration_seconds",
    "Time until a posted change was answered",
    postBuckets,
  )
  const closedForRoom = declare.gauge(
    "wick_closed_for_room",
    "Routes that get 503, or are left out, as what they should be finds no room in shared memory",
  )
  const restarts = declare.counter(
    "wick_nginx_restarts_total",
    "Times nginx was started again after its master had died",
  )
  return {
    posted(outcome, seconds) {
      posts.inc({ outcome })
      postSeconds.observe(seconds)
    },
    closedForRoom: (routes) => closedForRoom.set(routes),
    died: () => restarts.inc(),
  }
}
