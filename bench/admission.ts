// How long the admission webhook takes for a check, over HTTPS as an API server asks, beside thousands of Ingresses that come and change.
import { Agent, request } from "node:https"
import { availableParallelism, loadavg } from "node:os"
import { parseArgs } from "node:util"
import { differencesOfCandidate } from "../cli/lint/candidate.ts"
import { Admission } from "../controller/admission/admission.ts"
import { PathOwners } from "../controller/admission/path-owners.ts"
import { serveAdmission } from "../controller/admission/server.ts"
import { vouchedFor } from "../controller/facts/x509/vouched-for.ts"
import { Store } from "../controller/input/store/store.ts"
import type { KubernetesObject } from "../controller/model/objects/object.ts"
import { parseObject } from "../controller/model/objects/parse.ts"
import { ingress, ingressClass, type Json } from "../harness/manifests.ts"
import { options } from "../harness/objects.ts"
import { print, type Report, write } from "../harness/report.ts"
import { median, quantile } from "../harness/statistics.ts"
import { optionsOf } from "../harness/translation.ts"
import { memoryBytes } from "./support/memory.ts"

const { values: asked } = parseArgs({ options: { quick: { type: "boolean", default: false } } })
const rounds = asked.quick ? 300 : 1000
const sizes = asked.quick ? [1000] : [0, 1000, 5000, 10_000]
const allOptions = optionsOf([])
const uid = "0b2f4a3c-1d5e-4f60-8a7b-9c0d1e2f3a4b"

/** Two paths, three annotations and what an API server adds of its own. */
function application(at: number, paths = 2): Json {
  const rules = Array.from({ length: paths }, (_, path) => `host-${at}.test/part-${path} → web:80`)
  const annotations = {
    "proxy-body-size": "8m",
    "proxy-read-timeout": String(1 + (at % 60)),
    "ssl-redirect": "false",
  }
  const object = ingress(`ns-${at % 100}/app-${at}`, rules, annotations, 1 + (at % 300))
  const managedFields = [{ manager: "kubectl", operation: "Apply", fieldsV1: { note: "x".repeat(1500) } }]
  return { ...object, metadata: { ...(object.metadata as Json), uid, managedFields } }
}

function parsed(object: Json): KubernetesObject {
  const read = parseObject(object, { firstSeenMs: () => 0, origin: "" })
  if (read.kind !== "object") throw new Error("It should be readable")
  return read.object
}

function set(store: Store, object: Json): void {
  store.apply([{ kind: "set", object: parsed(object) }])
}

function storeOf(count: number, owners: PathOwners): Store {
  const store = new Store({
    oursChanged: (before, after) => owners.replace(before, after),
    ingressClass: "nginx",
    controllerClass: "k8s.io/ingress-nginx",
    ingressClassByName: false,
    watchIngressWithoutClass: false,
    readsClasses: true,
    watchNamespaceSelector: undefined,
    reportsUnassigned: false,
    referencesOf: () => [],
    watchNamespace: "",
    gatewayControllerName: "wick.dev/gateway",
    configmap: undefined,
    defaultSslCertificate: undefined,
    defaultBackendService: undefined,
    publishService: undefined,
    enableTopologyAwareRouting: false,
    pod: { namespace: "wick", name: "wick-0" },
    referencesOfSettings: () => [],
    referencesOfStreams: () => [],
  })
  set(store, ingressClass)
  for (let at = 0; at < count; at += 1) set(store, application(at))
  return store
}

function review(object: Json, more: Json = {}): string {
  return JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "r",
      kind: { group: "networking.k8s.io", version: "v1", kind: "Ingress" },
      operation: "CREATE",
      object,
      ...more,
    },
  })
}

interface Case {
  readonly name: string
  readonly ask: (round: number, count: number) => string
  readonly allowed: boolean
  /** the store changes before each check, as it does when what was let in is there */
  readonly changes: boolean
  readonly sizes: readonly number[]
}

const fresh = (round: number, count: number) => application(count + round)
const cases: readonly Case[] = [
  {
    name: "a new Ingress",
    ask: (round, count) => review(fresh(round, count)),
    allowed: true,
    changes: false,
    sizes,
  },
  {
    name: "the same, and another one has changed before",
    ask: (round, count) => review(fresh(round, count)),
    allowed: true,
    changes: true,
    sizes,
  },
  {
    name: "one whose path is taken, and another one has changed before",
    ask: (round, count) => {
      const other = application(round % count)
      return review({ ...other, metadata: { ...(other.metadata as Json), name: "taker" } })
    },
    allowed: false,
    changes: true,
    sizes: sizes.filter((count) => count > 0),
  },
  {
    name: "an update, and another one has changed before",
    ask: (round, count) => {
      const object = application(round % count)
      return review(object, { operation: "UPDATE", oldObject: object })
    },
    allowed: true,
    changes: true,
    sizes: sizes.filter((count) => count > 0),
  },
  {
    name: "a new Ingress with 1,000 paths",
    ask: (round, count) => review(application(count + round, 1000)),
    allowed: true,
    changes: true,
    sizes: [sizes.at(-1) ?? 0],
  },
]

