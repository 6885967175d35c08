// How many named locations real and generated Ingresses need, and how many of the changes that a cluster sees from day to day need a reload. Writes
// bench/results/named-locations.md.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { plan } from "../controller/core/plan/plan.ts"
import type { Change } from "../controller/input/provider/source.ts"
import type { Model } from "../controller/model/model.ts"
import { keyOf } from "../controller/model/objects/object.ts"
import { hasCorpus, readCorpus, type Sample, servicesOf } from "../harness/corpus.ts"
import { ingressClass, type Json, listOf } from "../harness/manifests.ts"
import { freePorts } from "../harness/ports.ts"
import { Random } from "../harness/random.ts"
import { print, write } from "../harness/report.ts"
import { changesOf, optionsOf, Passes, translationOf } from "../harness/translation.ts"
import { until } from "../harness/until.ts"
import { startWick, type Wick } from "../harness/wick.ts"
import { type Kind, Population } from "./support/population.ts"

const generated = 5000
const seeds = [1, 2, 3]
const changes = 1000

const options = optionsOf(["--manifests=bench"])
const changesOfAll = (objects: readonly Json[]) => objects.flatMap((object) => changesOf(object, "bench"))

function locationsOf(samples: readonly Sample[]): number {
  const ingresses = samples.map(({ ingress }) => ingress)
  const objects = [ingressClass, ...servicesOf(ingresses, 8080), ...ingresses]
  return translationOf(changesOfAll(objects), options).model.fixed.locations.length
}

function hasSnippet({ ingress }: Sample): boolean {
  return Object.keys(ingress.metadata.annotations).some((name) => name.endsWith("-snippet"))
}

type Row = readonly (string | number)[]

function corpusRows(): Row[] {
  if (!hasCorpus) return []
  const samples = readCorpus()
  const apps = samples.filter(({ kind }) => kind === "app")
  const plain = apps.filter((sample) => !hasSnippet(sample))
  const row = (what: string, some: readonly Sample[]) => [what, some.length, locationsOf(some), "–", "–"]
  return [
    row("published, all", samples),
    row("published, of applications", apps),
    row("published, of applications, without a snippet", plain),
  ]
}

/** The changes of one population, planned one after the other as the controller does. */
function planned(seed: number): Row {
  const population = new Population(generated, new Random(seed), 8080)
  const passes = new Passes(options)
  passes.apply(changesOfAll([ingressClass, ...population.objects()]))
  let running = passes.translation().model
  const locations = running.fixed.locations.length
  const reloads: Kind[] = []
  for (let at = 0; at < changes; at += 1) {
    const step = population.step()
    passes.apply([...changesOfAll(step.set), ...changesOfAll(step.deleted).map(asDeletion)])
    const { model } = passes.translation()
    const isReload = plan(running, model).kind === "reload"
    if (isReload) reloads.push(step.kind)
    running = inForce(running, model, isReload)
  }
  return [`generated, seed ${seed}`, generated, locations, reloads.length, told(reloads)]
}

/** After a post the fixed half stays as it was. */
function inForce(running: Model, wanted: Model, isReload: boolean): Model {
  return isReload ? wanted : { fixed: running.fixed, live: wanted.live }
}

function asDeletion(change: Change): Change {
  return change.kind === "set" ? { kind: "delete", key: keyOf(change.object) } : change
}

function told(kinds: readonly Kind[]): string {
  return kinds.length === 0 ? "–" : [...new Set(kinds)].join(", ")
}

const real = 500

/** The same with a wick that runs, asked for every change whether it reloaded. */
async function measured(seed: number): Promise<Row> {
  const [endpointPort = 0] = await freePorts(1)
  const population = new Population(real, new Random(seed), endpointPort)
  const fileOf = (object: Json) => {
    const { namespace, name } = object.metadata as { namespace: string; name: string }
    return `${namespace}.${name}.${object.kind}.json`.toLowerCase()
  }
  const files = population.objects().map((object) => [fileOf(object), listOf([object])])
  await using wick = await startWick({
    manifests: { "class.json": listOf([ingressClass]), ...Object.fromEntries(files) },
    flags: ["--sync-rate-limit=1000"],
    timeoutMs: 120_000,
  })
  const passes = () => wick.metric("wick_pass_duration_seconds_count")
  const reloads = () => wick.metric("nginx_ingress_controller_success")
  const before = await reloads()
  for (let at = 0; at < changes; at += 1) {
    const step = population.step()
    const passed = await passes()
    for (const object of step.set) wick.write(fileOf(object), listOf([object]))
    for (const object of step.deleted) wick.remove(fileOf(object))
    await until("the change to be seen", async () => (await passes()) > passed)
  }
  return ["generated, in a wick that runs", real, locationsIn(wick), (await reloads()) - before, "–"]
}

function locationsIn(wick: Wick): number {
  const conf = readFileSync(join(wick.runtimeDir, "nginx.conf"), "utf8")
  return new Set(conf.match(/location @location-\w+/g)).size
}

const plans = seeds.map(planned)
const isComplete = hasCorpus
;(isComplete ? write : print)({
  name: "named-locations",
  title: "Named locations, and changes that reload",
  method: `What nginx can only take from its configuration is a named location; equal ones are one, and only a new one reloads. Ingresses that people have
published, and ${generated} generated ones with their frequencies of annotations, without snippets and without annotations that have no effect so far.
Changes: ${changes} after each other, of 100 of them 70 of endpoints, 10 Ingresses added, 8 deleted, 9 annotations changed, 3 hosts added; planned by
the controller's own planner, and once done to a wick that runs with ${real} Ingresses.`,
  columns: ["Ingresses", "how many", "locations", `reloads in ${changes} changes`, "of changes"],
  rows: [...corpusRows(), ...plans, await measured(1)],
  remarks: [
    "Targets: at most 12 locations for Ingresses of applications without a snippet, and at most one reload in 1000 changes. What makes a location is " +
      "the protocol, lists of intercepted codes, switches of rewritten cookies and redirects, mirrors and TLS towards backends, and what is combined " +
      "of these; values that differ from one application to the next are data. Lists of codes are drawn from five; more of them are more locations.",
  ],
})
