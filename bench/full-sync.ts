// A full sync of 10,000 backends with 10 endpoints each, and of a host for each: how long it takes, how long the worker that
// takes it stands still, and what a worker needs in memory. Writes bench/results/full-sync.md; takes about a minute.

import { partBytes } from "../controller/output/control/wire.ts"
import { ask } from "../harness/http.ts"
import { startLoad } from "../harness/load.ts"
import { startNginx } from "../harness/nginx.ts"
import { backend, type Change, host, Plane, planeConf } from "../harness/plane.ts"
import { write } from "../harness/report.ts"
import { cpuNanoseconds, privateBytes } from "./support/cpu.ts"
import { startProber } from "./support/prober.ts"

const count = 10_000
const endpointsEach = 10

// All of 127.0.0.0/8 is loopback: one server is a hundred thousand endpoints.
await using answering = await startNginx(({ port }) => ({
  http: `server { listen 0.0.0.0:${port}; return 200 "ok"; }`,
}))
const conf = planeConf({ workers: 1, backendsZone: "64m", routesZone: "32m" })
await using plane = new Plane(await startNginx(conf))
const worker = plane.nginx.workers()[0] ?? 0
const prober = await startProber(plane.nginx.port, "/plain")

try {
  const rows: (string | number)[][] = []
  const idleBytes = privateBytes(worker)
  const step = async (name: string, what: () => Promise<number>) => {
    await prober.seen()
    const startedMs = performance.now()
    const startedCpu = cpuNanoseconds(worker)
    const posts = await what()
    const ms = performance.now() - startedMs
    const cpuMs = (cpuNanoseconds(worker) - startedCpu) / 1e6
    const perPost = posts === 0 ? "–" : (cpuMs / posts).toFixed(2)
    const seen = await prober.seen()
    const megabytes = (privateBytes(worker) - idleBytes) / 1e6
    rows.push([
      name,
      posts,
      ms.toFixed(0),
      perPost,
      seen.median.toFixed(2),
      seen.p99.toFixed(2),
      seen.worst.toFixed(2),
      megabytes.toFixed(1),
    ])
  }
  await step("nothing for two seconds", () => new Promise((resolve) => setTimeout(() => resolve(0), 2000)))
  await step("backends", () => sync("backends", numbers().map(backendOf)))
  await step("hosts", () => sync("routes", numbers().map(hostOf)))
  await step("one request to each host", visitAll)
  await step("the same again", () => sync("backends", numbers().map(backendOf)))
  await step("one request to each host again", visitAll)
  await step("200 × one endpoint", () => changeOne(200))
  report(rows)
} finally {
  prober.stop()
}

function numbers(): number[] {
  return Array.from({ length: count }, (_, n) => n)
}

function backendOf(n: number, _at?: number, _all?: unknown, shift = 0): object {
  const endpoints = Array.from({ length: endpointsEach }, (_, at) => ({
    endpoint: { address: `127.${1 + (n >> 8)}.${n & 255}.${1 + at + shift}`, port: String(answering.port) },
  }))
  return backend(`namespace-${n % 100}-service-${n}-80`, endpoints)
}

function hostOf(n: number): object {
  return host(`host-${n}.test`, `namespace-${n % 100}-service-${n}-80`)
}

/** Posts everything in parts, as the controller does; returns how many. */
async function sync(kind: "backends" | "routes", records: readonly object[]): Promise<number> {
  let part: object[] = []
  let bytes = 0
  let posts = 0
  const post = async () => {
    await plane.apply({ [kind]: { set: part } } as Change)
    posts += 1
    part = []
    bytes = 0
  }
  for (const record of records) {
    part.push(record)
    bytes += JSON.stringify(record).length
    if (bytes > partBytes) await post()
  }
  if (part.length > 0) await post()
  return posts
}

async function visitAll(): Promise<number> {
  const question = (n: number) => ({ host: `host-${n % count}.test` })
  const { statuses } = await startLoad({ port: plane.nginx.port, connections: 4, requests: count, question })
    .done
  if (statuses.get(200) !== count) throw new Error(`Only ${statuses.get(200)} of ${count} hosts answered 200`)
  return 0
}

/** Changes one backend and asks for it, again and again. */
async function changeOne(times: number): Promise<number> {
  for (let n = 0; n < times; n += 1) {
    await plane.apply({ backends: { set: [backendOf(n * 7, 0, 0, 1 + (n % 2))] } })
    await ask({ port: plane.nginx.port }, { host: `host-${n * 7}.test` })
  }
  return times
}

function report(rows: (string | number)[][]): void {
  write({
    name: "full-sync",
    title: "Full sync of 10,000 backends with 10 endpoints each",
    method: `One worker takes ${count} backends with ${endpointsEach} endpoints each, then ${count} hosts, in posts of about ${partBytes / 1024} KiB one after the other. Meanwhile another process asks the
same worker for a static answer every millisecond over a connection of its own: how late that answer comes is how long the worker stood still (the first row is the machine's
own noise). A post is handled in one go, so its CPU time is how long it can hold the worker up. Memory is private memory of the worker above what it had before the first post, without the shared zones.`,
    columns: [
      "step",
      "posts",
      "ms in all",
      "worker CPU per post, ms",
      "probe median, ms",
      "p99",
      "worst",
      "worker memory above idle, MB",
    ],
    rows,
    remarks: [
      "Targets: worst stall during the sync 10 ms, while one endpoint changes 1 ms, memory 40 MB. Judge one endpoint's change by the CPU per post, which includes the request after it: the probe's worst has the machine's noise in it.",
    ],
  })
}
