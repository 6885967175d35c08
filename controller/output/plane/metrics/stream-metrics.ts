import type { StreamCounters } from "../../../model/stream-counters.ts"
import type { StreamListener } from "../../../model/stream-listener.ts"
import { type Declare, shared } from "../../../support/declare.ts"
import type { Readings } from "../readings.ts"

/** `address` is empty for what comes in at all addresses of a port. */
const listenerLabels = ["protocol", "address", "port"] as const

function labelsOf({ protocol, address = "", port }: StreamListener) {
  return { protocol, address, port }
}

type StreamMetric = readonly [string, string, (counters: StreamCounters) => number]

const counters: readonly StreamMetric[] = [
  ["sessions_total", "Sessions of TCP and UDP ports that have begun", ({ sessions }) => sessions],
  ["sessions_ended_total", "Those that have ended", ({ ended }) => ended],
  ["sessions_failed_total", "Those of them that reached no endpoint", ({ failed }) => failed],
  ["session_seconds_total", "How long those lasted that have ended", ({ durationMs }) => durationMs / 1000],
  [
    "connects_total",
    "Sessions that reached an endpoint, counted when they end",
    ({ connected }) => connected,
  ],
  ["connect_seconds_total", "The time until they had", ({ connectMs }) => connectMs / 1000],
  [
    "received_bytes_total",
    "Bytes from clients, of sessions that have ended",
    ({ receivedBytes }) => receivedBytes,
  ],
  ["sent_bytes_total", "Bytes to clients, of sessions that have ended", ({ sentBytes }) => sentBytes],
]

/** Declares what became of sessions of TCP and UDP, read once at each scrape. Ports that nobody has come to have no values. */
export function declareStreams(declare: Declare, read: Readings["streamCounters"]): void {
  const ports = shared(read)
  for (const [name, help, of] of counters) {
    declare.counter(`wick_stream_${name}`, help, listenerLabels, async (counter) => {
      const now = await ports()
      counter.reset()
      for (const one of now) counter.inc(labelsOf(one), of(one))
    })
  }
  declareRefusals(declare, ports)
}

function declareRefusals(declare: Declare, ports: Readings["streamCounters"]): void {
  declare.counter(
    "wick_stream_sessions_refused_total",
    "Sessions that were closed before an endpoint was chosen, by cause",
    [...listenerLabels, "cause"],
    async (counter) => {
      const now = await ports()
      counter.reset()
      for (const one of now)
        for (const [cause, count] of Object.entries(one.refused))
          counter.inc({ ...labelsOf(one), cause }, count)
    },
  )
}
