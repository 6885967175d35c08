// From saving a manifest to the first answer that shows it, through all of wick, with few and with 10,000 backends: an
// endpoint that changes and a host that is added. Writes bench/results/change-to-traffic.md; takes about two minutes.
import { startBackends } from "../harness/backends.ts"
import { ask } from "../harness/http.ts"
import { ingress, ingressClass, type Json, listOf, manifest, service, slice } from "../harness/manifests.ts"
import { write } from "../harness/report.ts"
import { largest, quantile } from "../harness/statistics.ts"
import { until } from "../harness/until.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { startProber } from "./support/prober.ts"
import { StallWatch } from "./support/stall.ts"

const sizes = [10, 10_000]
const changes = 300

using stall = new StallWatch()
await using backends = await startBackends("one", "two")
const rows: (string | number)[][] = []
for (const size of sizes) await measure(size)
report()

async function measure(size: number): Promise<void> {
  await using wick = await startWick({
    manifests: manifests(size),
    timeoutMs: 120_000,
    env: stall.env,
  })
  const prober = await startProber(wick.port, "/healthz")
  try {
    for (const [name, change] of [
      ["endpoint changed", changeEndpoint],
      ["host added", addHost],
    ] as const) {
      await stall.longest(wick)
      await prober.seen()
      const times: number[] = []
      for (let n = 0; n < changes; n += 1) times.push(await change(wick, n))
      const stalled = await stall.longest(wick)
      const seen = await prober.seen()
      const cells = [
        quantile(times, 0.5),
        quantile(times, 0.99),
        largest(times),
        stalled,
        seen.median,
        seen.p99,
        seen.worst,
      ]
      rows.push([size, name, ...cells.map((ms) => ms.toFixed(1))])
    }
  } finally {
    prober.stop()
  }
}

/** Swings the only endpoint of web.test between two servers. */
async function changeEndpoint(wick: Wick, n: number): Promise<number> {
  const next = backends[n % 2]
  const savedMs = performance.now()
  wick.write("web-endpoints.yaml", webFile(n % 2))
  await until(
    "the other endpoint",
    async () => (await ask({ port: wick.port }, { host: "web.test" })).body === next?.name,
  )
  return performance.now() - savedMs
}

async function addHost(wick: Wick, n: number): Promise<number> {
  const host = `added-${n}.test`
  const savedMs = performance.now()
  wick.write(`added-${n}.yaml`, manifest(ingress(`bench/added-${n}`, `${host}/ → web:80`)))
  await until(host, async () => (await ask({ port: wick.port }, { host })).status === 200)
  return performance.now() - savedMs
}

function webFile(which: number): string {
  return manifest(service("bench/web"), slice("bench/web", ["127.0.0.1"], backends[which]?.port ?? 0))
}

function manifests(size: number): Record<string, string> {
  const files: Record<string, string> = {
    "class.yaml": manifest(ingressClass),
    "web.yaml": manifest(ingress("bench/web", "web.test/ → web:80")),
    "web-endpoints.yaml": webFile(1),
  }
  for (let from = 0; from < size; from += 100) {
    const items = Array.from({ length: Math.min(100, size - from) }, (_, at) => objectsOf(from + at))
    files[`many-${from}.json`] = listOf(items.flat())
  }
  return files
}

function objectsOf(n: number): Json[] {
  const addresses = Array.from({ length: 10 }, (_, at) => `127.${1 + (n >> 8)}.${n & 255}.${1 + at}`)
  const name = `bench/service-${n}`
  return [
    service(name),
    slice(name, addresses, 8080),
    ingress(`bench/ingress-${n}`, `host-${n}.test/ → service-${n}:80`),
  ]
}

function report(): void {
  write({
    name: "change-to-traffic",
    title: "From saving a file to traffic",
    method: `wick with a directory of manifests and nginx with as many workers as cores; ${changes} changes each, one after the other. The time runs from writing the file to the first good answer to a client that
asks all the while. Backends have 10 endpoints each and a host of their own. Stall of the controller: perf_hooks.monitorEventLoopDelay in its process, longest. Stall of a
worker: another process asks one worker for a static answer every millisecond; how long the answers took.`,
    columns: [
      "backends",
      "change",
      "p50, ms",
      "p99, ms",
      "max, ms",
      "controller's longest stall, ms",
      "probe median, ms",
      "probe p99, ms",
      "probe worst, ms",
    ],
    rows,
    remarks: [
      "A file that still holds all its objects is believed at once; one that lost an object is believed after it stood unchanged for 50 ms, since it may be half-written. Here nothing is lost.",
    ],
  })
}
