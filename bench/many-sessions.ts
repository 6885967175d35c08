// What a thousand TCP ports and ten thousand open sessions cost, whether any of them is cut while endpoints come and go, and how long it takes from a
// changed endpoint to the first session that it serves. Writes bench/results/many-sessions.md; takes about a minute.
import { loadavg } from "node:os"
import { Client } from "../harness/ingress/passthrough.ts"
import { ingressClass, manifest, serviceOn, settings } from "../harness/manifests.ts"
import { freePorts } from "../harness/ports.ts"
import { write } from "../harness/report.ts"
import { EchoProcess, Sessions } from "../harness/sessions.ts"
import { largest, quantile } from "../harness/statistics.ts"
import { answerOf, namedTargets } from "../harness/streams.ts"
import { until } from "../harness/until.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { privateBytes } from "./support/cpu.ts"

const portCount = 1000
const sessionCount = 10_000
const changes = 300

const [first = 0, ...ports] = await freePorts(portCount)
using echo = await EchoProcess.start()
const targets = await namedTargets("one", "two")
const [one = 0, two = 0] = targets.map(({ address }) => Number(address.split(":").at(-1)))

await using wick = await startWick({
  manifests: {
    "class.yaml": manifest(ingressClass, settings("bench/settings", { "worker-processes": "2" })),
    "echo.yaml": manifest(...serviceOn("bench/echo", [echo.port])),
    "named.yaml": manifest(...serviceOn("bench/named", [one])),
    "tcp.yaml": tcp({}),
  },
  flags: ["--configmap=bench/settings", "--tcp-services-configmap=bench/tcp", "--sync-rate-limit=100"],
})
const rows: (string | number)[][] = []
const [load = 0] = loadavg()
const remarks = [
  "Objects come from files here, which are read when they have been still for 50 ms: that is in the times of a changed endpoint.",
  ...(load < 1
    ? []
    : [
        `The machine was busy with other work (load ${load.toFixed(0)}): times are no shorter than that allows.`,
      ]),
]
await measurePorts()
await measureSessions()
await measureChanges()
await targets[Symbol.asyncDispose]()
write({
  name: "many-sessions",
  title: "Many ports, many sessions",
  method: `\`wick\` with two workers and manifests from files. First ${portCount.toLocaleString("en")} TCP ports come at once, then ${sessionCount.toLocaleString("en")} sessions are opened at one of them, and stay while endpoints and keys change; last, the only endpoint of a port swings ${changes} times between two servers, while new sessions ask who serves. Memory is what a worker has for itself (smaps_rollup, Private).`,
  columns: ["what", "figure"],
  rows,
  remarks,
})

function tcp(more: Readonly<Record<string, string>>): string {
  return manifest(settings("bench/tcp", { [first]: "bench/named:80", ...more }))
}

function memory(): number {
  return largest(wick.workers().map(privateBytes)) / 1024
}

async function measurePorts(): Promise<void> {
  await until("the first port", async () => (await servedBy(first)) === "one")
  const before = memory()
  const savedMs = performance.now()
  wick.write("tcp.yaml", tcp(Object.fromEntries(ports.map((port) => [port, "bench/echo:80"]))))
  await until("the last port", async () => (await servedBy(ports.at(-1) ?? 0)) === "?")
  rows.push([
    `from the entries to the last of ${portCount} ports`,
    `${Math.round(performance.now() - savedMs)} ms`,
  ])
  rows.push(["a worker's memory for a port", `${((memory() - before) / portCount).toFixed(1)} KiB`])
}

async function measureSessions(): Promise<void> {
  const [port = 0] = ports
  const before = memory()
  using sessions = new Sessions()
  await sessions.open(port, sessionCount)
  rows.push([
    "a worker's memory for an open session",
    `${(((memory() - before) * 2) / sessionCount).toFixed(1)} KiB`,
  ])
  for (let round = 0; round < 20; round += 1) {
    wick.write(
      "echo.yaml",
      manifest(...serviceOn("bench/echo", round % 2 === 0 ? [echo.port, one] : [echo.port])),
    )
    const keys = { "worker-processes": "2", "proxy-stream-timeout": `${100 + round}s` }
    wick.write("class.yaml", manifest(ingressClass, settings("bench/settings", keys)))
    await swing(wick, round)
  }
  const lost = await sessions.lost()
  rows.push([
    `of ${sessionCount.toLocaleString("en")} sessions cut by 20 changes of endpoints and keys`,
    lost,
  ])
}

async function measureChanges(): Promise<void> {
  const times: number[] = []
  for (let n = 0; n < changes; n += 1) times.push(await swing(wick, n))
  const ms = (share: number) => `${quantile(times, share).toFixed(1)} ms`
  rows.push(["from a changed endpoint to the first session that it serves, p50", ms(0.5)])
  rows.push(["p99", ms(0.99)], ["longest", `${largest(times).toFixed(1)} ms`])
  const reloads = await wick.metric("nginx_ingress_controller_success")
  remarks.push(`${reloads} reloads in all: the start, and the one that brought the ports.`)
}

/** Leads the first port to the other server. @returns milliseconds until it does */
async function swing(wick: Wick, n: number): Promise<number> {
  const [port, name] = n % 2 === 0 ? [two, "two"] : [one, "one"]
  const savedMs = performance.now()
  wick.write("named.yaml", manifest(...serviceOn("bench/named", [port])))
  await until(`${name} to serve`, async () => (await servedBy(first)) === name)
  return performance.now() - savedMs
}

async function servedBy(port: number): Promise<string> {
  using client = new Client(port)
  await Promise.race([client.closed, answerOf(client)])
  return client.answer.toString()
}
