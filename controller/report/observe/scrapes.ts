import type { Registry } from "prom-client"
import { declareIn } from "./declared.ts"

/** Declares what Go's client library counts of scrapes, as dashboards know it. */
export function declareScrapes(registry: Registry) {
  const declare = declareIn(registry)
  const answered = declare.counter("promhttp_metric_handler_requests_total", "Scrapes by status", ["code"])
  for (const code of [200, 500, 503]) answered.inc({ code }, 0)
  const running = declare.gauge("promhttp_metric_handler_requests_in_flight", "Scrapes under way")
  return {
    /** A scrape has begun. @returns is told how it was answered */
    begin(): (code: number) => void {
      running.inc()
      return (code) => {
        running.dec()
        answered.inc({ code })
      }
    },
  }
}
