// Where the time goes from a change to traffic with 10,000 applications: waiting for its turn, facts, translation, plan, post, and the collections of
// garbage that fall into each. Without a cluster: a directory of manifests. Writes bench/results/change-stages.md; takes about two minutes.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import type { Stage } from "../controller/support/stages.ts"
import { startBackends } from "../harness/backends.ts"
import { ask } from "../harness/http.ts"
import { ingress, ingressClass, listOf, manifest, service, slice } from "../harness/manifests.ts"
import { signal } from "../harness/processes.ts"
import { write } from "../harness/report.ts"
import { largest, quantile } from "../harness/statistics.ts"
import { until } from "../harness/until.ts"
import type { Wick } from "../harness/wick.ts"
import { peakBytes, privateBytes, processNanoseconds } from "./support/cpu.ts"
import { startImage } from "./support/image.ts"
import type { Collection, Noted, Passed } from "./support/stages.ts"

const applications = 10_000
const endpointsEach = 10
const changes = 300
const mebibyte = 2 ** 20

const stages: readonly Stage[] = [
  "came",
  "begun",
  "facts",
  "translated",
  "planned",
  "served",
  "posted",
  "ended",
]

const spans: readonly (readonly [string, Stage, Stage])[] = [
  ["waits for its pass", "came", "begun"],
  ["settings and facts", "begun", "facts"],
  ["translation", "facts", "translated"],
  ["plan", "translated", "planned"],
  ["post, worker included", "planned", "served"],
  ["**until traffic**", "came", "served"],
  ["zones and patterns are looked at", "served", "posted"],
  ["what is told after that", "posted", "ended"],
]

const dir = mkdtempSync(join(tmpdir(), "wick-bench-"))
const file = join(dir, "stages")
await using backends = await startBackends("one", "two")
await using wick = await startImage({
  manifests: manifests(),
  timeoutMs: 180_000,
  preload: "stages.js",
  env: { WICK_STAGES: file },
})
await until("the first answer", () => answers(wick, backends[1]?.name))
const start = { cpuSeconds: processNanoseconds(wick.pid) / 1e9, peak: peakBytes(wick.pid) }
for (let n = 0; n < changes / 3; n += 1) await change(n) // until everything is compiled
signal(wick.pid, "SIGWINCH")
for (let n = 0; n < changes; n += 1) await change(n)
const ownBytes = privateBytes(wick.pid)
report(await noted())
rmSync(dir, { recursive: true })

/** The stages of one change, in order. */
type Passage = readonly Passed[]

/** Swings the only endpoint of web.test between two servers. */
async function change(n: number): Promise<void> {
  wick.write("web-endpoints.yaml", webFile(n % 2))
  await until("the other endpoint", () => answers(wick, backends[n % 2]?.name))
}

async function answers({ port }: Wick, name: string | undefined): Promise<boolean> {
  return (await ask({ port }, { host: "web.test" })).body === name
}

function webFile(which: number): string {
  return manifest(service("bench/web"), slice("bench/web", ["127.0.0.1"], backends[which]?.port ?? 0))
}

function manifests(): Record<string, string> {
  const files: Record<string, string> = {
    "class.yaml": manifest(ingressClass),
    "web.yaml": manifest(ingress("bench/web", "web.test/ → web:80")),
    "web-endpoints.yaml": webFile(1),
  }
  for (let from = 0; from < applications; from += 100)
    files[`many-${from}.json`] = listOf(Array.from({ length: 100 }, (_, at) => objectsOf(from + at)).flat())
  return files
}

function objectsOf(n: number) {
  const addresses = Array.from(
    { length: endpointsEach },
    (_, at) => `127.${1 + (n >> 8)}.${n & 255}.${1 + at}`,
  )
  const name = `bench/service-${n}`
  return [
    service(name),
    slice(name, addresses, 8080),
    ingress(`bench/ingress-${n}`, `host-${n}.test/ → service-${n}:80`),
  ]
}

