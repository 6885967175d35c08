// gateway-api-bench's test of propagation (github.com/howardjohn/gateway-api-bench), on an API server: HTTPRoutes are created one after the other, and each
// host is asked, on a new connection every time, until it answers 200. Then one route is changed again and again under load. Writes
// bench/results/gateway-propagation.md; takes some minutes. `--routes=N --toggles=N`: others than usual are printed only.
import { execFileSync, spawnSync } from "node:child_process"
import { loadavg } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type ApiServer, startApiServer } from "../harness/cluster/api-server.ts"
import { installGatewayApi } from "../harness/cluster/gateway-api.ts"
import { podPort, sliceOf, startPods } from "../harness/cluster/pods.ts"
import { startWickIn } from "../harness/cluster/wick.ts"
import { ask } from "../harness/http.ts"
import { type Json, service } from "../harness/manifests.ts"
import { root } from "../harness/paths.ts"
import { freePorts } from "../harness/ports.ts"
import { print, type Report, write } from "../harness/report.ts"
import { largest, quantile } from "../harness/statistics.ts"
import { until } from "../harness/until.ts"
import type { Wick } from "../harness/wick.ts"
import { privateBytes } from "./support/cpu.ts"

const text = { type: "string" } as const
const { values: given } = parseArgs({ options: { routes: text, toggles: text } })
const routes = Number(given.routes ?? 3000)
const toggles = Number(given.toggles ?? 10_000)
const host = "127.0.0.1"
const namespace = "bench"

if (process.env.WICK_BENCH_NETWORK === undefined) runInNetwork()

/** Addresses of pods exist only there (build/network.sh). */
function runInNetwork(): never {
  const command = [process.execPath, import.meta.filename, ...process.argv.slice(2)]
  const env = { ...process.env, WICK_BENCH_NETWORK: "own" }
  for (const script of ["build/apiserver.sh", "build/gateway-crds.sh"])
    execFileSync(join(root, script), { stdio: "inherit" })
  const { status } = spawnSync(join(root, "build/network.sh"), command, { stdio: "inherit", env })
  process.exit(status ?? 1)
}

const object = (kind: string, name: string, spec: Json): Json => ({
  ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
  metadata: kind === "GatewayClass" ? { name } : { namespace, name },
})

const set = (type: string, value: string) => {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`
  return { type, [field]: { set: [{ name: "x-set", value }] } }
}

/** As the benchmark has it: edits of headers in both directions, and a rule whose backend does not exist. */
function route(nth: number): Json {
  return object("HTTPRoute", `route-${nth}`, {
    parentRefs: [{ name: "edge" }],
    hostnames: [`${nth}-route.example.com`],
    rules: [
      {
        filters: [set("RequestHeaderModifier", "request"), set("ResponseHeaderModifier", "response")],
        backendRefs: [{ name: "one", port: podPort }],
      },
      {
        matches: [{ path: { type: "PathPrefix", value: "/invalid" } }],
        backendRefs: [{ name: "nobody", port: 80 }],
      },
    ],
  })
}

/** Its backend and a header of its responses say the same. */
function toggled(to: string): Json {
  return object("HTTPRoute", "toggled", {
    parentRefs: [{ name: "edge" }],
    hostnames: ["toggled.example.com"],
    rules: [{ filters: [set("ResponseHeaderModifier", to)], backendRefs: [{ name: to, port: podPort }] }],
  })
}

interface Propagation {
  readonly ms: number
  /** answers before the first 200 that were no 404 */
  readonly wrong: number
}

async function created(server: ApiServer, port: number, nth: number): Promise<Propagation> {
  const begun = performance.now()
  await server.admin.apply(route(nth))
  let wrong = 0
  for (;;) {
    const { status } = await ask({ host, port }, { host: `${nth}-route.example.com` })
    if (status === 200) return { ms: performance.now() - begun, wrong }
    if (status !== 404) wrong += 1
  }
}

/** @returns how many answers were neither of the two, or mixed them */
async function toggle(server: ApiServer, port: number): Promise<{ asked: number; wrong: number }> {
  await server.admin.apply(toggled("one"))
  const answer = () => ask({ host, port }, { host: "toggled.example.com" })
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

function memory(wick: Wick): { controller: number; worker: number } {
  const mega = (bytes: number) => bytes / 1e6
  const workers = wick.workers().map((pid) => mega(privateBytes(pid)))
  return { controller: mega(privateBytes(wick.pid)), worker: Math.max(...workers) }
}

const [load = 0] = loadavg()
await using server = await startApiServer()
await installGatewayApi(server)
const pods = await startPods("one", "two")
const [port = 0] = await freePorts(1)
await server.admin.apply(
  { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  object("GatewayClass", "wick", { controllerName: "wick.dev/gateway" }),
  object("Gateway", "edge", {
    gatewayClassName: "wick",
    listeners: [{ name: "web", port, protocol: "HTTP" }],
  }),
  ...pods.flatMap((pod) => [
    service(`${namespace}/${pod.name}`, podPort),
    sliceOf(`${namespace}/${pod.name}`, [pod]),
  ]),
)
await using wick = await startWickIn(server, { flags: [`--gateway-addresses=${host}`] })
await created(server, port, 0)
const before = memory(wick)
const all: Propagation[] = []
for (let nth = 1; nth <= routes; nth += 1) all.push(await created(server, port, nth))
const after = memory(wick)
const changed = await toggle(server, port)
await pods.stop()

const rows = [100, 1000, routes].map((upTo) => {
  const last = all.slice(Math.max(0, upTo - 100), upTo).map(({ ms }) => ms)
  const figures = [quantile(last, 0.5), quantile(last, 0.99), largest(last)].map((ms) => ms.toFixed(1))
  return [`the last 100 of ${upTo}`, ...figures]
})
const report: Report = {
  name: "gateway-propagation",
  title: "HTTPRoutes, from the API server to traffic",
  method: `${routes} HTTPRoutes are created one after the other, each with a host of its own, edits of headers of requests and responses, and a second rule whose backend does not exist; its host is asked, on a new connection each time, until it answers 200. Milliseconds from the request that creates it, the API server's own time included. Then the backend and a response header of one route are changed together ${toggles} times, as fast as the API server takes it, while two clients ask for it without a pause.`,
  columns: ["routes", "median", "p99", "longest"],
  rows,
  remarks: [
    `Answers before the first 200 that were no 404: ${all.reduce((sum, { wrong }) => sum + wrong, 0)}. Requests while the one route was changed: ${changed.asked}; not 200, or of one backend with the other's header: ${changed.wrong}.`,
    `Memory of its own, MB: the controller ${before.controller.toFixed(0)} with one route and ${after.controller.toFixed(0)} with ${routes}, a worker ${before.worker.toFixed(1)} and ${after.worker.toFixed(1)}; routes themselves lie in the shared zone.`,
    "Published figures of gateway-api-bench at 3,000 routes, on other and larger machines: agentgateway 10 to 30 ms, Istio 120 to 300, Envoy Gateway 600 with 14,808 answers of 503, NGINX Gateway Fabric 800.",
    ...(load < 1 ? [] : [`The machine was busy with other work (load ${load.toFixed(0)}).`]),
  ],
}
if (Object.keys(given).length === 0) write(report)
else print(report)
