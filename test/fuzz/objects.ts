// Objects of users, damaged, through the whole of what the controller makes of them: `build/node test/fuzz/objects.ts SECONDS [SEED]`. They begin as
// the objects of the golden cases; those that reach code which none has reached before are kept and damaged further. A finding is an exception, a
// configuration that nginx could not read, a message that could forge lines of a log, another Ingress that is not served any more, or a question to the
// webhook without an answer. Ends with 1 and the objects when there is one.
import { join } from "node:path"
import { annotations } from "../../controller/core/annotations/table.ts"
import { keys } from "../../controller/core/options/key-table.ts"
import { liveChange } from "../../controller/core/plan/change.ts"
import { parseNginxSyntax } from "../../controller/core/snippets/syntax.ts"
import { emptyLive } from "../../controller/model/model.ts"
import { parseObject } from "../../controller/model/objects/parse.ts"
import { itemsOf } from "../../controller/output/control/wire.ts"
import { loadRender } from "../../controller/output/render/render.ts"
import { ingress, ingressClass, type Json, serviceOn } from "../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../harness/translation.ts"
import { cases, golden, objectsIn } from "../support/golden.ts"
import { hostile } from "../support/hostile.ts"
import { review, webhook } from "../unit/admission/reviews.ts"
import { site } from "../unit/output/render/site.ts"
import { startCoverage } from "./support/coverage.ts"
import { randomFrom } from "./support/random.ts"

const [seconds = 60, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)

/** Inputs between two looks at what was reached. */
const batch = 16
const maxKept = 20_000
/** Of this thread's processor time: whoever fuzzes beside other work waits for it. A pass over a handful of objects takes a few milliseconds. */
const maxMs = 5000

/** Served whatever the others say: an Ingress older than all of them. */
const neighbour = [
  { ...ingressClass, metadata: { name: "steady" } },
  ...serviceOn("steady/app", [8080]),
  ingress("steady/app", "steady.test/ → app:80"),
].map((object) =>
  object.kind === "Ingress"
    ? { ...object, spec: { ...(object.spec as Json), ingressClassName: "steady" } }
    : object,
)

const options = optionsOf(["--configmap=demo/settings", "--enable-ssl-passthrough"])
const render = loadRender()
const seeds = cases.map((name) => [
  ...objectsIn(join(golden, "base.yaml")),
  ...objectsIn(join(golden, name, "in.yaml")),
])
const kept = [...seeds]
const { admission } = webhook()

const { below, one } = randomFrom(seed)

const odd: readonly (() => unknown)[] = [
  () => null,
  () => "",
  () => -1,
  () => 65_536,
  () => 2 ** 53,
  () => 0.5,
  () => true,
  () => [],
  () => ({}),
  () => one(hostile),
  () => Object.values(one(annotations)).find((value) => typeof value === "string"),
]

/** The objects with one to four changes. */
function damaged(objects: readonly unknown[]): unknown[] {
  const copy = structuredClone(objects) as unknown[]
  for (let n = below(4); n >= 0; n -= 1) {
    const at = below(copy.length)
    const kind = below(12)
    if (kind === 0) copy.splice(at, 1)
    else if (kind === 1) copy.push(structuredClone(one(one(kept))))
    else if (kind < 5) annotate(copy[at])
    else copy[at] = changed(copy[at])
  }
  return copy
}

/** One value somewhere inside is another one. */
function changed(value: unknown): unknown {
  if (typeof value === "string" && below(3) > 0) return spoiled(value)
  if (typeof value !== "object" || value === null || below(12) === 0) return one(odd)()
  const entries = Object.entries(value)
  if (entries.length === 0) return one(odd)()
  const [name, inner] = one(entries)
  const kind = below(10)
  const rest = entries.filter(([other]) => other !== name)
  const made = kind === 0 ? rest : [...rest, [kind === 1 ? spoiled(name) : name, changed(inner)] as const]
  return Array.isArray(value) ? made.map(([, item]) => item) : Object.fromEntries(made)
}

function spoiled(text: string): string {
  const at = below(text.length + 1)
  const end = Math.min(text.length, at + below(6))
  return text.slice(0, at) + (below(4) === 0 ? "" : one(hostile)) + text.slice(end)
}

/** An annotation of an Ingress, or a key of a ConfigMap, with an example, an odd value, or what somebody else has there. */
function annotate(object: unknown): void {
  const { kind, metadata, data } = (object ?? {}) as Record<string, Record<string, unknown>>
  const isMap = String(kind) === "ConfigMap"
  const target = isMap ? data : (metadata?.annotations as Record<string, unknown> | undefined)
  const entry = one<{ readonly name: string; readonly example?: unknown }>(isMap ? keys : annotations)
  if (typeof target !== "object" || target === null) return
  const value = below(3) === 0 ? one(hostile) : String(entry.example ?? "")
  target[isMap ? entry.name : `nginx.ingress.kubernetes.io/${entry.name}`] =
    below(3) === 0 ? spoiled(value) : value
}

/** @throws Error when it is a finding */
function check(objects: readonly unknown[]): void {
  const startMs = workedMs()
  const changes = [...objects.filter(isRead), ...neighbour].flatMap((object) => changesOf(object, "fuzz"))
  const { model, problems } = translationOf(changes, options)
  parseNginxSyntax(render(model.fixed, site).text)
  for (const item of itemsOf(liveChange(emptyLive, model.live))) JSON.stringify(item)
  const forged = problems.find(({ message }) => /\p{Cc}/u.test(message))
  if (forged) throw new Error(`a message has a line or more: ${JSON.stringify(forged)}`)
  if (!JSON.stringify(model.live.hosts).includes('"steady.test"'))
    throw new Error("another Ingress is not served")
  for (const object of objects) {
    const { status } = admission.answer(review(object, { operation: "UPDATE", oldObject: one(objects) }))
    if (status !== 200) throw new Error(`the webhook answers ${status}`)
  }
  const tookMs = workedMs() - startMs
  if (tookMs > maxMs) throw new Error(`a pass took ${tookMs} ms of processor time`)
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function isRead(object: unknown): boolean {
  return parseObject(object, { origin: "fuzz", firstSeenMs: () => 0 }).kind !== "ignored"
}

const reached = await startCoverage()
const until = performance.now() + seconds * 1000
let count = 0
let places = 0
let saidMs = performance.now()
while (performance.now() < until) {
  const inputs = Array.from({ length: batch }, () => damaged(one(below(4) === 0 ? seeds : kept)))
  for (const input of inputs) {
    try {
      check(input)
    } catch (error) {
      process.stdout.write(
        `objects: ${(error as Error).stack}\nseed ${seed}, objects: ${JSON.stringify(input)}\n`,
      )
      process.exit(1)
    }
    count += 1
  }
  const more = await reached()
  places += more
  if (more > 0 && kept.length < maxKept) kept.push(...inputs)
  if (performance.now() - saidMs < 60_000) continue
  saidMs = performance.now()
  process.stdout.write(`objects: ${count} executions, ${places} places reached, ${kept.length} inputs kept\n`)
}
process.stdout.write(
  `objects: ${count} executions in ${seconds} s, seed ${seed}, ${places} places reached, ${kept.length} inputs kept, no finding\n`,
)
