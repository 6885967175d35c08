// How long an HTTPRoute takes from the API server to traffic, as gateway-api-bench asks it: thousands one after the other, one that is changed again and
// again under load, and some while thousands of others come; and the memory for them. Writes bench/results/gateway-propagation.md; takes six minutes, as root:
// who observes has the highest priority.
import { loadavg } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { ask } from "../harness/http.ts"
import { print, type Report, write } from "../harness/report.ts"
import { largest, quantile } from "../harness/statistics.ts"
import { until } from "../harness/until.ts"
import { GatewaySite, type Memory, type Propagation } from "./support/gateway-site.ts"
import { hostOfWorkload, toggled } from "./support/many-routes.ts"
import { needOwnNetwork } from "./support/own-network.ts"
import { startWorkloads } from "./support/workloads.ts"

const text = { type: "string" } as const
const { values: given } = parseArgs({
  options: { routes: text, toggles: text, workloads: text, "rest-seconds": text },
})
const routes = Number(given.routes ?? 3000)
const toggles = Number(given.toggles ?? 10_000)
const workloads = Number(given.workloads ?? 5000)
const restSeconds = Number(given["rest-seconds"] ?? 30)
const probes = 500

needOwnNetwork(import.meta.filename, "gateway-crds.sh")

/** What was seen of some routes. */
interface Phase {
  readonly title: string
  readonly all: readonly Propagation[]
  readonly served: Memory
}

/** @param make creates routes */
async function phase(
  title: string,
  site: GatewaySite,
  make: () => Promise<readonly Propagation[]>,
): Promise<Phase> {
  const all = await make()
  return { title, all, served: site.memory() }
}

async function inARow(site: GatewaySite, first: number, last: number): Promise<readonly Propagation[]> {
  const all: Propagation[] = []
  for (let nth = first; nth <= last; nth += 1) all.push(await site.create(nth))
  return all
}

/** Creates routes here and there while workloads come. */
async function amongWorkloads(site: GatewaySite): Promise<readonly Propagation[]> {
  const others = startWorkloads(site.server.adminLogin, workloads)
  const all: Propagation[] = []
  for (let nth = 1; nth <= probes; nth += 1) {
    await until("more of them", () => others.created >= ((nth - 1) * workloads) / probes)
    all.push(await site.create(nth))
  }
  await until("all of them", () => others.created === workloads)
  others.stop()
  const last = { host: hostOfWorkload(workloads) }
  await until("the last of them", async () => (await ask({ port: site.port }, last)).status === 200)
  return all
}

/** @returns how many answers were neither of the two, or mixed them */
async function toggle({ server, port }: GatewaySite): Promise<{ asked: number; wrong: number }> {
  await server.admin.apply(toggled("one"))
  const answer = () => ask({ port }, { host: "toggled.example.com" })
  await until("the route", async () => (await answer()).status === 200)
  let asked = 0
  let wrong = 0
  let isDone = false
  const load = async () => {
    while (!isDone) {
      const { status, body, headers } = await answer()
      asked += 1
      if (status !== 200 || body !== headers["x-set"]) wrong += 1
    }
  }
  const lanes = [load(), load()]
  for (let nth = 1; nth <= toggles; nth += 1) await server.admin.apply(toggled(nth % 2 === 0 ? "one" : "two"))
  isDone = true
  await Promise.all(lanes)
  return { asked, wrong }
}

async function measureInARow() {
  await using site = await GatewaySite.start()
  const one = site.memory()
  const split = Math.max(routes - 1000, 0)
  const early = Math.min(1000, split)
  const first = await phase(`the first ${early}`, site, () => inARow(site, 1, early))
  await inARow(site, early + 1, split)
  const title = `the last ${routes - split} of ${routes}`
  const last = await phase(title, site, () => inARow(site, split + 1, routes))
  await pause(restSeconds * 1000)
  return { one, first, last, rested: site.memory() }
}

async function measureAmongWorkloads() {
  await using site = await GatewaySite.start()
  const title = `${probes} while ${workloads} others come`
  const among = await phase(title, site, () => amongWorkloads(site))
  await pause(restSeconds * 1000)
  const rested = site.memory()
  return { among, rested, changed: await toggle(site) }
}

