/** Replays a trace under a policy and counts: what clients saw, and how the endpoints were used. */
import { Outcome } from "../../harness/abi.ts"
import type { Member } from "./cluster.ts"
import { Counts } from "./counts.ts"
import { type Settings, settingsOf } from "./policies.ts"
import { type Attempt, type MakeWorkers, type Options, Replay } from "./replay.ts"
import type { Trace } from "./trace.ts"

export interface Result {
  readonly policy: string
  readonly settings: Settings
  readonly requests: number
  /** Requests without an answer of an endpoint. */
  readonly failed: number
  /** Attempts beyond the first of a request. */
  readonly retries: number
  /** Attempts that failed, by reason. */
  readonly failures: { readonly noConnection: number; readonly noHead: number; readonly badHead: number }
  /** Of the answered requests, with all their attempts. */
  readonly latencyMs: Latency
  /** Attempts per second, while listed, of the endpoint that had most over the mean of all, minus 1. */
  readonly spread: number
  /** Mean time that begun attempts waited at the endpoint, and the longest queue. */
  readonly queue: { readonly meanMs: number; readonly longest: number }
  readonly endpoints: readonly EndpointResult[]
  /** Share of requests (0 to 1) and the latency that it stays below. */
  readonly distribution: readonly (readonly [share: number, ms: number])[]
  readonly overTime: OverTime
}

interface Latency {
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

interface EndpointResult {
  readonly endpoint: string
  readonly attempts: number
  /** Of all attempts. */
  readonly share: number
  /** Busy slots of those it has, mean over the time that it was listed. */
  readonly busy: number
  readonly longestQueue: number
}

/** Equal parts of the trace's time. */
interface OverTime {
  readonly seconds: readonly number[]
  /** Of the requests that arrived in each part; null when none was answered. */
  readonly p99Ms: readonly (number | null)[]
  /** Of the attempts in each part, by endpoint. */
  readonly shares: Readonly<Record<string, readonly number[]>>
}

/** Beyond 99.99 % single requests would make the picture. */
const MOST_NINES = 4
/** Parts of the time. */
const PARTS = 60
const MS = 1e6
const S = 1e9

/** @throws Error for a policy that is unknown */
export function measure(trace: Trace, policy: string, options: Options): Result {
  return measureWith(trace, policy, settingsOf(policy), options)
}

/** As `measure`, with workers of another kind. */
export function measureWith(
  trace: Trace,
  policy: string,
  settings: Settings,
  options: Options,
  make?: MakeWorkers,
): Result {
  const totalNs = Math.max(1, (trace.events.at(-1)?.at_ms ?? 0) * MS)
  const counts = new Counts(totalNs, PARTS)
  const replay = new Replay(trace, settings, options, counts, make)
  replay.run()
  const members = [...replay.cluster.members.values()]
  const latencies = counts.latencies.map((ns) => ns / MS).sort((a, b) => a - b)
  return {
    policy,
    settings,
    requests: counts.requests,
    failed: counts.requests - latencies.length,
    retries: counts.retries,
    failures: failuresOf(counts),
    latencyMs: latencyOf(latencies),
    ...endpointsOf(members, counts, replay.nowNs),
    queue: queueOf(members),
    distribution: distributionOf(latencies),
    overTime: overTimeOf(counts, totalNs),
  }
}

function failuresOf({ failures }: Counts): Result["failures"] {
  const of = (outcome: number) => failures.get(outcome) ?? 0
  return {
    noConnection: of(Outcome.notConnected),
    noHead: of(Outcome.noHead),
    badHead: of(Outcome.failedStatus),
  }
}

function latencyOf(sorted: readonly number[]): Latency {
  const at = (share: number) => percentile(sorted, share)
  return { mean: mean(sorted), p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) }
}

function endpointsOf(members: readonly Member<Attempt>[], counts: Counts, endNs: number) {
  const listedNs = members.map((member) => member.listedNs + endNs - (member.sinceNs ?? endNs))
  const attempts = members.map(({ server }) => sum(counts.attempts.get(server.name) ?? []))
  const total = sum(attempts)
  const rates = attempts.map((count, i) => count / Math.max(1, listedNs[i] ?? 0))
  const endpoints = members.map(({ server }, i) => ({
    endpoint: server.name,
    attempts: attempts[i] ?? 0,
    share: rounded((attempts[i] ?? 0) / total),
    busy: rounded(server.busyNs / server.slots / Math.max(1, listedNs[i] ?? 0)),
    longestQueue: server.longestQueue,
  }))
  return { endpoints, spread: rounded(Math.max(...rates) / mean(rates) - 1) }
}

function queueOf(members: readonly Member<Attempt>[]): Result["queue"] {
  const begun = sum(members.map(({ server }) => server.begun))
  const waitedNs = sum(members.map(({ server }) => server.waitedNs))
  const longest = Math.max(...members.map(({ server }) => server.longestQueue))
  return { meanMs: rounded(waitedNs / Math.max(1, begun) / MS), longest }
}

/** Ever finer towards the slowest one. */
function distributionOf(sorted: readonly number[]): Result["distribution"] {
  const deepest = Math.min(MOST_NINES, Math.log10(Math.max(2, sorted.length)))
  const depths = Array.from({ length: 101 }, (_, i) => (deepest * i) / 100)
  return depths.map((depth) => [1 - 10 ** -depth, percentile(sorted, 1 - 10 ** -depth)])
}

function overTimeOf({ attempts, latenciesOfPart }: Counts, totalNs: number): OverTime {
  const totals = latenciesOfPart.map((_, part) =>
    sum([...attempts.values()].map((parts) => parts[part] ?? 0)),
  )
  const sharesOf = (parts: readonly number[]) =>
    parts.map((count, part) => rounded(count / (totals[part] || 1)))
  return {
    seconds: latenciesOfPart.map((_, part) => rounded(((part + 0.5) * totalNs) / PARTS / S)),
    p99Ms: latenciesOfPart.map((latencies) =>
      latencies.length === 0
        ? null
        : percentile(
            latencies.map((ns) => ns / MS).sort((a, b) => a - b),
            0.99,
          ),
    ),
    shares: Object.fromEntries([...attempts].map(([endpoint, parts]) => [endpoint, sharesOf(parts)])),
  }
}

/** The least of the sorted values that so large a share (0 to 1) does not exceed; NaN of nothing. */
function percentile(sorted: readonly number[], share: number): number {
  return rounded(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN)
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const mean = (values: readonly number[]) => rounded(sum(values) / values.length)
/** Six digits: enough for people, and no noise of the last bit. */
const rounded = (value: number) => Number(value.toPrecision(6))
