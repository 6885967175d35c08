// How the status of a Gateway follows its routes, as gateway-api-bench asks it (github.com/howardjohn/gateway-api-bench, "attached routes"): some are created
// as fast as the API server takes it, and deleted again. Writes bench/results/attached-routes.md; takes a minute, as root. `--routes=N`: others than usual
// are printed only.
import { loadavg } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { AuditedServer } from "../harness/cluster/audit.ts"
import { pathOf } from "../harness/cluster/client.ts"
import { podPort } from "../harness/cluster/pods.ts"
import { service } from "../harness/manifests.ts"
import { freePorts } from "../harness/ports.ts"
import { print, type Report, write } from "../harness/report.ts"
import { until } from "../harness/until.ts"
import { inLanes } from "./support/cluster-population.ts"
import { processNanoseconds } from "./support/cpu.ts"
import { bringGatewayApi } from "./support/gateway-site.ts"
import { startInPod } from "./support/image.ts"
import { gatewayAt, namespace, route } from "./support/many-routes.ts"
import { needOwnNetwork } from "./support/own-network.ts"
import { SeenVersions } from "./support/seen-versions.ts"

const { values: given } = parseArgs({ options: { routes: { type: "string" } } })
const sizes = given.routes === undefined ? [100, 1000] : [Number(given.routes)]
/** What is written twice, or late, is seen within it. */
const quietMs = 3000

needOwnNetwork(import.meta.filename, "gateway-crds.sh")

/** A state of the Gateway, as another client's watch has it. */
interface Seen {
  readonly attached: number
  readonly status: string
  readonly atMs: number
}

interface Counts {
  readonly seen: number
  readonly gatewayWrites: number
  readonly routeWrites: number
  readonly serverNs: number
  readonly wickNs: number
}

const [load = 0] = loadavg()
await using audited = await AuditedServer.start()
const { server } = audited
await bringGatewayApi(server)
const [port = 0] = await freePorts(1)
await server.admin.apply(...gatewayAt(port), service(`${namespace}/one`, podPort))
const states: Seen[] = []
await using _watch = await SeenVersions.of(server.adminKubeconfig(), pathOf("Gateway", ""), (object, atMs) =>
  states.push({ ...stateOf(object), atMs }),
)
await using wick = await startInPod(server, { flags: ["--gateway-addresses=127.0.0.1"] })
await until("the Gateway's status", () => states.at(-1)?.status.includes("attachedRoutes"))
await pause(quietMs)

function stateOf(gateway: unknown): Omit<Seen, "atMs"> {
  const { status } = gateway as { status?: { listeners?: readonly { attachedRoutes: number }[] } }
  return { attached: status?.listeners?.[0]?.attachedRoutes ?? 0, status: JSON.stringify(status) }
}

/** Written successfully, by wick. */
function writesOf(resource: string): number {
  const asked = audited.asked("system:serviceaccount:wick:wick")
  return asked.filter((one) => one.resource === resource && one.verb !== "get" && one.status === 200).length
}

function counts(): Counts {
  return {
    seen: states.length,
    gatewayWrites: writesOf("gateways/status"),
    routeWrites: writesOf("httproutes/status"),
    serverNs: processNanoseconds(server.pid),
    wickNs: processNanoseconds(wick.pid),
  }
}

/** @param change of the nth route @param attached how many there are then @param routeWrites how many statuses of routes are to be written */
async function round(
  title: string,
  routes: number,
  change: (nth: number) => Promise<unknown>,
  { attached, routeWrites }: { readonly attached: number; readonly routeWrites: number },
): Promise<readonly (string | number)[]> {
  const before = counts()
  const begunMs = performance.now()
  await inLanes(routes, change)
  const changedMs = performance.now()
  await until("the Gateway to count them", () => states.at(-1)?.attached === attached)
  await until("statuses of routes", () => writesOf("httproutes/status") - before.routeWrites >= routeWrites)
  await pause(quietMs)
  return row(title, changedMs - begunMs, (states.at(-1)?.atMs ?? 0) - changedMs, before)
}

function row(title: string, changeMs: number, lagMs: number, before: Counts): readonly (string | number)[] {
  const after = counts()
  const events = states.slice(before.seen)
  const writes = after.gatewayWrites - before.gatewayWrites
  const repeated = events.filter(
    ({ status }, at) => status === (events[at - 1] ?? states[before.seen - 1])?.status,
  )
  return [
    title,
    changeMs.toFixed(0),
    lagMs.toFixed(0),
    writes,
    // The API server tells nobody of a write that changes nothing.
    writes - events.length + repeated.length,
    after.routeWrites - before.routeWrites,
    ((after.wickNs - before.wickNs) / 1e9).toFixed(2),
    ((after.serverNs - before.serverNs) / 1e9).toFixed(2),
  ]
}

const rows: (readonly (string | number)[])[] = []
for (const size of sizes) {
  const create = (nth: number) => server.admin.apply(route(nth))
  const remove = (nth: number) => server.admin.delete("HTTPRoute", `${namespace}/route-${nth}`)
  rows.push(await round(`${size} created`, size, create, { attached: size, routeWrites: size }))
  rows.push(await round(`${size} deleted`, size, remove, { attached: 0, routeWrites: 0 }))
}

const report: Report = {
  name: "attached-routes",
  title: "The status of a Gateway while its routes come and go",
  method: `A real kube-apiserver with etcd (without fsync), wick as in its image and in a Pod, and who writes, all on the same cores. HTTPRoutes of one Gateway are created, sixteen requests at a time, and deleted again. The audit log of the API server tells what wick wrote, the watch of another client when \`attachedRoutes\` was right; what comes within ${quietMs / 1000} s more counts too.`,
  columns: [
    "routes",
    "all written, ms",
    "`attachedRoutes` right after the last of them, ms",
    "writes of the Gateway's status",
    "of them without a change",
    "writes of the routes' statuses",
    "wick's processor time, s",
    "the API server's",
  ],
  rows,
  remarks: [
    "Target: no write without a change, and one of each route. gateway-api-bench says of others that Envoy Gateway took the API server ten times the processor time of the rest, and that NGINX Gateway Fabric wrote duplicates.",
    ...(load < 1 ? [] : [`The machine was busy with other work (load ${load.toFixed(0)}).`]),
  ],
}
if (given.routes === undefined) write(report)
else print(report)