const [load = 0] = loadavg()
const inRow = await measureInARow()
const inChurn = await measureAmongWorkloads()
const { one } = inRow
const { changed } = inChurn
const phases = [inRow.first, inRow.last, inChurn.among]
const rests = [undefined, inRow.rested, inChurn.rested]

type Figure = readonly [title: string, ms: (route: Propagation) => number]

const figures: readonly Figure[] = [
  ["event to traffic", ({ event, served }) => served - event],
  ["write to event", ({ event }) => event],
  ["write to the API server's answer", ({ stored }) => stored],
  ["that answer to traffic", ({ stored, served }) => served - stored],
  ["write to traffic", ({ served }) => served],
]

function timeRows([title, msOf]: Figure): readonly (readonly string[])[] {
  const times = phases.map(({ all }) => all.map(msOf))
  const row = (name: string, of: (values: readonly number[]) => number) => [
    `${title}: ${name}, ms`,
    ...times.map((values) => of(values).toFixed(1)),
  ]
  return [
    row("median", (values) => quantile(values, 0.5)),
    row("p99", (values) => quantile(values, 0.99)),
    row("longest", largest),
  ]
}

const megabytes = (value: number | undefined) => value?.toFixed(value < 100 ? 1 : 0) ?? ""

function memoryRows(title: string, of: (memory: Memory) => number): readonly (readonly string[])[] {
  return [
    [`${title}, when they are served, MB`, ...phases.map(({ served }) => megabytes(of(served)))],
    [`the same ${restSeconds} s later, MB`, ...rests.map((rest) => megabytes(rest && of(rest)))],
  ]
}

const wrong = phases.flatMap(({ all }) => all).reduce((sum, each) => sum + each.wrong, 0)
const report: Report = {
  name: "gateway-propagation",
  title: "HTTPRoutes, from the API server to traffic",
  method: `A real kube-apiserver with etcd (which writes its data without waiting for the disk), wick as in its image and in a Pod, nginx with as many workers as cores, and clients. wick and nginx have one half of the cores, the API server, etcd, those who write, those who observe and the pods the other half, as if they were two machines; who observes is served first there. ${routes} HTTPRoutes are created one after the other, each with a host of its own, edits of headers of requests and responses, and a second rule whose backend does not exist; another process asks for the host from then on until it is answered 200, each time on a new connection, a millisecond after the answer before. An event is when the watch of that process has it: what comes before is the API server's, what comes after is wick's, and as exact as that millisecond. With another API server ${workloads} workloads come in four lanes from a process of its own, each with a Service, a pod and a route in one of 50 namespaces, and ${probes} routes as before are created here and there meanwhile. At last the backend and a response header of one route are changed together ${toggles} times, as fast as the API server takes it, while two clients ask for it without a pause.`,
  columns: ["figure", ...phases.map(({ title }) => title)],
  rows: [
    ...figures.flatMap(timeRows),
    ...memoryRows("memory of the controller's own", ({ controller }) => controller),
    ...memoryRows("memory of a worker's own", ({ worker }) => worker),
    ...memoryRows("shared zones, as far as they were touched", ({ zones }) => zones),
  ],
  remarks: [
    `Answers before the first 200 that were no 404: ${wrong}. Requests while the one route was changed: ${changed.asked}; not 200, or of one backend with the other's header: ${changed.wrong}.`,
    `With a single route the controller has ${megabytes(one.controller)} MB of its own, a worker ${megabytes(one.worker)}; ${megabytes(one.zones)} MB of shared zones were touched.`,
    "Targets: from the event to traffic 10 ms at p99 with 3,000 routes, 30 while 5,000 come; 250 MB of the controller's own, 25 MB more of a worker's.",
    "Published figures of gateway-api-bench at 3,000 routes, on other and larger machines, API server included: agentgateway 10 to 30 ms, Istio 120 to 300, Envoy Gateway 600 with 14,808 answers of 503, NGINX Gateway Fabric 800; while 5,000 come, 30, 375 and 2,000 ms, and more than five minutes. Memory of data planes with 5,000 workloads: agentgateway's grows from 4 to 40 MB, the others' from 60 to 90 to 1,000 to 2,000.",
    ...(load < 1 ? [] : [`The machine was busy with other work (load ${load.toFixed(0)}).`]),
  ],
}
if (Object.keys(given).length === 0) write(report)
else print(report)
