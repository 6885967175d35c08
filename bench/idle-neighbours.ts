// What an idle wick costs somebody who shares its machine: CPU per request of a worker while five of them, controllers and all, run beside it, and
// while they stand still. Writes bench/results/idle-neighbours.md. Needs wrk, taskset and two cores that nobody else uses; takes about seven minutes.
import { setTimeout as pause } from "node:timers/promises"
import { ingress, ingressClass, listOf, serviceOn } from "../harness/manifests.ts"
import { startNginx } from "../harness/nginx.ts"
import { childrenOf, signal } from "../harness/processes.ts"
import { write } from "../harness/report.ts"
import { median } from "../harness/statistics.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { cpuNanoseconds, processNanoseconds } from "./support/cpu.ts"
import { hostName, type RenderedSite } from "./support/rendered-site.ts"
import { startWay, wayOf } from "./support/rendered-ways.ts"
import { inRounds, pairedRatio, spread } from "./support/rounds.ts"
import { endpointsConf, few, paths } from "./support/sites.ts"
import { needWrk, pin, wrk } from "./support/wrk.ts"

const rounds = 30
const seconds = 2
const connections = 32
/** Who was stopped has missed timers. */
const settleMs = 1000
const annotationsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  round_robin: {},
  ewma: { "load-balance": "ewma" },
  least_conn: { "load-balance": "least_conn" },
  chash: { "upstream-hash-by": "$request_uri" },
  sticky: { affinity: "cookie" },
}

/** Who serves, and whether the neighbours run meanwhile. */
interface Way {
  readonly name: "round_robin" | "by hand"
  readonly isBeside: boolean
  readonly perRequest: number[]
}

needWrk()
await using endpoints = await startNginx(endpointsConf(few))
for (const worker of endpoints.workers()) pin(worker, 1)
await using stack = new AsyncDisposableStack()
const neighbours: Wick[] = []
for (const annotations of Object.values(annotationsOf))
  neighbours.push(stack.use(await neighbour(annotations)))
const sites = { round_robin: await site("round_robin"), "by hand": await site("by hand") }
const ways: readonly Way[] = (["round_robin", "by hand"] as const).flatMap((name) => [
  { name, isBeside: false, perRequest: [] },
  { name, isBeside: true, perRequest: [] },
])
/** CPU of all neighbours together in a second, milliseconds. */
const theirs: number[] = []
try {
  await inRounds(ways, rounds, measure)
} finally {
  letRun(true)
}
report()

async function neighbour(annotations: Readonly<Record<string, string>>): Promise<Wick> {
  const objects = [
    ingressClass,
    ...serviceOn("demo/app", [endpoints.port]),
    ingress("demo/app", "idle.test/ → app:80", annotations),
  ]
  return await startWick({ manifests: { "all.yaml": listOf(objects) } })
}

async function site(name: Way["name"]): Promise<RenderedSite> {
  const started = await startWay(wayOf(name), few, endpoints.port, [])
  stack.defer(() => started.stop())
  pin(started.pid, 0)
  await load(started, 1)
  return started
}

async function measure({ name, isBeside, perRequest }: Way): Promise<void> {
  const { [name]: served } = sites
  letRun(isBeside)
  await pause(settleMs)
  const [before, theirsBefore] = [cpuNanoseconds(served.pid), theirCpu()]
  const { requests, errors } = await load(served, seconds)
  if (errors > 0) throw new Error(`${name}: ${errors} requests failed`)
  perRequest.push((cpuNanoseconds(served.pid) - before) / requests / 1000)
  if (isBeside) theirs.push((theirCpu() - theirsBefore) / 1e6 / seconds)
}

function load({ port }: RenderedSite, seconds: number) {
  return wrk({ port, host: hostName, paths, cookies: [], seconds, connections, core: 1 })
}

/** Their controllers, masters and workers. */
function theirProcesses(): readonly number[] {
  const masters = neighbours.flatMap(({ nginxPid }) => nginxPid ?? [])
  return [...neighbours.map(({ pid }) => pid), ...masters, ...masters.flatMap(childrenOf)]
}

function letRun(isRunning: boolean): void {
  for (const pid of theirProcesses()) signal(pid, isRunning ? "SIGCONT" : "SIGSTOP")
}

function theirCpu(): number {
  return theirProcesses().reduce((sum, pid) => sum + processNanoseconds(pid), 0)
}

function row({ name, isBeside, perRequest }: Way): (string | number)[] {
  const alone = ways.find((way) => way.name === name && !way.isBeside)
  const ratio = isBeside && alone ? pairedRatio(perRequest, alone.perRequest).toFixed(3) : ""
  return [name, isBeside ? "run" : "stand still", ...spread(perRequest), ratio]
}

function report(): void {
  write({
    name: "idle-neighbours",
    title: "What idle neighbours cost a worker",
    method: `Five wicks with one Ingress each (${Object.keys(annotationsOf).join(", ")}), which nobody asks anything, and beside them the ways \`round_robin\` and \`by hand\` of [rendered-cpu.md](rendered-cpu.md): one process each on core 0; endpoints and wrk with ${connections} kept connections on core 1. ${rounds} alternating rounds of ${seconds} s; in half of them all processes of the five are stopped (SIGSTOP). The neighbours may run on both cores. User and kernel time of the worker from
/proc/<pid>/schedstat, medians.`,
    columns: [
      "way",
      "the five",
      "µs per request",
      "quartiles",
      "ratio to when they stand still (median of rounds)",
    ],
    rows: ways.map(row),
    remarks: [`The five together took ${median(theirs).toFixed(1)} ms of CPU a second (median of rounds).`],
  })
}
