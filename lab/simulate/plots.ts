/** A simulation's plots. */
import { type Domain, linear, logarithmic, nines, percent } from "../../harness/plot/axis.ts"
import { chart, color, type Line, panels, quiet } from "../../harness/plot/chart.ts"
import type { Result } from "./result.ts"
import type { Event, Faulty, Slowed, Trace } from "./trace.ts"

/** Below it nothing interesting happens. */
const MEDIAN = 0.5

/** Latency that a share of the requests stays below. */
export function latencyPlot({ head }: Trace, results: readonly Result[]): string {
  const lines = results.map(({ policy, distribution }, i) => ({
    name: policy,
    points: distribution.filter(([share]) => share >= MEDIAN),
    color: color(i),
  }))
  const deepest = lines
    .flatMap(({ points }) => points.map(([share]) => share))
    .reduce((a, b) => Math.max(a, b), 0.9)
  return chart({
    title: `${head.name}: latency by share of requests`,
    x: { kind: nines, label: "share of requests that are faster", domain: [MEDIAN, deepest] },
    y: { kind: logarithmic, label: "latency, ms" },
    lines,
  })
}

export function p99Plot(trace: Trace, results: readonly Result[]): string {
  const lines = results.map(({ policy, overTime: { seconds, p99Ms } }, i) => ({
    name: policy,
    points: seconds.flatMap((second, part) => (p99Ms[part] ? [[second, p99Ms[part]] as const] : [])),
    color: color(i),
  }))
  return chart({
    title: `${trace.head.name}: 99th percentile over time`,
    spans: troubles(trace),
    x: { kind: linear, label: "time, s" },
    y: { kind: logarithmic, label: "99th percentile of the latency, ms" },
    lines,
  })
}

/** How many endpoints may be told apart; where something happens to more, none is. */
const MOST_COLORED = 3

/** One panel per policy; the endpoints to which something happens are coloured, the others are the grey crowd. */
export function sharePlot(trace: Trace, results: readonly Result[]): string {
  const shares = results.flatMap(({ overTime }) => Object.values(overTime.shares).flat())
  const max = shares.reduce((a, b) => Math.max(a, b), 0)
  const marked = markedEndpoints(trace)
  const spans = troubles(trace)
  const charts = results.map((result) => ({
    title: result.policy,
    x: { kind: linear, label: "time, s" },
    y: { kind: percent, label: "share of attempts per endpoint", domain: [0, max] as const },
    lines: shareLines(result, marked),
    spans,
  }))
  const title = `${trace.head.name}: share of the attempts that each endpoint gets`
  return panels(title, charts, Math.min(2, charts.length), { width: 480, height: 260, names: 110 })
}

function shareLines({ overTime: { seconds, shares } }: Result, marked: readonly string[]): Line[] {
  const line = ([endpoint, values]: readonly [string, readonly number[]]): Line => {
    const points = values.map((value, part) => [seconds[part] ?? 0, value] as const)
    const place = marked.indexOf(endpoint)
    return place < 0
      ? { points, color: quiet, width: 1 }
      : { name: endpoint.slice(0, endpoint.lastIndexOf(":")), points, color: color(place) }
  }
  const lines = Object.entries(shares).map(line)
  // The marked ones on top.
  return [...lines.filter(({ name }) => !name), ...lines.filter(({ name }) => name)]
}

function markedEndpoints({ events }: Trace): string[] {
  const marked = [...new Set(events.filter(isTrouble).map(({ endpoint }) => endpoint))]
  return marked.length > MOST_COLORED ? [] : marked
}

/** When a marked endpoint is slow or fails, in seconds. What was so from the beginning is no change that could be seen. */
function troubles(trace: Trace): Domain[] {
  const endMs = trace.events.at(-1)?.at_ms ?? 0
  return markedEndpoints(trace)
    .flatMap((endpoint) => troublesOf(endpoint, trace.events, endMs))
    .filter(([from]) => from > 0)
    .map(([from, to]) => [from / 1000, to / 1000])
}

/** From each event that brings trouble to the next one that ends it; an endpoint has one kind of trouble at a time. */
function troublesOf(endpoint: string, events: readonly Event[], endMs: number): Domain[] {
  const own = events.filter(isTrouble).filter((event) => event.endpoint === endpoint)
  return own.flatMap((event, i) => (isBad(event) ? [[event.at_ms, own[i + 1]?.at_ms ?? endMs] as const] : []))
}

function isTrouble(event: Event): event is Slowed | Faulty {
  return event.kind === "slow" || event.kind === "fault"
}

function isBad(event: Slowed | Faulty): boolean {
  return event.kind === "slow" ? event.factor > 1 : event.share > 0
}
