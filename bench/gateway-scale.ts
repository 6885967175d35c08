// gateway-api-bench's test of ListenerSets (github.com/howardjohn/gateway-api-bench), from a directory of manifests: 2,500 ListenerSets with a certificate and
// 16 HTTPRoutes each. What a start takes until the last of them is served, what one more takes then, and what both planes need. Writes
// bench/results/gateway-scale.md; takes two minutes. `--sets=N`: others than usual are printed only.
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { startBackends } from "../harness/backends.ts"
import { type Json, listOf, manifest, secret, serviceOn } from "../harness/manifests.ts"
import { rootAuthority } from "../harness/pki.ts"
import { freePorts } from "../harness/ports.ts"
import { print, type Report, write } from "../harness/report.ts"
import { largest, median } from "../harness/statistics.ts"
import { TlsClient } from "../harness/tls-client.ts"
import { until } from "../harness/until.ts"
import { heapBytes, processNanoseconds, zoneBytes } from "./support/cpu.ts"
import { startImage } from "./support/image.ts"

const { values: given } = parseArgs({ options: { sets: { type: "string" } } })
const sets = Number(given.sets ?? 2500)
const routesEach = 16
const changes = 40
const host = "127.0.0.1"

const object = (kind: string, name: string, namespace: string, spec: Json): Json => ({
  ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
  metadata: { name, ...(namespace !== "" && { namespace }) },
})
const namespaceOf = (nth: number) => `tenant-${nth % 50}`
const hostOf = (nth: number, at: number) => `host-${at}.set-${nth}.test`

function route(nth: number, at: number, hostname = hostOf(nth, at)): Json {
  return object("HTTPRoute", `route-${nth}-${at}`, namespaceOf(nth), {
    parentRefs: [{ kind: "ListenerSet", name: `set-${nth}` }],
    hostnames: [hostname],
    rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
  })
}

function listenerSet(nth: number, port: number): Json {
  const hostname = `*.set-${nth}.test`
  const tls = { certificateRefs: [{ name: `cert-${nth}` }] }
  return object("ListenerSet", `set-${nth}`, namespaceOf(nth), {
    parentRef: { name: "edge", namespace: "infra" },
    listeners: [{ name: "tls", port, protocol: "HTTPS", hostname, tls }],
  })
}

const [load = 0] = loadavg()
await using backends = await startBackends("web")
const [port = 0] = await freePorts(1)
const authority = await rootAuthority()

async function fileOf(nth: number): Promise<string> {
  const identity = await authority.issue({ names: [`*.set-${nth}.test`] })
  const routes = Array.from({ length: routesEach }, (_, at) => route(nth, at))
  return listOf([
    secret(`${namespaceOf(nth)}/cert-${nth}`, identity.tlsData()),
    listenerSet(nth, port),
    ...routes,
  ])
}

const open = { namespaces: { from: "All" } }
const manifests: Record<string, string> = {
  "gateway.yaml": manifest(
    object("GatewayClass", "wick", "", { controllerName: "wick.dev/gateway" }),
    object("Gateway", "edge", "infra", {
      gatewayClassName: "wick",
      allowedListeners: open,
      listeners: [{ name: "none", port, protocol: "HTTPS", hostname: "none.test" }],
    }),
    ...Array.from({ length: 50 }, (_, nth) =>
      serviceOn(
        `${namespaceOf(nth)}/web`,
        backends.map((backend) => backend.port),
      ),
    ).flat(),
  ),
}
for (let nth = 0; nth < sets; nth += 1) manifests[`set-${nth}.json`] = await fileOf(nth)

const begun = performance.now()
await using wick = await startImage({
  manifests,
  flags: [`--gateway-addresses=${host}`],
  timeoutMs: 600_000,
})

/** Whether the name has its own certificate and is answered. */
async function isServed(name: string): Promise<boolean> {
  try {
    await using client = await TlsClient.connect(port, { servername: name })
    const { status } = await client.ask({ host: name })
    return status === 200 && client.socket.getPeerCertificate().subjectaltname === wildcardOver(name)
  } catch {
    return false
  }
}

const wildcardOver = (name: string) => `DNS:*${name.slice(name.indexOf("."))}`

await until("the last route", () => isServed(hostOf(sets - 1, routesEach - 1)), 600_000)
const startMs = performance.now() - begun
const startCpuMs = processNanoseconds(wick.pid) / 1e6
let served = 0
const samples = 200
for (let nth = 0; nth < samples; nth += 1)
  if (await isServed(hostOf(Math.floor((nth * sets) / samples), nth % routesEach))) served += 1

async function timed(change: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await change()
  return performance.now() - from
}

const routeMs: number[] = []
for (let nth = 0; nth < changes; nth += 1) {
  const name = `more-${nth}.set-7.test`
  const more = async () => {
    wick.write("more.yaml", manifest(route(7, routesEach, name)))
    await until("the route", () => isServed(name))
  }
  routeMs.push(await timed(more))
}
const setMs: number[] = []
for (let nth = 0; nth < 5; nth += 1) {
  const text = await fileOf(sets + nth)
  const more = async () => {
    wick.write(`more-${nth}.json`, text)
    await until("the set", () => isServed(hostOf(sets + nth, 0)), 60_000)
  }
  setMs.push(await timed(more))
}

const mega = (bytes: number) => (bytes / 1e6).toFixed(0)
const worker = wick.workers()[0] ?? 0
const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0)
const report: Report = {
  name: "gateway-scale",
  title: `${sets} ListenerSets with ${sets * routesEach} HTTPRoutes`,
  method: `wick as in its image, with a directory of manifests and nginx with as many workers as cores; ${sets} ListenerSets of one Gateway in 50 namespaces, each with a certificate of its own for its wildcard and ${routesEach} HTTPRoutes. A name counts as served when the handshake brings its own certificate and the request is answered 200, on a new connection each time.`,
  columns: ["what", "figure"],
  rows: [
    ["start until the last route is served, ms", ms(startMs)],
    ["the controller's processor time for that, ms", ms(startCpuMs)],
    [`names that were served, of ${samples}`, served],
    [`one more route, ms: median of ${changes}, longest`, `${ms(median(routeMs))}, ${ms(largest(routeMs))}`],
    [
      `one more ListenerSet with its certificate and routes, ms: median of ${setMs.length}, longest`,
      `${ms(median(setMs))}, ${ms(largest(setMs))}`,
    ],
    ["memory of the controller's own, MB", mega(heapBytes(wick.pid))],
    ["of a worker's own, MB", mega(heapBytes(worker))],
    ["of shared zones, as far as it has looked at them, MB", mega(zoneBytes(worker))],
  ],
  remarks: [
    "Published by gateway-api-bench: agentgateway ends it; Istio needs fifteen times its memory and fifty times its processor time; the others do not end it.",
    ...(load < 1 ? [] : [`The machine was busy with other work (load ${load.toFixed(0)}).`]),
  ],
}
if (given.sets === undefined) write(report)
else print(report)
