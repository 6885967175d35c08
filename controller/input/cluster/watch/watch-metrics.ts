import type { Declare } from "../../../support/declare.ts"
import type { WatchMetrics } from "./report.ts"

/** How the watches of an API server fare. `resource` is a title for people, as `EndpointSlices`. */
export function watchMetrics(declare: Declare): WatchMetrics {
  const contactsMs = new Map<string, number>()
  declare.gauge(
    "wick_watch_contact_age_seconds",
    "Time since the API server last gave a sign of life on a watch; about a minute is usual where nothing happens",
    ["resource"],
    (gauge) => {
      for (const [resource, atMs] of contactsMs) gauge.set({ resource }, (performance.now() - atMs) / 1000)
    },
  )
  const isTroubled = declare.gauge(
    "wick_watch_troubled",
    "1 while a watch fails again and again, and the last known state is served",
    ["resource"],
  )
  const lists = declare.counter("wick_watch_lists_total", "Times everything was listed, the first one too", [
    "resource",
  ])
  const failures = declare.counter("wick_watch_failures_total", "Lists and watches that failed", [
    "resource",
    "cause",
  ])

  return {
    opened(resource: string): void {
      contactsMs.set(resource, performance.now())
      isTroubled.set({ resource }, 0)
    },
    contact(resource: string): void {
      contactsMs.set(resource, performance.now())
    },
    listed(resource: string): void {
      lists.inc({ resource })
    },
    failed(resource: string, cause: string): void {
      failures.inc({ resource, cause })
    },
    troubled(resource: string, is: boolean): void {
      isTroubled.set({ resource }, is ? 1 : 0)
    },
  }
}
