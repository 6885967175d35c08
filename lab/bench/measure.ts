// One measurement in a process of its own, so that neither compiled code nor memory of another one is in the way. main.ts
// calls it: `measure.ts WHAT SUBJECT ENDPOINTS PICKS` prints JSON.
import { median, quantile } from "../../harness/statistics.ts"
import { Host } from "../host/host.ts"
import { requestProperties } from "../simulate/policies.ts"
import { type Call, emptyCallback } from "./empty.ts"
import { BACKEND, type Endpoint, endpoints, milliseconds, Rig, type Took } from "./rig.ts"
import { ENOUGH_PICKS, type Subject, subjectNamed } from "./subjects.ts"

const ROUNDS = 5

export interface Measurements {
  /** Rounds of `picks` picks each. */
  readonly picks: readonly Took[]
  /** The same with the empty filter: what of it is the host's. */
  readonly host: readonly Took[]
  /** Nanoseconds from a changed record to the next endpoint, the median of each round. */
  readonly update: readonly number[]
  /** Bytes of the instance's memory for each endpoint. */
  readonly memory: number
  readonly spread: Spread
  readonly moved: Moved
  readonly control: Control
}

/** How evenly many picks fall. */
export interface Spread {
  readonly picks: number
  /** Picks of the endpoint that got most over the mean, minus 1. */
  readonly excess: number
  /** Sum of (count − mean)² / mean, per degree of freedom: about 1 of fair dice, less of a regular order, more of crowds. */
  readonly chiSquare: number
}

/** Share of the keys (0 to 1) that get another endpoint. */
export interface Moved {
  /** When one endpoint goes, and of them those whose own endpoint stayed. */
  readonly removed: number
  readonly removedNeedlessly: number
  /** When one comes, and of them those that went to another one than that. */
  readonly added: number
  readonly addedNeedlessly: number
}

/** What the control role takes; it has nothing to do with the algorithm. */
export interface Control {
  /** A pick after something else in the zone changed. */
  readonly noticeNs: number
  /** A posted change of as many backends of ten endpoints, or hosts of one route, as fit into its 1 MiB. */
  readonly backends: Posted
  readonly routes: Posted
}
interface Posted {
  readonly bytes: number
  readonly ns: number
}

type Measure<W extends keyof Measurements> = (
  subject: Subject,
  count: number,
  picks: number,
) => Measurements[W]

const measures: { readonly [W in keyof Measurements]: Measure<W> } = {
  picks: (subject, count, picks) => rounds(new Rig(subject, endpoints(count)), picks),
  host: (subject, count, picks) => rounds(emptyRig(subject, count), picks),
  update,
  memory,
  spread,
  moved,
  control,
}

function rounds(rig: Rig, picks: number): Took[] {
  rig.run(Math.min(ENOUGH_PICKS, picks))
  return Array.from({ length: ROUNDS }, () => rig.run(picks))
}

/** Picks until there is nothing unusual about the next one. */
const FIRST = 1000

/** With what the filter asks of its host for one pick, and nothing else. */
function emptyRig(subject: Subject, count: number): Rig {
  const calls: Call[] = []
  const rig = new Rig(subject, endpoints(count), (name, args) => calls.push({ name, args }))
  // The first ones read records, and what they will not read again soon.
  for (let i = 0; i < FIRST; i++) rig.pick(rig.next())
  calls.length = 0
  const ended = rig.select(rig.next())
  const select = emptyCallback(calls.splice(0), rig.host.imports)
  rig.host.info(ended)
  rig.callbacks = { select, info: emptyCallback(calls.splice(0), rig.host.imports) }
  return rig
}

/** The port of one endpoint changes and the next request comes: notice, reading, decoding, pick. The slots' bookkeeping is the host's
 * and left out. */
function update(subject: Subject, count: number, picks: number): number[] {
  const rig = new Rig(subject, endpoints(count))
  const records = [changed(count, 8080), changed(count, 8081)].map((list) => recordOf(rig, list))
  const bookkeeping = slotsTime(rig.host)
  const times = Math.max(15, Math.ceil(picks / 10 / count))
  const one = (i: number) => {
    const before = bookkeeping.ms
    const took = milliseconds(() => {
      rig.host.zone.write([{ key: `backends/${BACKEND}`, value: records[i % 2] ?? null, cas: 0 }])
      rig.host.tellChanges()
      rig.pick(rig.next())
    })
    return (took - (bookkeeping.ms - before)) * 1e6
  }
  return Array.from({ length: ROUNDS }, () => median(Array.from({ length: times }, (_, i) => one(i))))
}

/** The endpoint in the middle has this port. */
function changed(count: number, port: number): Endpoint[] {
  return endpoints(count).map((endpoint, i) => (i === count >> 1 ? { ...endpoint, port } : endpoint))
}

function recordOf(rig: Rig, list: readonly Endpoint[]): Uint8Array {
  rig.set([BACKEND], list)
  const entry = rig.host.zone.get(`backends/${BACKEND}`)
  if (!entry) throw new Error("The filter wrote no record")
  return entry.value
}

/** Milliseconds that the host spends in opening slots from now on. */
function slotsTime({ zone: { slots } }: Host): { readonly ms: number } {
  const time = { ms: 0 }
  const open = slots.open.bind(slots)
  slots.open = (key, ids) => {
    const begin = performance.now()
    const isOpen = open(key, ids)
    time.ms += performance.now() - begin
    return isOpen
  }
  return time
}

