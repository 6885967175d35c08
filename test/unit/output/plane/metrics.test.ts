import { expect, test } from "vitest"
import type { FilterCounters } from "../../../../controller/model/filter-counters.ts"
import { eventMetrics } from "../../../../controller/output/plane/metrics/event-metrics.ts"
import { declareReadings } from "../../../../controller/output/plane/metrics/reading-metrics.ts"
import type { Readings } from "../../../../controller/output/plane/readings.ts"
import { newMetrics, seriesOf } from "../../../support/measured-by.ts"
import { MemoryPlane } from "../../../support/memory-plane.ts"

/** Metrics of a data plane that says these things of itself. */
function metricsOf(readings: Partial<Readings>) {
  const metrics = newMetrics()
  declareReadings(metrics.declare, { ...new MemoryPlane().read, ...readings })
  return (...series: readonly (readonly [name: string, labels?: string])[]) =>
    Promise.all(series.map(([name, labels]) => seriesOf(metrics, name, labels)))
}

test("metrics count posts", async () => {
  const metrics = newMetrics()
  const plane = eventMetrics(metrics.declare)
  plane.posted("applied", 0.002)
  plane.posted("refused", 0.003)
  expect(await seriesOf(metrics, "wick_posts_total", 'outcome="applied"')).toBe(1)
  expect(await seriesOf(metrics, "wick_post_duration_seconds_count")).toBe(2)
})

test("metrics say what the filter did while nginx answers", async () => {
  let now: FilterCounters | undefined = { faults: 2, fallbacks: 3, instances: 5, repairs: 0 }
  const values = metricsOf({ filterCounters: async () => now })
  const series = [
    ["wick_filter_faults_total"],
    ["wick_filter_fallbacks_total"],
    ["wick_zone_repairs_total"],
  ] as const
  expect(await values(...series)).toEqual([2, 3, 0])
  now = undefined
  expect(await values(...series)).toEqual([undefined, undefined, undefined])
})

test("sessions of ports are counted by protocol and port, and refusals by cause", async () => {
  let ports = [
    {
      ...{
        protocol: "tcp" as const,
        port: 5432,
        sessions: 9,
        ended: 7,
        failed: 1,
        refused: { denied: 2, rate: 1 },
      },
      ...{ receivedBytes: 100, sentBytes: 200, durationMs: 2500, connected: 3, connectMs: 6 },
    },
  ]
  const values = metricsOf({ streamCounters: async () => ports })
  const port = 'protocol="tcp",address="",port="5432"'
  const series = [
    ["wick_stream_sessions_total", port],
    ["wick_stream_sessions_ended_total", port],
    ["wick_stream_session_seconds_total", port],
    ["wick_stream_connect_seconds_total", port],
    ["wick_stream_received_bytes_total", port],
    ["wick_stream_sessions_refused_total", `${port},cause="denied"`],
  ] as const
  expect(await values(...series)).toEqual([9, 7, 2.5, 0.006, 100, 2])
  ports = []
  expect(await values(...series)).toEqual(series.map(() => undefined))
})

test("the numbers of nginx are read at each scrape, and missing while it does not answer", async () => {
  let isThere = true
  const connections = {
    ...{ active: 3, accepted: 10, handled: 9, requests: 42 },
    ...{ reading: 1, writing: 2, waiting: 0 },
  }
  const use = {
    ...{ count: 3, oldestStartSeconds: 1, residentBytes: 4096, virtualBytes: 8192 },
    ...{ cpuSeconds: 2, readBytes: 5, writtenBytes: 6 },
  }
  const values = metricsOf({
    connections: async () => (isThere ? connections : undefined),
    resourceUse: async () => (isThere ? use : undefined),
  })
  const prefix = "nginx_ingress_controller_nginx_process"
  const series = [
    [`${prefix}_requests_total`],
    [`${prefix}_connections`, 'state="active"'],
    [`${prefix}_resident_memory_bytes`],
  ] as const
  expect(await values(...series)).toEqual([42, 3, 4096])
  expect(await values(...series)).toEqual([42, 3, 4096])
  isThere = false
  expect(await values(...series)).toEqual([undefined, undefined, undefined])
})
