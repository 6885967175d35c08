// A scrape of 10,000 Ingresses with five statuses each: how long it takes, and how long others of the controller wait meanwhile. Writes
// bench/results/scrape.md; takes some minutes.
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createServer, request } from "node:http"
import { parseArgs } from "node:util"
import { ask } from "../harness/http.ts"
import { startLoad } from "../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../harness/manifests.ts"
import { protobufType } from "../harness/metric-families.ts"
import { write } from "../harness/report.ts"
import { until } from "../harness/until.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { StallWatch } from "./support/stall.ts"

const count = 10_000
const statuses = [200, 201, 301, 404, 500]
const hostOf = (n: number) => `h${n}.test`
const others = [
  "connect_duration_seconds",
  "header_duration_seconds",
  "response_duration_seconds",
  "request_duration_seconds",
  "request_size",
  "response_size",
  "bytes_sent",
]

const butTimes = leaveOut(others.filter((name) => name !== "request_duration_seconds"))

/** Flags by which metrics there are: one counter, with one histogram, all (1.2 GB of text: asked for by `--all`). */
const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } })
const ways: Readonly<Record<string, readonly string[]>> = {
  "`requests` only": leaveOut(others),
  "`requests` and `request_duration_seconds`": butTimes,
  "the same with `--bucket-factor=1.1`": [...butTimes, "--bucket-factor=1.1"],
  ...(values.all && { all: [] }),
}

const formats: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  text: {},
  OpenMetrics: { accept: "application/openmetrics-text" },
  protobuf: { accept: protobufType },
}

function leaveOut(names: readonly string[]): readonly string[] {
  return [`--exclude-socket-metrics=${names.join()}`]
}

interface Scrape {
  readonly ms: number
  readonly bytes: number
  readonly stallMs: number
}

using stall = new StallWatch()

const backend = createServer((asked, response) => {
  asked.resume()
  response.writeHead(Number(asked.headers["x-status"])).end("x")
}).listen(0, "127.0.0.1")
await once(backend, "listening")
const address = backend.address()
const backendPort = typeof address === "object" && address ? address.port : 0
const manifests = {
  "all.yaml": manifest(
    ingressClass,
    ...serviceOn("demo/web", [backendPort]),
    ...Array.from({ length: count }, (_, n) => ingress(`demo/i${n}`, `${hostOf(n)}/ → web:80`)),
  ),
}
const rows: (readonly (string | number)[])[] = []
for (const [way, flags] of Object.entries(ways)) rows.push(...(await measure(way, flags)))
backend.close()
backend.closeAllConnections()
write({
  name: "scrape",
  title: `A scrape of ${count} Ingresses with ${statuses.length} statuses each`,
  method: `wick with manifests; one request for each Ingress and status, so ${count * statuses.length} series; then four scrapes, of which the first does not count and the shortest does, from the same machine,
which has two cores for the client, the controller and nginx. \`stall\` is how long the controller's event loop stood still at most, and with it everything else that it does, in three more (\`perf_hooks.monitorEventLoopDelay\` in its main thread, which runs ahead of all others
then: \`chrt --fifo\`).`,
  columns: ["metrics", "format", "packed", "ms", "MB", "stall, ms"],
  rows,
  remarks: [
    "Prometheus asks for packed answers. Of others the longest stalls are major collections of V8, which the buffers set off that Node takes for each read.",
    "`requests` alone is within the 200 ms that a scrape may take. A histogram of twelve buckets has fourteen lines for each series, 180 MB here as text, whoever prints them: with thousands of Ingresses, leave out what no dashboard shows (`--exclude-socket-metrics`), or let Prometheus ask for protobuf, which is a sixth of that.",
  ],
})

async function measure(way: string, flags: readonly string[]) {
  await using wick = await startWick({ manifests, flags, env: stall.env })
  await until("the last Ingress", async () => {
    const answer = await ask({ port: wick.port }, { host: hostOf(count - 1), headers: { "x-status": "200" } })
    return answer.status === 200
  })
  const question = (n: number) => ({
    host: hostOf(n % count),
    path: "/",
    headers: { "x-status": String(statuses[Math.floor(n / count)]) },
  })
  await startLoad({ port: wick.port, connections: 8, requests: count * statuses.length, question }).done
  const measured: (readonly (string | number)[])[] = []
  for (const [format, headers] of Object.entries(formats))
    for (const isPacked of [false, true]) {
      const asked = { ...headers, ...(isPacked && { "accept-encoding": "gzip" }) }
      const best = await shortest(wick, asked)
      const numbers = [Math.round(best.ms), (best.bytes / 1e6).toFixed(1), best.stallMs.toFixed(1)]
      const row = [way, format, isPacked ? "yes" : "no", ...numbers]
      process.stderr.write(`${row.join(" ")}\n`)
      measured.push(row)
    }
  return measured
}

/** The first is not counted: code is compiled then. */
async function shortest(wick: Wick, headers: Readonly<Record<string, string>>): Promise<Scrape> {
  await scrape(wick, headers)
  const best = (await thrice(wick, headers)).reduce((best, one) => (one.ms < best.ms ? one : best))
  schedule(wick, "--fifo", 1)
  await stall.longest(wick)
  await thrice(wick, headers)
  const stallMs = await stall.longest(wick)
  schedule(wick, "--other", 0)
  return { ...best, stallMs }
}

async function thrice(wick: Wick, headers: Readonly<Record<string, string>>) {
  return [await scrape(wick, headers), await scrape(wick, headers), await scrape(wick, headers)]
}

/** Its main thread alone, so that no other process is counted: V8's helpers, ahead as well, would keep it waiting. */
function schedule({ pid }: Wick, policy: "--fifo" | "--other", priority: number): void {
  execFileSync("chrt", [policy, "--pid", String(priority), String(pid)])
}

async function scrape(wick: Wick, headers: Readonly<Record<string, string>>) {
  const begun = performance.now()
  const [response] = await once(
    request({ port: wick.healthPort, path: "/metrics", headers }).end(),
    "response",
  )
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  return { ms: performance.now() - begun, bytes }
}
