// CPU per proxied request: route and Wasm round robin over ten endpoints against stock nginx doing the same statically.
// Writes bench/results/proxy-cpu.md. Needs wrk, taskset and two cores; takes about three minutes.
import { execFileSync } from "node:child_process"
import { type Nginx, startNginx } from "../test/support/nginx.ts"
import { backend, host, Plane } from "../test/support/plane.ts"
import { cpuNanoseconds } from "./support/cpu.ts"
import { write } from "./support/report.ts"
import { endpointsConf, hostName, proxyConf, type Way } from "./support/sites.ts"
import { median, quantile } from "./support/statistics.ts"
import { needWrk, wrk } from "./support/wrk.ts"

const ways: readonly Way[] = ["static", "modules", "route", "wick"]
const rounds = 10
const seconds = 3
const connections = 32

needWrk()
await using endpoints = await startNginx(endpointsConf, { ports: 10 })
pin(endpoints, 1)
const ports = endpoints.site.ports
const sites = new Map<Way, Nginx>()
for (const way of ways) sites.set(way, await startSite(way))

const measured = new Map(ways.map((way) => [way, [] as number[]]))
try {
  for (let round = 0; round < rounds; round += 1) {
    // Alternating, and each round in another order, so that what the machine does meanwhile hits all alike.
    for (const way of rotated(ways, round)) measured.get(way)?.push(await measure(way))
  }
} finally {
  for (const site of sites.values()) await site.stop()
}
report()

async function startSite(way: Way): Promise<Nginx> {
  const site = await startNginx(proxyConf(way, ports))
  pin(site, 0)
  if (way === "route" || way === "wick") {
    await new Plane(site).apply({
      backends: {
        set: [
          backend(
            "shop",
            ports.map((port) => ({ endpoint: { address: "127.0.0.1", port } })),
          ),
        ],
      },
      routes: { set: [host(hostName, "shop")] },
    })
  }
  await wrk(`http://127.0.0.1:${site.port}/`, hostName, 1, connections, 1)
  return site
}

/** CPU of the worker per request, microseconds. */
async function measure(way: Way): Promise<number> {
  const site = sites.get(way)
  const worker = site?.workers()[0] ?? 0
  const before = cpuNanoseconds(worker)
  const { requests, errors } = await wrk(`http://127.0.0.1:${site?.port}/`, hostName, seconds, connections, 1)
  if (errors > 0) throw new Error(`${way}: ${errors} requests failed`)
  return (cpuNanoseconds(worker) - before) / requests / 1000
}

/** The worker on one core, endpoints and client on the other. */
function pin(site: Nginx, core: number): void {
  for (const worker of site.workers())
    execFileSync("taskset", ["-pc", String(core), String(worker)], { stdio: "ignore" })
}

function rotated<T>(list: readonly T[], by: number): T[] {
  return list.map((_, at) => list[(at + by) % list.length] as T)
}

function report(): void {
  const base = measured.get("static") ?? []
  // Paired by round: what disturbs a round disturbs all ways in it.
  const ratios = (values: readonly number[]) =>
    values.map((value, round) => value / (base[round] ?? Number.NaN))
  write({
    name: "proxy-cpu",
    title: "CPU of a worker per proxied request",
    method: `One worker on core 0; ten endpoints (another nginx) and wrk with ${connections} kept connections on core 1. ${rounds} alternating rounds of ${seconds} s
for each way; CPU from /proc/<pid>/schedstat, medians. \`static\` is stock nginx without modules; \`modules\` has them loaded and unused; \`route\` jumps by
ingress_route and lets the upstream block choose; \`wick\` has the route and the Wasm filter.`,
    columns: ["way", "µs per request", "quartiles", "ratio to static (median of rounds)"],
    rows: ways.map((way) => {
      const values = measured.get(way) ?? []
      const quartiles = `${quantile(values, 0.25).toFixed(2)}–${quantile(values, 0.75).toFixed(2)}`
      return [way, median(values).toFixed(2), quartiles, median(ratios(values)).toFixed(3)]
    }),
    remarks: [
      "Target: `wick` at most 1.05. Machines like this one resolve no better than about 5 %; bench/results/proxy-instructions.md counts instead.",
    ],
  })
}
