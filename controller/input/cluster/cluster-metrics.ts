import type { Declare } from "../../support/declare.ts"
import type { LeadershipMetrics } from "./candidacy.ts"
import type { EventDrop } from "./events/event-record.ts"
import type { WatchMetrics } from "./watch/report.ts"
import { watchMetrics } from "./watch/watch-metrics.ts"

/** What is counted of a cluster, and of what is written to it. */
export interface ClusterMetrics extends LeadershipMetrics {
  eventDropped(reason: EventDrop): void
  readonly watches: WatchMetrics
}

export function clusterMetrics(declare: Declare): ClusterMetrics {
  const droppedEvents = declare.counter(
    "wick_events_dropped_total",
    "Kubernetes Events that were given up: too many about one object (throttled), too many at once (overflow), or the API server (failed, refused)",
    ["reason"],
  )
  const leads = declare.gauge(
    "nginx_ingress_controller_leader_election_status",
    "1 while this replica holds the Lease, 0 after that",
    ["name"],
  )
  return {
    eventDropped: (reason) => droppedEvents.inc({ reason }),
    leads: (lease, isLeader) => leads.set({ name: lease }, isLeader ? 1 : 0),
    watches: watchMetrics(declare),
  }
}
