// Ten thousand certificates as data: posted at the start, again after a controller's restart, and one of them renewed, by the controller's
// own code into a real nginx. Writes bench/results/certificates.md; takes two minutes, half of it for making certificates.
import { readFileSync } from "node:fs"
import { type LiveChange, liveChange, noChange } from "../controller/core/plan/change.ts"
import type { Certificate } from "../controller/model/certificate.ts"
import { emptyLive, type Live } from "../controller/model/model.ts"
import { ControlClient } from "../controller/output/control/client.ts"
import { Control } from "../controller/output/control/control.ts"
import { compareText } from "../controller/support/order.ts"
import { startNginx } from "../harness/nginx.ts"
import { planeConf } from "../harness/plane.ts"
import { write } from "../harness/report.ts"
import { quantile } from "../harness/statistics.ts"
import { cpuNanoseconds } from "./support/cpu.ts"
import { Issuer, tlsHost } from "./support/identities.ts"
import { type Probed, startProber } from "./support/prober.ts"

const count = 10_000
const renewals = 500

const nameOf = (n: number) => `host-${String(n).padStart(5, "0")}.test`

const issuer = await Issuer.make()
const certificates: Certificate[] = []
for (let n = 0; n < count; n += 1) certificates.push(await issuer.issue(nameOf(n)))
const spare: Certificate[] = []
for (let n = 0; n < renewals; n += 1) spare.push(await issuer.issue(nameOf(n * 17)))

await using nginx = await startNginx(
  planeConf({ workers: 1, backendsZone: "64m", routesZone: "32m", certificatesZone: "128m" }),
)
const worker = nginx.workers()[0] ?? 0
const prober = await startProber(nginx.port, "/plain")
const client = new ControlClient(nginx.site.socket)
let posts: number[] = []
const events = { posted: (_: string, seconds: number) => void posts.push(seconds * 1000) }

const rows: (string | number)[][] = []
const idle = { own: residentBytes(worker, "Anon"), shared: residentBytes(worker, "Shmem") }
try {
  await step("nothing for two seconds", () => new Promise((resolve) => setTimeout(resolve, 2000)))
  const all = liveOf(certificates)
  const first = newControl()
  await step(`${count} certificates and their hosts`, () => put(first, emptyLive, all))
  const control = newControl()
  await step("their names, in parts", listNames)
  await step("the same by the next controller", () => put(control, emptyLive, all))
  await step(`${renewals} × one renewed`, () => renewAll(control, all))
  const planMs = planning(all)
  report(planMs)
} finally {
  client.close()
  prober.stop()
}

function newControl(): Control {
  return new Control({ client, events })
}

function liveOf(some: readonly Certificate[]): Live {
  return {
    ...emptyLive,
    certificates: some.toSorted((a, b) => compareText(a.id, b.id)),
    tlsHosts: some.map((certificate, n) => tlsHost(nameOf(n), certificate)),
  }
}

/** As a controller asks before it posts anew; the times of its questions stand in the place of those of posts. */
async function listNames(): Promise<void> {
  for (let cursor = ""; ; ) {
    const startedMs = performance.now()
    const { body } = await client.get(`/configuration/names?limit=1024${cursor}`)
    posts.push(performance.now() - startedMs)
    const { next } = JSON.parse(body)
    if (next === null) return
    cursor = `&cursor=${next}`
  }
}

async function put(control: Control, running: Live, wanted: Live): Promise<void> {
  const { refusals } = await control.apply(running, wanted, liveChange(running, wanted))
  if (refusals.length > 0) throw new Error(`${refusals[0]?.status}: ${refusals[0]?.reason}`)
}

