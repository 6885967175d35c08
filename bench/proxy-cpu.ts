// CPU per proxied request: routes and balancers in Wasm against stock nginx doing the same statically. Writes
// bench/results/proxy-cpu.md. Needs wrk, taskset and two cores that nobody else uses; takes about a quarter of an hour.
// `--ways=ewma,chash --endpoints=10` measures a part and writes nothing.
import { type Nginx, startNginx } from "../harness/nginx.ts"
import { print, write } from "../harness/report.ts"
import { baseOf, label, select, targetOf } from "./support/cases.ts"
import { cpuNanoseconds } from "./support/cpu.ts"
import { inRounds, pairedRatio, spread } from "./support/rounds.ts"
import { type Case, cookiesOf, endpointsConf, hostName, many, paths, startSite } from "./support/sites.ts"
import { needWrk, pin, wrk } from "./support/wrk.ts"

const rounds = 10
const seconds = 3
const connections = 32

interface Site {
  readonly nginx: Nginx
  readonly cookies: readonly string[]
  /** CPU of the worker per request in each round, microseconds. */
  readonly measured: number[]
}

needWrk()
const { cases, isWhole } = select()
await using endpoints = await startNginx(endpointsConf(many))
for (const worker of endpoints.workers()) pin(worker, 1)
const sites = new Map<string, Site>()
try {
  for (const one of cases) sites.set(label(one), await start(one))
  await inRounds(cases, rounds, measure)
} finally {
  for (const { nginx } of sites.values()) await nginx.stop()
}
report()

async function start(one: Case): Promise<Site> {
  const nginx = await startSite(one, endpoints.port)
  // The worker on one core, endpoints and client on the other.
  for (const worker of nginx.workers()) pin(worker, 0)
  const site = { nginx, cookies: one.withCookies ? await cookiesOf(nginx, paths.length) : [], measured: [] }
  await load(site, 1)
  return site
}

async function measure(one: Case): Promise<void> {
  const site = siteOf(one)
  const worker = site.nginx.workers()[0] ?? 0
  const before = cpuNanoseconds(worker)
  const { requests, errors } = await load(site, seconds)
  if (errors > 0) throw new Error(`${label(one)}: ${errors} requests failed`)
  site.measured.push((cpuNanoseconds(worker) - before) / requests / 1000)
}

function load({ nginx, cookies }: Site, seconds: number) {
  return wrk({ port: nginx.port, host: hostName, paths, cookies, seconds, connections, core: 1 })
}

function siteOf(one: Case): Site {
  const site = sites.get(label(one))
  if (site === undefined) throw new Error(`${label(one)} was not started`)
  return site
}

function row(one: Case): (string | number)[] {
  const { measured } = siteOf(one)
  const ratio = pairedRatio(measured, siteOf(baseOf(one)).measured)
  const target = targetOf(one)
  return [
    label(one),
    ...spread(measured),
    ratio.toFixed(3),
    target === undefined ? "" : `${target} ${ratio <= target ? "✓" : "✗"}`,
  ]
}

function report(): void {
  const save = isWhole ? write : print
  save({
    name: "proxy-cpu",
    title: "CPU of a worker per proxied request",
    method: `One worker on core 0; endpoints (another nginx) and wrk with ${connections} kept connections on core 1. ${rounds} alternating rounds of ${seconds} s
for each way; CPU from /proc/<pid>/schedstat, medians. \`static\` is stock nginx without modules; \`modules\` has them loaded and unused; \`route\` jumps by
ingress_route and lets the upstream block choose; all others have the route and the filter. The number behind a way is that of its endpoints. Requests ask
for ${paths.length} paths in turn; those of \`sticky\` bring as many different cookies, which it issued; \`sticky_new\` issues one with every answer.`,
    columns: ["way", "µs per request", "quartiles", "ratio to static, 10 (median of rounds)", "target"],
    rows: cases.map(row),
    remarks: ["`sticky` is compared with `static` under the same requests, cookies and all."],
  })
}
