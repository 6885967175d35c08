// 5,000 HTTPRoutes through the controller: what a first pass costs, what a change of one route costs in each step, and what the statuses that come back
// from the API server cost, which are no reason for a pass. Writes bench/results/gateway-routes.md; takes some seconds.
import { parseFlags } from "../controller/core/options/flags.ts"
import { liveChange } from "../controller/core/plan/change.ts"
import { Translator, translateOptions } from "../controller/core/translate/translate.ts"
import { GatewayStatuses } from "../controller/input/cluster/gateway-status/gateway-statuses.ts"
import { pathOfObject } from "../controller/input/cluster/kinds.ts"
import { Store } from "../controller/input/store/store.ts"
import { noFacts } from "../controller/model/facts.ts"
import type { ObjectStatus } from "../controller/model/object-status.ts"
import type { Kind } from "../controller/model/objects/object.ts"
import { parseObject } from "../controller/model/objects/parse.ts"
import { gatewayStatus } from "../controller/report/status/gateway-status.ts"
import { type Json, service, slice } from "../harness/manifests.ts"
import { settings } from "../harness/objects.ts"
import { write } from "../harness/report.ts"
import { median } from "../harness/statistics.ts"

const count = 5000
const services = 500
const rounds = 40

const command = parseFlags(["--gateway-addresses=192.0.2.1"])
if (command.kind !== "run") throw new Error(JSON.stringify(command))
const { options } = command
const pod = { namespace: "wick", name: "wick-0" }
const store = new Store({
  ...options,
  pod,
  readsClasses: true,
  reportsUnassigned: false,
  referencesOf: () => [],
  referencesOfSettings: () => [],
  referencesOfStreams: () => [],
})
const written: Json[] = []
const statuses = new GatewayStatuses(
  {
    async send({ method, path, body }) {
      if (method === "PUT") written.push(body as Json)
      return method === "PUT" ? body : objects.get(path)
    },
  },
  options.gatewayControllerName,
)
const translator = new Translator(translateOptions(options))
/** as the API server has them, by path */
const objects = new Map<string, Json>()
let said: readonly ObjectStatus[] = []
const kept = gatewayStatus(() => said, statuses)

/** An object comes from a watch. @returns whether a pass is due */
function come(object: Json): boolean {
  const { kind, metadata } = object as { kind: Kind; metadata: { namespace?: string; name: string } }
  const { namespace = "", name } = metadata
  objects.set(pathOfObject(kind, { namespace, name }), object)
  statuses.observe(kind, namespace === "" ? name : `${namespace}/${name}`, object)
  const parsed = parseObject(object, { firstSeenMs: () => 0, origin: "" })
  return parsed.kind === "object" && store.apply([{ kind: "set", object: parsed.object }])
}

const gatewayApi = (kind: string, name: string, namespace: string | undefined, spec: Json): Json => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind,
  metadata: {
    name,
    ...(namespace && { namespace }),
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
  },
  spec,
})

function route(at: number, path: string): Json {
  const matches = [{ path: { value: path }, headers: [{ name: "x-version", value: "2" }] }]
  const backendRefs = [{ name: `web-${at % services}`, port: 80 }]
  return gatewayApi("HTTPRoute", `route-${at}`, "shop", {
    parentRefs: [{ name: "edge" }],
    hostnames: [`host-${at}.test`],
    rules: [{ matches, backendRefs }, { backendRefs }],
  })
}

function pass() {
  const snapshot = store.snapshot()
  return translator.translate(snapshot, noFacts, settings)
}

const timed = <T>(work: () => T): readonly [number, T] => {
  const startMs = performance.now()
  const result = work()
  return [performance.now() - startMs, result]
}

const [readMs] = timed(() => {
  come(gatewayApi("GatewayClass", "wick", undefined, { controllerName: "wick.dev/gateway" }))
  come(
    gatewayApi("Gateway", "edge", "shop", {
      gatewayClassName: "wick",
      listeners: [{ name: "http", port: 80, protocol: "HTTP" }],
    }),
  )
  for (let at = 0; at < services; at += 1) {
    come(service(`shop/web-${at}`, 80))
    come(slice(`shop/web-${at}`, ["10.0.0.1"], 8080))
  }
  for (let at = 0; at < count; at += 1) come(route(at, "/a"))
})
const [firstMs, first] = timed(pass)
said = first.statuses
const [wantedMs, wanted] = timed(() => kept.wanted())
if (wanted.kind !== "known") throw new Error("It should be known")
const { signal } = new AbortController()
const startMs = performance.now()
for (const [name, part] of wanted.parts) await statuses.write(name, part, signal)
const writeMs = performance.now() - startMs

// what was written comes back
const [backMs, due] = timed(() => written.splice(0).filter((object) => come(object)).length)

const steps = { store: [], translate: [], plan: [], statuses: [], written: [] } as Record<string, number[]>
const note = (step: string, value: number) => steps[step]?.push(value)
let running = pass().model.live
for (let round = 0; round < rounds; round += 1) {
  const at = (round * 997) % count
  note("store", timed(() => come(route(at, `/b-${round}`)))[0])
  const [translateMs, translation] = timed(pass)
  note("translate", translateMs)
  note("plan", timed(() => liveChange(running, translation.model.live))[0])
  running = translation.model.live
  said = translation.statuses
  const [statusMs, next] = timed(() => kept.wanted())
  note("statuses", statusMs)
  const parts = next.kind === "known" ? next.parts : []
  const differing = parts.filter(([name, part]) => statuses.current(name) !== part)
  for (const [name, part] of differing) await statuses.write(name, part, signal)
  note("written", differing.length)
}

const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)
const medianOf = (step: string) => ms(median(steps[step] ?? []))
write({
  name: "gateway-routes",
  title: `${count} HTTPRoutes in the controller`,
  method: `${count} HTTPRoutes of one Gateway, a host and two rules each, ${services} Services. Milliseconds; of a change the median of ${rounds}.`,
  columns: ["step", "ms"],
  rows: [
    ["reading all of it, from JSON to the store", ms(readMs)],
    ["the first pass, objects to model", ms(firstMs)],
    ["what statuses are to say, the first time", ms(wantedMs)],
    ["writing them, the API server aside", ms(writeMs)],
    [`the ${count} statuses that come back; passes due: ${due}`, ms(backMs)],
    ["one route changes: parse and store", medianOf("store")],
    ["objects to model", medianOf("translate")],
    ["what is posted", medianOf("plan")],
    [`what statuses are to say; written: ${median(steps.written ?? [])}`, medianOf("statuses")],
  ],
})
