// What the middle of the controller takes: translate and plan over 10,000 Ingresses, from scratch and after one change, and the memory for it.
// The controller's event loop stands still for that long. Writes bench/results/translate.md.
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { availableParallelism, cpus, loadavg } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { type Plan, plan } from "../controller/core/plan/plan.ts"
import { Translator } from "../controller/core/translate/translate.ts"
import { type Facts, noFacts } from "../controller/model/facts.ts"
import { noGatewayObjects } from "../controller/model/gateway-objects.ts"
import type { Model } from "../controller/model/model.ts"
import type { EndpointSlice } from "../controller/model/objects/endpoint-slice.ts"
import type { Ingress } from "../controller/model/objects/ingress.ts"
import type { Service } from "../controller/model/objects/service.ts"
import type { Snapshot } from "../controller/model/snapshot.ts"
import type { TlsSecretState } from "../controller/model/tls-secret.ts"
import { SharedMap } from "../controller/support/incremental/shared-map.ts"
import { ingress, options, service, settings, slice, tlsSecret } from "../harness/objects.ts"

const ingresses = 10_000
const endpointsEach = 10
const warmups = 5
const rounds = 40

interface World {
  readonly ingresses: readonly Ingress[]
  readonly services: ReadonlyMap<string, Service>
  readonly endpointSlices: ReadonlyMap<string, readonly EndpointSlice[]>
  readonly tlsSecrets: ReadonlyMap<string, TlsSecretState>
}

/** One host with two paths, one Service, ten endpoints and a Secret with a certificate for each Ingress. */
function makeWorld(): World {
  const numbers = Array.from({ length: ingresses }, (_, at) => at)
  const name = (at: number) => `n${at % 100}/app-${at}`
  return {
    ingresses: numbers.map((at) => oneIngress(name(at), at)),
    services: new Map(numbers.map((at) => [name(at), service(name(at), "http:80>8080")])),
    endpointSlices: new Map(numbers.map((at) => [name(at), [oneSlice(name(at), at, endpointsEach)]])),
    tlsSecrets: new Map(numbers.map((at) => [name(at), oneSecret(name(at), `host-${at}.test`)])),
  }
}

function oneIngress(name: string, at: number): Ingress {
  const short = name.split("/")[1] ?? ""
  const target = `${short}:80`
  const annotations = at % 3 === 0 ? { "proxy-read-timeout": "120", "proxy-body-size": "8m" } : {}
  const rules = [`host-${at}.test/ → ${target}`, `host-${at}.test/api → ${target}`]
  const tls = [{ hosts: [`host-${at}.test`], secretName: short }]
  return { ...ingress(name, rules, annotations, at), tls }
}

/** What is known of it: reading it is another matter (bench/secrets.ts). */
function oneSecret(name: string, host: string, keyType = "ec"): TlsSecretState {
  return tlsSecret(name, { names: [host], keyType }).state
}

function oneSlice(name: string, at: number, count: number): EndpointSlice {
  const addresses = Array.from(
    { length: count },
    (_, host) => `10.${(at >> 8) & 255}.${at & 255}.${host + 1}`,
  )
  return slice(name, addresses, "http:8080")
}

const none: Omit<Snapshot, keyof World> = {
  secrets: new Map(),
  configMaps: new Map(),
  pods: new Map(),
  nodes: new Map(),
  gateway: noGatewayObjects,
  problems: [],
}

function snapshotOf({ ingresses, services, endpointSlices }: World): Snapshot {
  return { ingresses, services, endpointSlices, ...none }
}

function factsOf({ tlsSecrets }: World): Facts {
  return { ...noFacts, tlsSecrets }
}

function withIngress(world: World, at: number, ingress: Ingress): World {
  return { ...world, ingresses: world.ingresses.with(at, ingress) }
}

/** What one change costs: the same world but for one object, as the store hands it on. */
interface Step {
  readonly name: string
  readonly change: (world: World, round: number) => World
  readonly expected: (plan: Plan) => boolean
}

/** The slices as the store holds them: what changed from view to view need not be looked for. */
const held = new SharedMap<readonly EndpointSlice[]>()
for (const [service, slices] of makeWorld().endpointSlices) held.put(service, slices)

