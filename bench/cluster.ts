import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { type ApiServer, startApiServer } from "../harness/cluster/api-server.ts"
import { ask } from "../harness/http.ts"
import { signal } from "../harness/processes.ts"
import { print, type Report, write } from "../harness/report.ts"
import { largest, quantile } from "../harness/statistics.ts"
import { until } from "../harness/until.ts"
import type { Wick } from "../harness/wick.ts"
import { startChurn } from "./support/churn.ts"
import { hostOf, populate } from "./support/cluster-population.ts"
import { peakBytes, privateBytes, processNanoseconds } from "./support/cpu.ts"
import { type Times, Web } from "./support/event-times.ts"
import { startInPod } from "./support/image.ts"
import type { Inside } from "./support/inside.ts"
import { needOwnNetwork } from "./support/own-network.ts"

const text = { type: "string" } as const
const { values: given } = parseArgs({ options: { applications: text, changes: text, "rest-seconds": text } })
const sizes = (given.applications ?? "10,10000").split(",").map(Number)
const changes = Number(given.changes ?? 300)
const restSeconds = Number(given["rest-seconds"] ?? 60)

/** Events about thousands of new Ingresses go out at twenty a second for most of a minute. */
const settleMs = 75_000

/** Changes that come at once while others are measured. */
const burstSize = 1000

needOwnNetwork(import.meta.filename)

const [busy = 0] = loadavg()
const dir = mkdtempSync(join(tmpdir(), "wick-bench-"))
const insideFile = join(dir, "inside")
/** figure → its value for each size */
const figures = new Map<string, string[]>()
try {
  for (const size of sizes) await measure(size)
  const isWhole = Object.keys(given).length === 0
  if (isWhole) write(report())
  else print(report())
} finally {
  rmSync(dir, { recursive: true })
}

async function measure(applications: number): Promise<void> {
  await using server = await startApiServer()
  const tlsSecrets = Math.round(applications / 10)
  await populate(server.admin, { applications, tlsSecrets, otherSecrets: 2 * tlsSecrets })
  await using web = await Web.create(server)
  await using wick = await start(server, applications)
  await rest(wick)
  await alone(wick, web)
  await inBursts(wick, web, server, Math.min(burstSize, applications))
}

async function start(server: ApiServer, applications: number): Promise<Wick> {
  const startedMs = performance.now()
  const env = { WICK_INSIDE: insideFile }
  const wick = await startInPod(server, { timeoutMs: 300_000, preload: "inside.js", env })
  note("start to ready, s", (performance.now() - startedMs) / 1000)
  note("controller's CPU until then, s", processNanoseconds(wick.pid) / 1e9)
  note("controller's memory until then, peak, MB", peakBytes(wick.pid) / 1e6)
  const { status } = await ask({ port: wick.port }, { host: hostOf(applications - 1) })
  if (status === 404) throw new Error("wick said that it was ready, and had not all hosts")
  return wick
}

async function rest(wick: Wick): Promise<void> {
  await pause(settleMs)
  note("controller's memory at rest, of its own, MB", privateBytes(wick.pid) / 1e6)
  const { heapBytes, rssBytes } = await inside(wick)
  note("the same after a collection, MB", privateBytes(wick.pid) / 1e6)
  note("resident after that, Node's program included, MB", rssBytes / 1e6)
  note("controller's heap at rest, MB", heapBytes / 1e6)
  const before = processNanoseconds(wick.pid)
  await pause(restSeconds * 1000)
  note("controller's CPU at rest, %", (processNanoseconds(wick.pid) - before) / 1e7 / restSeconds)
}

async function alone(wick: Wick, web: Web): Promise<void> {
  await noteTimes("alone", wick, async (times) => {
    for (let n = 0; n < changes; n += 1) {
      times.push(await web.change(wick.port))
      await pause(5)
    }
  })
}

/** Every change that is measured was under way while others arrived. */
async function inBursts(wick: Wick, web: Web, server: ApiServer, size: number): Promise<void> {
  const churn = startChurn(server.adminLogin)
  const tookMs: number[] = []
  try {
    await noteTimes("among others", wick, async (times) => {
      while (times.length < changes) {
        let isOver = false
        const burst = churn.burst(size).finally(() => {
          isOver = true
        })
        while (!isOver) times.push(await web.change(wick.port))
        tookMs.push(await burst)
      }
    })
  } finally {
    churn.stop()
  }
  note(
    `among others: time in which ${burstSize} others (or all there are) change, s`,
    quantile(tookMs, 0.5) / 1000,
  )
}

