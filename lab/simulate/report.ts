/** What `npm run simulate` prints and writes. Nothing in it depends on the machine or the day. */
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { releasedFilter } from "../host/host.ts"
import { markdownTable, textTable } from "../support/table.ts"
import { latencyPlot, p99Plot, sharePlot } from "./plots.ts"
import type { Options } from "./replay.ts"
import type { Result } from "./result.ts"
import { print, type Trace } from "./trace.ts"

const columns = [
  "policy",
  "p50 ms",
  "p90 ms",
  "p99 ms",
  "p99.9 ms",
  "max ms",
  "failed",
  "retries",
  "spread",
  "queued ms",
  "longest queue",
]

function rows(results: readonly Result[]): string[][] {
  return results.map(
    ({ policy, latencyMs: { p50, p90, p99, p999, max }, failed, retries, spread, queue }) => [
      policy,
      ...[p50, p90, p99, p999, max].map((ms) => ms.toFixed(1)),
      String(failed),
      String(retries),
      `${(100 * spread).toFixed(1)} %`,
      queue.meanMs.toFixed(2),
      String(queue.longest),
    ],
  )
}

/** For the terminal. */
export function table(results: readonly Result[]): string {
  return textTable(columns, rows(results))
}

/** Writes `result.json`, `report.md` (with the notes, paragraphs) and the plots into a folder, which is made if need be. */
export function write(
  folder: string,
  trace: Trace,
  results: readonly Result[],
  options: Options,
  notes: readonly string[] = [],
): void {
  const files = {
    "result.json": json(trace, results, options),
    "report.md": markdown(trace, results, options, notes),
    "latency.svg": latencyPlot(trace, results),
    "p99.svg": p99Plot(trace, results),
    "share.svg": sharePlot(trace, results),
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** A line for what all have in common, then one per policy. */
function json(trace: Trace, results: readonly Result[], options: Options): string {
  const lines = results.map((result) => JSON.stringify(result))
  return `${JSON.stringify(origin(trace, options)).slice(0, -1)},"results":[\n${lines.join(",\n")}\n]}\n`
}

/** From what the results follow. */
function origin(trace: Trace, { seed, workers }: Options) {
  const digest = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex").slice(0, 16)
  return {
    trace: { name: trace.head.name, sha256: digest(print(trace)), events: trace.events.length },
    filter: { sha256: digest(releasedFilter()) },
    seed,
    workers,
  }
}

function markdown(
  trace: Trace,
  results: readonly Result[],
  options: Options,
  notes: readonly string[],
): string {
  const { filter, trace: about } = origin(trace, options)
  return `${[
    `# ${trace.head.name}`,
    `${results[0]?.requests ?? 0} requests in virtual time through the release balancer.wasm, ${options.workers} workers that share a zone. An endpoint is a server of
some slots with a queue. Spread: the rate of the endpoint that got most over the mean of all, minus 1. Failed: requests without an answer. Shaded: an endpoint is
slow or fails, its line is coloured.`,
    markdownTable(columns, rows(results)),
    ...notes,
    "![Latency by share of requests](latency.svg)",
    "![99th percentile over time](p99.svg)",
    "![Share of the attempts that each endpoint gets](share.svg)",
    `Trace ${about.sha256}, filter ${filter.sha256}, seed ${options.seed}. Same trace, filter and seed: the same bytes here.`,
  ].join("\n\n")}\n`
}
