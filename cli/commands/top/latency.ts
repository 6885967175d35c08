import type { RequestTimes } from "../../../controller/output/control/request-times.ts"

/** How long requests took between two moments. */
export interface Latency {
  readonly meanSeconds: number
  /** one of a hundred took longer */
  readonly p99Seconds: number
  /** that one is beyond the last bound of the histogram: all that is known is that it took longer than this */
  readonly isP99Beyond: boolean
}

/** Added up by what `nameOf` says of them; of those without requests meanwhile nothing. */
export function latencies(
  before: readonly RequestTimes[],
  after: readonly RequestTimes[],
  nameOf: (times: Pick<RequestTimes, "ingress" | "host">) => string,
): ReadonlyMap<string, Latency> {
  const was = Map.groupBy(before, nameOf)
  const found = new Map<string, Latency>()
  for (const [name, now] of Map.groupBy(after, nameOf)) {
    const latency = latencyOf(sum(was.get(name) ?? []), sum(now))
    if (latency !== undefined) found.set(name, latency)
  }
  return found
}

type Sum = Pick<RequestTimes, "count" | "seconds" | "buckets">

function sum(times: readonly RequestTimes[]): Sum {
  const buckets = new Map<number, number>()
  for (const { seconds, count } of times.flatMap((one) => one.buckets))
    buckets.set(seconds, (buckets.get(seconds) ?? 0) + count)
  return {
    count: times.reduce((all, { count }) => all + count, 0),
    seconds: times.reduce((all, { seconds }) => all + seconds, 0),
    buckets: Array.from(buckets, ([seconds, count]) => ({ seconds, count })).sort(
      (a, b) => a.seconds - b.seconds,
    ),
  }
}

/** Counters begin anew when nginx does. */
function latencyOf(before: Sum, now: Sum): Latency | undefined {
  const was = before.count <= now.count ? before : { count: 0, seconds: 0, buckets: [] }
  const count = now.count - was.count
  if (count === 0) return undefined
  const countBefore = new Map(was.buckets.map(({ seconds, count }) => [seconds, count]))
  const buckets = now.buckets.map(({ seconds, count }) => ({
    seconds,
    count: count - (countBefore.get(seconds) ?? 0),
  }))
  const meanSeconds = Math.max(now.seconds - was.seconds, 0) / count
  return { meanSeconds, ...p99Of(buckets, count) }
}

/** Within a bucket requests are taken to be spread evenly, as Prometheus' histogram_quantile does. */
function p99Of(buckets: Sum["buckets"], all: number): Omit<Latency, "meanSeconds"> {
  const rank = 0.99 * all
  const bounded = buckets.filter(({ seconds }) => Number.isFinite(seconds))
  const at = bounded.findIndex(({ count }) => count >= rank)
  const found = bounded[at]
  if (found === undefined) return { p99Seconds: bounded.at(-1)?.seconds ?? 0, isP99Beyond: true }
  const { seconds: from, count: below } = bounded[at - 1] ?? { seconds: 0, count: 0 }
  const part = (rank - below) / Math.max(found.count - below, 1)
  return { p99Seconds: from + (found.seconds - from) * part, isP99Beyond: false }
}