const steps: readonly Step[] = [
  { name: "nothing", change: (world) => ({ ...world }), expected: (made) => made.kind === "nothing" },
  {
    name: "one endpoint",
    change: (world, round) => {
      held.put("n7/app-7", [oneSlice("n7/app-7", 7, 1 + (round % 9))])
      return { ...world, endpointSlices: held.view() }
    },
    expected: (made) =>
      made.kind === "post" && made.change.backends.set.length === 1 && made.change.hosts.set.length === 0,
  },
  {
    name: "one Secret",
    change: (world, round) => {
      const secrets = new Map(world.tlsSecrets)
      secrets.set("n7/app-7", oneSecret("n7/app-7", "host-7.test", `ec-${round}`))
      return { ...world, tlsSecrets: secrets }
    },
    expected: (made) =>
      made.kind === "post" &&
      made.change.certificates.set.length === 1 &&
      made.change.tlsHosts.set.length === 1 &&
      made.change.hosts.set.length === 0,
  },
  {
    name: "100 Secrets",
    change: (world, round) => {
      const secrets = new Map(world.tlsSecrets)
      for (let at = 7; at < ingresses; at += 100)
        secrets.set(`n7/app-${at}`, oneSecret(`n7/app-${at}`, `host-${at}.test`, `ec-${round}`))
      return { ...world, tlsSecrets: secrets }
    },
    expected: (made) => made.kind === "post" && made.change.tlsHosts.set.length === ingresses / 100,
  },
  {
    name: "one Ingress more",
    change: (world, round) => ({
      ...world,
      ingresses: [
        ...world.ingresses,
        ingress(`n7/more-${round}`, `more-${round}.test/ → app-7:80`, {}, ingresses + round),
      ],
    }),
    expected: (made) => made.kind === "post" && made.change.hosts.set.length === 1,
  },
  {
    name: "an annotation of one Ingress",
    change: (world, round) => {
      const rules = ["host-5000.test/ → app-5000:80", "host-5000.test/api → app-5000:80"]
      const annotations = { "proxy-read-timeout": String(round + 1) }
      return withIngress(world, 5000, ingress("n0/app-5000", rules, annotations, 5000))
    },
    expected: (made) => made.kind === "post" && made.change.hosts.set.length === 1,
  },
  {
    name: "an Ingress that becomes a canary, and back",
    change: (world, round) => {
      const annotations = round % 2 === 0 ? { canary: "true", "canary-weight": "10" } : {}
      return withIngress(
        world,
        6000,
        ingress("n0/app-6000", "host-5900.test/ → app-6000:80", annotations, 6000),
      )
    },
    expected: (made) => made.kind === "post",
  },
]

interface Timing {
  readonly translateMs: number
  readonly planMs: number
  /** processor time of both, of all threads of the process */
  readonly cpuMs: number
}

function pass(
  world: World,
  running: Model | undefined,
  translator: Translator,
): Timing & { model: Model; made: Plan } {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const { model } = translator.translate(snapshotOf(world), factsOf(world), settings)
  const middle = performance.now()
  const made = plan(running, model)
  const planMs = performance.now() - middle
  const { user, system } = process.cpuUsage(cpu)
  return { model, made, translateMs: middle - start, planMs, cpuMs: (user + system) / 1000 }
}

function measureScratch(): Timing[] {
  return Array.from({ length: 8 }, () => pass(makeWorld(), undefined, new Translator(options)))
    .map(strip)
    .slice(2)
}

function measureStep(step: Step): Timing[] {
  const timings: Timing[] = []
  const translator = new Translator(options)
  let world = makeWorld()
  let running = pass(world, undefined, translator).model
  for (let round = 0; round < warmups + rounds; round += 1) {
    world = step.change(world, round)
    const done = pass(world, running, translator)
    if (!step.expected(done.made))
      throw new Error(`${step.name}: not the expected plan, but ${done.made.kind}`)
    running = done.model
    timings.push(strip(done))
  }
  return timings.slice(warmups)
}

function strip({ translateMs, planMs, cpuMs }: Timing): Timing {
  return { translateMs, planMs, cpuMs }
}

/** Megabytes of the heap after a collection. */
function heapMb(): number {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc")
  for (let round = 0; round < 3; round += 1) collect()
  return process.memoryUsage().heapUsed / 1024 ** 2
}

/** What is kept for the world, and for what was made of it; which must not grow with changes. */
function measureMemory(): string {
  const empty = heapMb()
  let world = makeWorld()
  const objects = heapMb()
  const translator = new Translator(options)
  let { model } = pass(world, undefined, translator)
  const translated = heapMb()
  const changes = 300
  for (let round = 0; round < changes; round += 1) {
    for (const step of steps.slice(5)) world = step.change(world, round)
    model = pass(world, model, translator).model
  }
  const changed = heapMb()
  const mb = (from: number, to: number) => `${(to - from).toFixed(0)} MB`
  return `Objects ${mb(empty, objects)}; model and what is kept between passes ${mb(objects, translated)}, after ${changes} changes ${mb(objects, changed)} (heap after a collection, ${model.live.hosts.length} hosts).`
}

function row(name: string, timings: readonly Timing[]): string {
  const translateMs = timings.map((timing) => timing.translateMs)
  const planMs = timings.map((timing) => timing.planMs)
  const cpuMs = timings.map((timing) => timing.cpuMs)
  return `| ${name} | ${quantile(translateMs, 0.5)} | ${quantile(translateMs, 1)} | ${quantile(planMs, 0.5)} | ${quantile(planMs, 1)} | ${quantile(cpuMs, 0.5)} |`
}

function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN).toFixed(2)
}

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: import.meta.dirname,
  encoding: "utf8",
}).trim()
const memory = measureMemory() // first, while there is nothing else
const report = `# translate and plan

${ingresses} Ingresses with one host, two paths and a certificate each, ${ingresses} Services with ${endpointsEach} endpoints each. Milliseconds of the controller's only
thread; from scratch 6 runs after 2 for warming up, else ${rounds} after ${warmups}. The pass before left its objects behind, as the store does. Where the
machine has other work, processor time is the figure to go by.

${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores with a load of ${loadavg()[0]?.toFixed(0)}, Node ${process.version}, commit ${commit}. Made by \`build/node bench/translate.ts\`.

| what changed | translate, median | most | plan, median | most | processor time of both, median |
| --- | --- | --- | --- | --- | --- |
${row("everything (from scratch)", measureScratch())}
${steps.map((step) => row(step.name, measureStep(step))).join("\n")}

${memory}
`
writeFileSync(join(import.meta.dirname, "results/translate.md"), report)
console.log(report)
