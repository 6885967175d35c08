import { refusedSessions, type StreamCounters } from "../../../controller/model/stream-counters.ts"
import { streamName } from "../../../controller/model/stream-listener.ts"
import { grown } from "./growth.ts"

/** Sessions of a port of TCP or UDP, per second between two moments. */
export interface PortActivity {
  /** `tcp:5432` */
  readonly name: string
  readonly perSecond: number
  /** those that ended without having reached an endpoint */
  readonly failuresPerSecond: number
  readonly refusedPerSecond: number
  readonly open: number
  /** how long it took to reach an endpoint, on average, of those that ended meanwhile; absent: none did */
  readonly connectSeconds?: number
  /** of those that ended meanwhile */
  readonly receivedBytesPerSecond: number
  readonly sentBytesPerSecond: number
  readonly total: number
}

export function portActivities(
  before: readonly StreamCounters[],
  after: readonly StreamCounters[],
  seconds: number,
): PortActivity[] {
  const was = new Map(before.map((port) => [streamName(port), port]))
  return after.map((now) => portActivity(was.get(streamName(now)), now, seconds))
}

function portActivity(
  before: StreamCounters | undefined,
  now: StreamCounters,
  seconds: number,
): PortActivity {
  const more = (of: (counters: StreamCounters) => number) => grown(before ? of(before) : 0, of(now))
  const connected = more((port) => port.connected)
  return {
    name: streamName(now),
    perSecond: more((port) => port.sessions) / seconds,
    failuresPerSecond: more((port) => port.failed) / seconds,
    refusedPerSecond: more(refusedSessions) / seconds,
    open: now.sessions - now.ended,
    ...(connected > 0 && { connectSeconds: more((port) => port.connectMs) / 1000 / connected }),
    receivedBytesPerSecond: more((port) => port.receivedBytes) / seconds,
    sentBytesPerSecond: more((port) => port.sentBytes) / seconds,
    total: now.sessions,
  }
}
