// One endpoint of ten becomes ten times slower: what the algorithms make of it on a real nginx with four workers. Writes
// bench/results/ewma-slow-endpoint.md and its plots; takes about three and a half minutes.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../harness/paths.ts"
import { backend, host, startPlane } from "../harness/plane.ts"
import { linear, logarithmic, nines, percent } from "../harness/plot/axis.ts"
import { chart, color, type Line } from "../harness/plot/chart.ts"
import { write } from "../harness/report.ts"
import { quantile } from "../harness/statistics.ts"
import { type Arrival, openLoad } from "./support/open-load.ts"
import { startServers } from "./support/servers.ts"

const name = "ewma-slow-endpoint"
const policies = ["round_robin", "ewma", "least_conn", "p2c"] as const
const count = 10
const time = { minMs: 5, meanMs: 5 }
const factor = 10
const perSecond = 400
/** Seconds. */
const slowFrom = 10
const slowTo = 25
const seconds = 50
/** A point of the plots. */
const partSeconds = 1

type Policy = (typeof policies)[number]
interface Result {
  readonly policy: Policy
  readonly arrivals: readonly Arrival[]
}

const slowPlace = 3
const servers = await startServers(count, time)
const results: Result[] = []
try {
  await using plane = await startPlane({ workers: 4 })
  for (const policy of policies) {
    const set = [{ ...backend(policy, servers.endpoints), "load-balance": policy }]
    await plane.apply({ backends: { set }, routes: { set: [host(`${policy}.test`, policy)] } })
    const arrivals = await openLoad({
      port: plane.nginx.port,
      question: { host: `${policy}.test` },
      perSecond,
      seconds,
      seed: 7,
      at: new Map([
        [slowFrom, () => servers.slow(slowPlace, factor)],
        [slowTo, () => servers.slow(slowPlace, 1)],
      ]),
    })
    results.push({ policy, arrivals })
  }
} finally {
  servers.stop()
}
plot()
report()

function during({ arrivals }: Result, from: number, to: number): readonly Arrival[] {
  return arrivals.filter(({ atMs }) => atMs >= 1000 * from && atMs < 1000 * to)
}

function tookMs(arrivals: readonly Arrival[]): number[] {
  return arrivals.map((arrival) => arrival.tookMs)
}

function shareOfSlow(arrivals: readonly Arrival[]): number {
  return arrivals.filter(({ body }) => body === String(slowPlace)).length / arrivals.length
}

function report(): void {
  const rows = results.map((result) => {
    const slow = during(result, slowFrom, slowTo)
    const quantiles = [0.5, 0.9, 0.99, 0.999].map((share) => quantile(tookMs(slow), share).toFixed(1))
    const sound = quantile(tookMs(during(result, 0, slowFrom)), 0.99).toFixed(1)
    const failed = result.arrivals.filter(({ status }) => status !== 200).length
    return [result.policy, sound, ...quantiles, `${(100 * shareOfSlow(slow)).toFixed(1)} %`, failed]
  })
  write({
    name,
    title: "One endpoint ten times slower",
    method: `nginx with four workers, ${count} endpoints that take ${time.minMs} ms and exponentially distributed ${time.meanMs} ms more; from second ${slowFrom} to second ${slowTo} of ${seconds} one of them takes
${factor} times as long. ${perSecond} requests a second at random times (Poisson, the same for all), whatever became of those before; times count from when a request was due to its whole
answer. One algorithm after the other, each on a fresh backend.`,
    columns: [
      "algorithm",
      "p99 before, ms",
      "p50, ms",
      "p90, ms",
      "p99, ms",
      "p99.9, ms",
      "share of the slow one",
      "failed",
    ],
    rows,
    remarks: [
      `The last five columns are those of the time in which it is slow. A tenth of all would be an even share.`,
      `![99th percentile over time](${name}/p99.svg)`,
      `![Share of the slow endpoint over time](${name}/share.svg)`,
      `![Latency by share of requests while it is slow](${name}/latency.svg)`,
    ],
  })
}

function plot(): void {
  const dir = join(root, "bench/results", name)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, "p99.svg"), p99Plot())
  writeFileSync(join(dir, "share.svg"), sharePlot())
  writeFileSync(join(dir, "latency.svg"), latencyPlot())
}

/** One line per algorithm, one point per part of the time. */
function overTime(value: (arrivals: readonly Arrival[]) => number): Line[] {
  const parts = Array.from({ length: seconds / partSeconds }, (_, part) => part * partSeconds)
  return results.map((result, i) => ({
    name: result.policy,
    color: color(i),
    points: parts.map(
      (from) => [from + partSeconds / 2, value(during(result, from, from + partSeconds))] as const,
    ),
  }))
}

function p99Plot(): string {
  return chart({
    title: "One endpoint of ten is ten times slower: 99th percentile over time",
    x: { kind: linear, label: "time, s", domain: [0, seconds] },
    y: { kind: logarithmic, label: "99th percentile of the latency, ms" },
    spans: [[slowFrom, slowTo]],
    lines: overTime((arrivals) => quantile(tookMs(arrivals), 0.99)),
  })
}

function sharePlot(): string {
  return chart({
    title: "One endpoint of ten is ten times slower: its share of the requests",
    x: { kind: linear, label: "time, s", domain: [0, seconds] },
    y: { kind: percent, label: "share of the requests", domain: [0, 0.2] },
    spans: [[slowFrom, slowTo]],
    lines: overTime(shareOfSlow),
  })
}

function latencyPlot(): string {
  const deepest = 0.999
  const shares = Array.from({ length: 200 }, (_, at) => 1 - 0.5 * (2 * (1 - deepest)) ** (at / 199))
  return chart({
    title: "While one endpoint of ten is ten times slower: latency by share of requests",
    x: { kind: nines, label: "share of requests that are faster", domain: [0.5, deepest] },
    y: { kind: logarithmic, label: "latency, ms" },
    lines: results.map((result, i) => {
      const times = tookMs(during(result, slowFrom, slowTo)).toSorted((a, b) => a - b)
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
      return {
        name: result.policy,
        color: color(i),
        points: shares.map((share) => [share, at(share)] as const),
      }
    }),
  })
}