function admissionOver(store: Store, owners: PathOwners): Admission {
  const silent = () => {}
  return new Admission({
    objects: {
      areComplete: () => true,
      owners,
      isOurs: (candidate) => store.wouldBeOurs(candidate),
      configMap: () => undefined,
      standing: () => store.snapshot(),
      isWatched: (namespace) => store.watchesGatewaysIn(namespace),
    },
    options,
    inspects: true,
    differencesOf: (candidate, settings) =>
      differencesOfCandidate(candidate, {
        options: allOptions,
        settings,
        configMap: undefined,
        service: (name) => store.service(name),
      }),
    checked: silent,
    log: { info: silent, warn: silent, error: silent },
  })
}

async function measure(one: Case, count: number): Promise<readonly (string | number)[]> {
  const owners = new PathOwners(options.annotationsPrefix)
  const store = storeOf(count, owners)
  const checkMs: number[] = []
  const cpuMs: number[] = []
  const admission = admissionOver(store, owners)
  const server = await serveAdmission({
    host: "127.0.0.1",
    port: 0,
    leaving: new AbortController().signal,
    answer: (text) => {
      const startMs = performance.now()
      const cpu = process.cpuUsage()
      const answer = admission.answer(text)
      const { user, system } = process.cpuUsage(cpu)
      checkMs.push(performance.now() - startMs)
      cpuMs.push((user + system) / 1000)
      return answer
    },
  })
  const { ca, certificate: cert, key } = await vouchedFor(["localhost"], Date.now(), 1)
  server.use({ cert, key })
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca, servername: "localhost" })
  const totalMs: number[] = []
  const before = memoryBytes()
  for (let round = 0; round < rounds; round += 1) {
    // the next change of something that is there, or, in an empty cluster, of the one that there is
    if (one.changes)
      set(store, { ...application((round * 7) % Math.max(count, 1)), metadata: changed(round, count) })
    const body = one.ask(round, count)
    const startMs = performance.now()
    const answer = JSON.parse(await post(server.port, agent, body))
    totalMs.push(performance.now() - startMs)
    if (answer.response.allowed !== one.allowed) throw new Error(`${one.name}: not the expected answer`)
  }
  const grownMb = (memoryBytes() - before) / 1024 ** 2
  agent.destroy()
  await server.close()
  // the first ones warm up
  const [cpu, check, total] = [cpuMs, checkMs, totalMs].map((all) => all.slice(rounds / 10))
  const cells = [cpu, check, total].flatMap((all = []) => [median(all), quantile(all, 0.99)])
  return [one.name, count.toLocaleString("en"), ...cells.map((ms) => ms.toFixed(2)), grownMb.toFixed(1)]
}

/** The same Ingress with another label. */
function changed(round: number, count: number): Json {
  const { metadata } = application((round * 7) % Math.max(count, 1)) as { metadata: Json }
  return {
    ...metadata,
    annotations: { ...(metadata.annotations as Json), "example.test/round": String(round) },
  }
}

function post(port: number, agent: Agent, body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
  const asking = request({ host: "127.0.0.1", port, agent, method: "POST", path: "/", headers })
  asking.on("error", reject)
  asking.on("response", async (response) => {
    let text = ""
    for await (const piece of response.setEncoding("utf8")) text += piece
    resolve(text)
  })
  asking.end(body)
  return promise
}

const rows: (readonly (string | number)[])[] = []
for (const one of cases) for (const count of one.sizes) rows.push(await measure(one, count))

const report: Report = {
  name: "admission",
  title: "The admission webhook",
  method: `${rounds} checks each, one after the other over one connection that is kept, client and webhook in one process: what the client takes is in the total. Ingresses of two paths, three annotations and 1.5 KB of managedFields, all ours. "Changed before": between two checks one of the others was replaced in the store, as happens when what was let in comes back by the watch. Milliseconds; the processor time is that of all threads of the process during the check, and the figure to go by where the machine has other work; memory is the heap after a collection, afterwards less before, with all that was measured. Load of the machine ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`,
  columns: [
    "check",
    "others",
    "processor: median",
    "p99",
    "check: median",
    "p99",
    "over HTTPS: median",
    "p99",
    "memory, MB",
  ],
  rows,
  remarks: [
    "Wanted: p99 of 20 ms at 5,000 Ingresses and of 50 ms at 10,000. Nothing grows with their number; where the machine has much else to do, the time on the clock is that of waiting for a core.",
  ],
}
if (asked.quick) print(report)
else write(report)
