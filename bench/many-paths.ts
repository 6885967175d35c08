// One host with very many paths, one of which changes: what the controller takes, what is posted, what the worker that gets the post takes, and what
// the next request for the host takes in each worker, which has to read what changed. Writes bench/results/many-paths.md; takes about a minute.

import { liveChange } from "../controller/core/plan/change.ts"
import { Translator } from "../controller/core/translate/translate.ts"
import { noFacts } from "../controller/model/facts.ts"
import { noGatewayObjects } from "../controller/model/gateway-objects.ts"
import { emptyLive, type Live } from "../controller/model/model.ts"
import type { Ingress } from "../controller/model/objects/ingress.ts"
import type { Route } from "../controller/model/route.ts"
import type { Snapshot } from "../controller/model/snapshot.ts"
import { ControlClient } from "../controller/output/control/client.ts"
import { Control } from "../controller/output/control/control.ts"
import { startBackends } from "../harness/backends.ts"
import { ingress, options, service, settings, slice } from "../harness/objects.ts"
import { startPlane } from "../harness/plane.ts"
import { write } from "../harness/report.ts"
import { cpuNanoseconds } from "./support/cpu.ts"

const host = "many.test"
const perIngress = 100
const rounds = 40
const warmups = 5

const rows: string[][] = []
for (const paths of [100, 250, 1000, 5000, 20_000]) rows.push(await measure(paths))
report()

async function measure(paths: number): Promise<string[]> {
  await using backends = await startBackends("a", "b")
  await using plane = await startPlane({ workers: 1, routesZone: "64m" })
  const [worker = 0] = plane.nginx.workers()
  let bytes = 0
  const client = new ControlClient(plane.nginx.site.socket)
  const post = client.post.bind(client)
  client.post = (path, body) => {
    bytes += body.length
    return post(path, body)
  }
  const control = new Control({ client, events: { posted: () => {} } })
  const all = Array.from({ length: paths }, (_, at) => routeTo("a", at))
  const first = liveOf(all)
  first.backends = backends.map(({ name, port }) => ({
    name,
    loadBalance: "round_robin",
    endpoints: [{ address: "127.0.0.1", port }],
  }))
  let { inForce } = await control.apply(emptyLive, first, liveChange(emptyLive, first))
  const ask = async (at: number) => (await plane.nginx.get(pathAt(at), { host })).body
  await ask(0)

  const steps: Step[] = []
  for (let round = 0; round < rounds; round += 1) {
    const at = Math.floor((paths * round) / rounds)
    const wanted = { ...first, hosts: liveOf(all.with(at, routeTo("b", at))).hosts }
    bytes = 0
    const change = liveChange(inForce, wanted)
    const before = cpuNanoseconds(worker)
    inForce = (await control.apply(inForce, wanted, change)).inForce
    const posted = cpuNanoseconds(worker)
    if ((await ask(at)) !== "b") throw new Error(`${pathAt(at)} has not changed`)
    const read = cpuNanoseconds(worker)
    await ask(at)
    const served = cpuNanoseconds(worker)
    const [postNs, readNs] = [posted - before, read - posted - (served - read)]
    steps.push({ bytes, postMs: postNs / 1e6, readMs: readNs / 1e6 })
  }
  client.close()
  return [
    String(paths),
    controllerMs(paths).toFixed(1),
    (median(steps.map(({ bytes }) => bytes)) / 1024).toFixed(0),
    median(steps.map(({ postMs }) => postMs)).toFixed(2),
    median(steps.map(({ readMs }) => readMs)).toFixed(2),
  ]
}

interface Step {
  readonly bytes: number
  readonly postMs: number
  readonly readMs: number
}

/** From objects, of which one Ingress changed, to the items that are posted. */
function controllerMs(paths: number): number {
  const all = Array.from({ length: Math.ceil(paths / perIngress) }, (_, at) => ingressTo("a", at, paths))
  const names = ["many/a", "many/b"]
  const snapshot: Omit<Snapshot, "ingresses"> = {
    services: new Map(names.map((name) => [name, service(name, "http:80>8080")])),
    endpointSlices: new Map(names.map((name) => [name, [slice(name, ["10.0.0.1"], "http:8080")]])),
    secrets: new Map(),
    configMaps: new Map(),
    pods: new Map(),
    nodes: new Map(),
    gateway: noGatewayObjects,
    problems: [],
  }
  const translator = new Translator(options)
  let running: Live = emptyLive
  const times: number[] = []
  for (let round = 0; round < warmups + rounds; round += 1) {
    const ingresses = all.with(0, ingressTo(round % 2 === 0 ? "b" : "a", 0, paths))
    const started = performance.now()
    const { model } = translator.translate({ ...snapshot, ingresses }, noFacts, settings)
    liveChange(running, model.live)
    times.push(performance.now() - started)
    running = model.live
  }
  return median(times.slice(warmups))
}

function pathAt(at: number): string {
  return `/application/${String(at).padStart(5, "0")}/items`
}

function ingressTo(to: string, at: number, paths: number): Ingress {
  const count = Math.min(perIngress, paths - at * perIngress)
  const rules = Array.from({ length: count }, (_, n) => `${host}${pathAt(at * perIngress + n)} → ${to}:80`)
  return ingress(`many/ingress-${at}`, rules, {}, at)
}

function routeTo(to: string, at: number): Route {
  return {
    path: pathAt(at),
    match: "prefix",
    location: "location-plain",
    backend: to,
    namespace: "many",
    ingressName: `ingress-${Math.floor(at / perIngress)}`,
    serviceName: to,
    servicePort: "80",
    locationPath: pathAt(at),
    overrides: {},
  }
}

function liveOf(routes: readonly Route[]): { -readonly [Kind in keyof Live]: Live[Kind] } {
  return { ...emptyLive, hosts: [{ server: "main", host, routes }] }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function report(): void {
  write({
    name: "many-paths",
    title: "One path changes among many on one host",
    method:
      `One host whose paths stand in Ingresses of ${perIngress} each; one path after another goes to another backend, ${rounds} times, medians. **Controller**: translate and plan when one ` +
      "Ingress of the host has changed. **Posted**: bytes of JSON. **Post**: processor time of the one worker for it. **Read**: processor time of the next request for the host, " +
      "less that of one more; every worker that is asked for the host takes it once. Up to 256 routes are one record.",
    columns: ["paths", "controller, ms", "posted, KiB", "post, ms", "read, ms"],
    rows,
  })
}