/** One host after the other gets another certificate, and the one before goes: the post alone, without finding out what has changed. */
async function renewAll(control: Control, all: Live): Promise<void> {
  for (const [n, certificate] of spare.entries()) {
    const before = certificates[n * 17]?.id ?? ""
    const change: LiveChange = {
      ...noChange,
      certificates: { set: [certificate], remove: [before] },
      tlsHosts: { set: [tlsHost(nameOf(n * 17), certificate)], remove: [] },
    }
    const { refusals } = await control.apply(all, all, change)
    if (refusals.length > 0) throw new Error(`${refusals[0]?.status}: ${refusals[0]?.reason}`)
  }
}

/** Milliseconds that it takes to find out what has changed, one certificate, when all other objects are those of the pass before. */
function planning(all: Live): number {
  const times = spare.slice(0, 100).map((certificate, n) => {
    const others = all.certificates.filter(({ id }) => id !== certificates[n]?.id)
    const wanted: Live = {
      ...all,
      certificates: [...others, certificate].sort((a, b) => compareText(a.id, b.id)),
      tlsHosts: all.tlsHosts.with(n, tlsHost(nameOf(n), certificate)),
    }
    const startedMs = performance.now()
    const change = liveChange(all, wanted)
    const ms = performance.now() - startedMs
    if (change.certificates.set.length !== 1 || change.tlsHosts.set.length !== 1)
      throw new Error("wrong plan")
    return ms
  })
  return quantile(times, 0.5)
}

async function step(name: string, what: () => Promise<unknown>): Promise<void> {
  posts = []
  await prober.seen()
  const startedMs = performance.now()
  const startedCpu = cpuNanoseconds(worker)
  await what()
  const ms = performance.now() - startedMs
  const cpuMs = (cpuNanoseconds(worker) - startedCpu) / 1e6
  rows.push([name, ...figures(ms, cpuMs, await prober.seen())])
}

function figures(ms: number, cpuMs: number, seen: Probed): (string | number)[] {
  const took = (part: number) => (posts.length === 0 ? "–" : quantile(posts, part).toFixed(2))
  return [
    posts.length,
    ms.toFixed(0),
    took(0.5),
    took(0.99),
    posts.length === 0 ? "–" : (cpuMs / posts.length).toFixed(2),
    seen.median.toFixed(2),
    seen.p99.toFixed(2),
    seen.worst.toFixed(2),
    ((residentBytes(worker, "Anon") - idle.own) / 1e6).toFixed(1),
    ((residentBytes(worker, "Shmem") - idle.shared) / 1e6).toFixed(1),
  ]
}

/** A process's own memory, or the pages of zones that it has touched. */
function residentBytes(pid: number, kind: "Anon" | "Shmem"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(new RegExp(`^Rss${kind}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024
}

function report(planMs: number): void {
  const [one] = certificates
  const der = one?.chain.reduce((sum, text) => sum + Buffer.from(text, "base64").length, 0) ?? 0
  write({
    name: "certificates",
    title: "Ten thousand certificates as data",
    method: `The controller's own code (\`nginx/control.ts\`) posts ${count} certificates (EC P-256, leaf and intermediate of ${der} bytes together, each with a key of its own) and the TLS host of each into an nginx with one worker; another controller finds them there and posts them anew; then ${renewals} times one certificate takes the place of another: one post with both and the host. "Took" is from the request to its 201, from where on
every handshake gets what was posted. Meanwhile another process asks the same worker for a static answer every millisecond: how late that comes is how long the worker stood still (the first row is the machine's own noise). A post is
handled in one go, so its CPU time is how long it can hold the worker up. Memory is that of the worker above what it had before the first post: its own, and pages of the shared zones.`,
    columns: [
      "step",
      "posts (or questions)",
      "ms in all",
      "one took, median ms",
      "p99",
      "worker CPU for each, ms",
      "probe median, ms",
      "p99",
      "worst",
      "worker's own memory, MB",
      "zones, MB",
    ],
    rows,
    remarks: [
      `The controller finds out that one of ${count} certificates and its host have changed in ${planMs.toFixed(2)} ms (median), when everything else is what it was in the pass before.`,
    ],
  })
}