/** At least so many endpoints in as many backends as it takes: memory grows by pages of 64 KiB. */
const MEASURED_ENDPOINTS = 10_000
/** Backends in one change. */
const PART = 250

function memory(subject: Subject, count: number): number {
  const names = Array.from(
    { length: Math.ceil(MEASURED_ENDPOINTS / count) },
    (_, i) => `namespace-7-service-${i}-80`,
  )
  const poster = new Rig(subject, endpoints(1))
  for (let i = 0; i < names.length; i += PART) poster.set(names.slice(i, i + PART), endpoints(count))
  // An instance that only picks: what posting takes is not counted.
  const host = new Host(poster.host.zone, 0.5, requestProperties)
  const bytes = () => host.exports.memory.buffer.byteLength
  const before = bytes()
  for (const name of names) {
    host.setBackend(name)
    host.select([], 0, 0)
  }
  return (bytes() - before) / names.length / count
}

function spread(subject: Subject, count: number, picks: number): Spread {
  const rig = new Rig(subject, endpoints(count))
  const counts = new Map<number, number>()
  for (let i = 0; i < picks; i++) {
    const tag = rig.pick(rig.request(i))
    counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  const mean = picks / count
  const values = [...counts.values(), ...Array<number>(count - counts.size).fill(0)]
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { picks, excess: Math.max(...values) / mean - 1, chiSquare: squares / mean / Math.max(1, count - 1) }
}

function moved(subject: Subject, count: number, picks: number): Moved {
  const rig = new Rig(subject, endpoints(count))
  const requests = Array.from({ length: picks }, (_, i) => rig.request(i))
  const served = () =>
    requests.map((request) => new Set(Array.from({ length: subject.picksPerKey }, () => rig.pick(request))))
  const before = served()
  rig.set([BACKEND], endpoints(count).toSpliced(count >> 1, 1))
  const without = served()
  rig.set([BACKEND], endpoints(count + 1))
  const more = served()
  const [gone, come] = [missing(before, without), missing(more, before)]
  return {
    removed: share(before, without, () => true),
    removedNeedlessly: share(before, without, (i) => before[i]?.isDisjointFrom(gone) ?? false),
    added: share(before, more, () => true),
    addedNeedlessly: share(before, more, (i) => more[i]?.isDisjointFrom(come) ?? false),
  }
}

/** Endpoints by tag that each key may get. */
type Served = readonly ReadonlySet<number>[]

/** Those that no key gets in the other one. */
function missing(served: Served, other: Served): Set<number> {
  const all = (of: Served) => new Set(of.flatMap((tags) => [...tags]))
  return all(served).difference(all(other))
}

/** Share of the keys that are served differently and that count. */
function share(before: Served, after: Served, counts: (i: number) => boolean): number {
  const moved = before.filter(
    (tags, i) => tags.symmetricDifference(after[i] ?? new Set()).size > 0 && counts(i),
  )
  return moved.length / before.length
}

const MIB = 1 << 20

function control(subject: Subject, count: number, picks: number): Control {
  const rig = new Rig(subject, endpoints(count))
  const times = Math.max(3, Math.ceil(picks / 20_000))
  const noticeNs = nanoseconds(picks, () => {
    rig.host.zone.write([{ key: "backends/another", value: new Uint8Array(1), cas: 0 }])
    rig.host.tellChanges()
    rig.pick(rig.next())
  })
  const posted = (list: "backends" | "routes", item: (i: number) => object): Posted => {
    const length = Math.floor((MIB - 1000) / (JSON.stringify(item(10_000)).length + 1))
    const set = Array.from({ length }, (_, i) => item(i))
    const body = Buffer.from(JSON.stringify({ base: null, generation: "g", [list]: { set } }))
    return { bytes: body.length, ns: nanoseconds(times, () => rig.host.post(body)) }
  }
  return { noticeNs, backends: posted("backends", postedBackend), routes: posted("routes", postedHost) }
}

/** Nanoseconds that a call takes: nine of ten take longer, since long ones are interrupted now and then. */
function nanoseconds(times: number, call: () => void): number {
  return (
    quantile(
      Array.from({ length: times }, () => milliseconds(call)),
      0.1,
    ) * 1e6
  )
}

const nameOf = (i: number) => `namespace-${i % 100}-service-${i}-80`
const postedBackend = (i: number) => ({ name: nameOf(i), endpoints: endpoints(10) })
const postedHost = (i: number) => ({
  host: `host-${i}.example.test`,
  routes: [
    {
      path: "/",
      match: "prefix",
      location: "location-3f9a0c12",
      backend: nameOf(i),
      namespace: `namespace-${i % 100}`,
      ingress_name: `ingress-${i}`,
      service_name: `service-${i}`,
      service_port: "80",
      location_path: "/",
      overrides: { proxy_read_timeout_ms: 60000, client_max_body_size_bytes: 1048576 },
    },
  ],
})

function main([what = "", subject = "", count = "", picks = ""]: readonly string[]): void {
  const measure = measures[what as keyof Measurements]
  process.stdout.write(JSON.stringify(measure(subjectNamed(subject), Number(count), Number(picks))))
}

main(process.argv.slice(2))