function noted(): Promise<Noted> {
  signal(wick.pid, "SIGCONT")
  return until("word from inside of the controller", () => {
    try {
      return JSON.parse(readFileSync(file, "utf8")) as Noted
    } catch {
      return undefined
    }
  })
}

/** Each begins with what came, and has all stages. */
function passagesIn(reached: readonly Passed[]): Passage[] {
  const starts = reached.flatMap(({ stage }, at) => (stage === "came" ? [at] : []))
  const passages = starts.map((from, nth) => reached.slice(from, starts[nth + 1]))
  return passages.filter((passage) => stages.every((stage) => passage.some((one) => one.stage === stage)))
}

function report({ reached, collections, heapBytes, rssBytes }: Noted): void {
  const passages = passagesIn(reached)
  const rows = spans.map(([title, from, to]) => row(title, passages, from, to, collections))
  write({
    name: "change-stages",
    title: "Where a change's time goes",
    method: `wick as in its image, with a directory of manifests and nginx with as many workers as cores; ${applications} applications (Ingress, Service, EndpointSlice with ${endpointsEach} endpoints). The only endpoint of one more host is another server, ${changes} times, one after the other. Milliseconds in the controller, as it tells them itself (controller/support/stages.ts); collections of garbage are those that stop everything. Processor time is of the controller's main thread, counted in steps of some milliseconds.`,
    columns: [
      "stage",
      "p50, ms",
      "p99, ms",
      "max, ms",
      "processor time: p50, ms",
      "p99, ms",
      "collections: p99, ms",
      "changes with a major one, %",
    ],
    rows,
    remarks: [
      `Start: ${start.cpuSeconds.toFixed(1)} s of processor time until the first 200, at most ${mib(start.peak)} MiB resident. After the changes: heap ${mib(heapBytes)} MiB after a collection; before it ${mib(rssBytes)} MiB resident, ${mib(ownBytes)} of its own.`,
      kindsOf(collections),
      `Load of the machine when it ended: ${loadavg()[0]?.toFixed(1)}.`,
    ],
  })
}

function row(
  title: string,
  passages: readonly Passage[],
  from: Stage,
  to: Stage,
  collections: readonly Collection[],
): (string | number)[] {
  const ends = passages.map((passage) => [at(passage, from), at(passage, to)] as const)
  const times = ends.map(([begin, end]) => [begin.atMs, end.atMs] as const)
  const cpu = ends.map(([begin, end]) => end.cpuMs - begin.cpuMs)
  const stopped = times.map(([begin, end]) => collections.filter(({ atMs }) => atMs >= begin && atMs < end))
  const lasted = times.map(([begin, end]) => end - begin)
  const collecting = stopped.map((all) => all.reduce((sum, { ms }) => sum + ms, 0))
  const majors = stopped.filter((all) => all.some(({ kind }) => kind === "major")).length
  const cells = [
    ...[quantile(lasted, 0.5), quantile(lasted, 0.99), largest(lasted)],
    ...[quantile(cpu, 0.5), quantile(cpu, 0.99), quantile(collecting, 0.99)],
  ]
  return [title, ...cells.map((ms) => ms.toFixed(2)), ((100 * majors) / times.length).toFixed(1)]
}

function at(passage: Passage, stage: Stage): Passed {
  return passage.find((one) => one.stage === stage) ?? { stage, atMs: Number.NaN, cpuMs: Number.NaN }
}

function kindsOf(collections: readonly Collection[]): string {
  const kinds = Map.groupBy(collections, ({ kind }) => kind)
  const told = [...kinds].map(([kind, all]) => {
    const times = all.map(({ ms }) => ms)
    return `${all.length} ${kind} (median ${quantile(times, 0.5).toFixed(1)} ms, longest ${largest(times).toFixed(1)} ms)`
  })
  return `Collections: ${told.join(", ")}.`
}

function mib(bytes: number): string {
  return (bytes / mebibyte).toFixed(0)
}
