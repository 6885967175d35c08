// CPU per request of what the controller renders, beside plain nginx with the same headers and without them, and HAProxy. Writes
// bench/results/rendered-cpu.md. Needs wrk, taskset, haproxy and two cores that nobody else uses; takes about ten minutes.
// `--ways=round_robin,ewma` measures a part beside nginx by hand and writes nothing.
import { parseArgs } from "node:util"
import { ControlClient } from "../controller/output/control/client.ts"
import { SpanRing } from "../controller/output/control/span-ring.ts"
import { startNginx } from "../harness/nginx.ts"
import { print, write } from "../harness/report.ts"
import { cpuNanoseconds } from "./support/cpu.ts"
import { hostName, type RenderedSite } from "./support/rendered-site.ts"
import { startWay, wayOf } from "./support/rendered-ways.ts"
import { inRounds, pairedRatio, spread } from "./support/rounds.ts"
import { endpointsConf, few, many, paths } from "./support/sites.ts"
import { needWrk, pin, wrk } from "./support/wrk.ts"

const rounds = 15
const seconds = 2
const connections = 32
/** The ring of spans is emptied so often, as the controller does it. */
const drainMs = 200

const byHand = "by hand"
const [manyEndpoints, byHandMany] = [`round_robin, ${many} endpoints`, `by hand, ${many} endpoints`]
/** What is measured → what it is compared with. */
const bases: Readonly<Record<string, string>> = {
  [byHand]: byHand,
  "by hand without headers": byHand,
  HAProxy: byHand,
  round_robin: byHand,
  ewma: byHand,
  chash: byHand,
  sticky: byHand,
  [manyEndpoints]: "round_robin",
  [byHandMany]: byHand,
  "no log": "round_robin",
  metrics: "round_robin",
  "traced but not sampled": "round_robin",
  "traced and sampled": "round_robin",
  "metrics and traces": "round_robin",
}

interface Measured {
  readonly site: RenderedSite
  /** CPU per request in each round, microseconds */
  readonly perRequest: number[]
}

needWrk()
const { values } = parseArgs({ options: { ways: { type: "string" } } })
const names = values.ways === undefined ? Object.keys(bases) : [byHand, ...values.ways.split(",")]
await using endpoints = await startNginx(endpointsConf(many))
for (const worker of endpoints.workers()) pin(worker, 1)
const measured = new Map<string, Measured>()
try {
  for (const name of names) measured.set(name, { site: await start(name), perRequest: [] })
  await inRounds(names, rounds, measure)
} finally {
  for (const { site } of measured.values()) await site.stop()
}
report()

async function start(name: string): Promise<RenderedSite> {
  const [way = name, count] = name.split(", ")
  const site = await startWay(wayOf(way), count === undefined ? few : many, endpoints.port, [])
  pin(site.pid, 0)
  await load(site, 1)
  return site
}

async function measure(name: string): Promise<void> {
  const { site, perRequest } = measuredOf(name)
  const before = cpuNanoseconds(site.pid)
  const { requests, errors } = await drained(site, () => load(site, seconds))
  if (errors > 0) throw new Error(`${name}: ${errors} requests failed`)
  perRequest.push((cpuNanoseconds(site.pid) - before) / requests / 1000)
}

function load({ port }: RenderedSite, seconds: number) {
  return wrk({ port, host: hostName, paths, cookies: [], seconds, connections, core: 1 })
}

/** Meanwhile spans are taken out of their ring. */
async function drained<T>({ controlSocket }: RenderedSite, work: () => Promise<T>): Promise<T> {
  if (controlSocket === undefined) return await work()
  const client = new ControlClient(controlSocket)
  const timer = setInterval(() => drain(new SpanRing(client)).catch(() => {}), drainMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    client.close()
  }
}

async function drain(ring: SpanRing): Promise<void> {
  const page = await ring.page()
  if (page === undefined || page.spans.length === 0) return
  await ring.take(page)
  await drain(ring)
}

function measuredOf(name: string): Measured {
  const found = measured.get(name)
  if (found === undefined) throw new Error(`${name} was not started`)
  return found
}

function ratio(name: string, base: string): string {
  return pairedRatio(measuredOf(name).perRequest, measuredOf(base).perRequest).toFixed(3)
}

function row(name: string): (string | number)[] {
  const { perRequest } = measuredOf(name)
  const base = bases[name] ?? byHand
  return [
    name,
    ...spread(perRequest),
    ratio(name, byHand),
    base === byHand || !measured.has(base) ? "" : ratio(name, base),
  ]
}

function report(): void {
  const save = values.ways === undefined ? write : print
  save({
    name: "rendered-cpu",
    title: "CPU of a worker per request, as the controller configures it",
    method: `One process each on core 0; endpoints (another nginx) and wrk with ${connections} kept connections on core 1. ${rounds} alternating rounds of ${seconds} s for each way; user and kernel time from
/proc/<pid>/schedstat, medians. The ways are those of [rendered-instructions.md](rendered-instructions.md): all write an access log but \`no log\`; \`by hand\` is plain nginx with the same headers, maps and log, \`by hand without headers\` sends only Host;
\`sticky\` sets a cookie with every answer. While spans are recorded they are also taken out of their ring every ${drainMs} ms.`,
    columns: [
      "way",
      "µs per request",
      "quartiles",
      "ratio to `by hand` (median of rounds)",
      "ratio to `round_robin`",
    ],
    rows: names.map(row),
    remarks: [
      `Of ${many} endpoints, nginx keeps connections to 320: most requests open one, by hand as with wick. Compare these two with each other.`,
    ],
  })
}