/** Notes what happened to the changes that were made meanwhile, and the means of what took part in it. */
async function noteTimes(
  situation: string,
  wick: Wick,
  make: (times: Times[]) => Promise<void>,
): Promise<void> {
  const times: Times[] = []
  const before = await counted(wick)
  const cpuBefore = processNanoseconds(wick.pid)
  signal(wick.pid, "SIGWINCH")
  await make(times)
  const cpuMs = (processNanoseconds(wick.pid) - cpuBefore) / 1e6
  const { stallMs, minor, major } = await inside(wick)
  const after = await counted(wick)
  const traffic = times.map(({ traffic }) => traffic)
  const event = times.map(({ event }) => event)
  note(`${situation}: event to traffic, p50, ms`, quantile(traffic, 0.5))
  note(`${situation}: event to traffic, p99, ms`, quantile(traffic, 0.99))
  note(`${situation}: event to traffic, worst, ms`, largest(traffic))
  note(`${situation}: write to event, p50, ms`, quantile(event, 0.5))
  note(`${situation}: write to event, p99, ms`, quantile(event, 0.99))
  const passes = after.passes - before.passes
  const posts = after.posts - before.posts
  note(`${situation}: passes for each change`, passes / times.length)
  note(`${situation}: a pass, mean, ms`, (1000 * (after.passSeconds - before.passSeconds)) / passes)
  note(`${situation}: a post, mean, ms`, (1000 * (after.postSeconds - before.postSeconds)) / posts)
  note(`${situation}: controller's CPU for each pass, ms`, cpuMs / passes)
  note(`${situation}: controller's longest stall, ms`, stallMs)
  note(`${situation}: collections of garbage for each pass, ms`, (minor.ms + major.ms) / passes)
  note(`${situation}: longest collection of young objects, ms`, minor.longestMs)
  note(`${situation}: longest other collection, ms`, major.longestMs)
}

async function counted(wick: Wick) {
  const value = (name: string) => wick.metric(name)
  return {
    passes: await value("wick_pass_duration_seconds_count"),
    passSeconds: await value("wick_pass_duration_seconds_sum"),
    posts: await value("wick_post_duration_seconds_count"),
    postSeconds: await value("wick_post_duration_seconds_sum"),
  }
}

/** What the controller itself knows, after a collection. */
async function inside(wick: Wick): Promise<Inside> {
  rmSync(insideFile, { force: true })
  signal(wick.pid, "SIGCONT")
  const read = () => {
    try {
      return JSON.parse(readFileSync(insideFile, "utf8")) as Inside
    } catch {
      return undefined
    }
  }
  return until("word from inside of the controller", read, 60_000)
}

function note(figure: string, value: number): void {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  figures.set(figure, [...(figures.get(figure) ?? []), value.toFixed(digits)])
  process.stderr.write(`${figure}: ${value.toFixed(digits)}\n`)
}

function report(): Report {
  return {
    name: "cluster",
    title: "wick in a cluster",
    method: `A real kube-apiserver with etcd, wick and nginx with as many workers as cores, all on this machine. An application is an Ingress with a host, a Service and an EndpointSlice with three endpoints; for
every ten of them one host has a certificate from a Secret, and two more Secrets are of no use to anybody. Ready: /healthz answers 200. wick runs as in its image and in a Pod: JavaScript, with the flags of the launcher, let in by a service account. Memory of its own is what no file backs. At rest: ${restSeconds} s in which nobody changes anything.
Changes: the only endpoint of one more host is another pod, ${changes} times, and a client asks for it all the while. An event is when the watch of another client has it, traffic is the first answer of the new endpoint. Among
others: meanwhile another process changes ${burstSize} other EndpointSlices (or all there are) as fast as the API server takes it, again and again.`,
    columns: ["figure", ...sizes.map((size) => `${size} applications`)],
    rows: [...figures].map(([figure, values]) => [figure, ...values]),
    remarks: [
      "Targets: event to traffic 20 ms at p99 alone, 40 among others; at most 1 % of a core at rest. Until 2026-11-26 this was measured from the checkout with a kubeconfig file: 348 MB resident at rest with 10,000 applications, 80 of them the compiler of types and client-node, which a Pod has neither of.",
      ...(busy > availableParallelism() / 2
        ? [
            `The machine was busy with other things (load average ${busy.toFixed(0)} when this began): times say little, CPU times more.`,
          ]
        : []),
    ],
  }
}
