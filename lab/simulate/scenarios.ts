/** Generates traces: a minute of traffic for some endpoints to which something happens. Same seed, same trace. */
import { Random } from "../../harness/random.ts"
import type { Added, Arrival, Event, Fault, Faulty, Removed, Slowed, Trace } from "./trace.ts"

export interface Size {
  readonly seed: number
  readonly seconds: number
  /** Number of endpoints. */
  readonly endpoints: number
  /** Requests per second and endpoint. */
  readonly rate: number
}

/** What a scenario is made of. Times are shares of the whole (0 to 1). */
interface Scenario {
  readonly about: string
  readonly slots: number
  readonly queue: number
  readonly serviceMs: (random: Random) => number
  /** Times the rate, over time. */
  readonly surge?: (time: number) => number
  /** Where an endpoint is; not known if absent. */
  readonly zoneOf?: (endpoint: number) => "ours" | "another"
  /** What happens to the endpoints, which are numbered from 0; those from `endpoints` on are not there at first. */
  readonly happens?: (endpoints: number) => readonly Happening[]
}
interface Happening {
  readonly time: number
  readonly endpoint: number
  readonly what: Omit<Slowed, Common> | Omit<Faulty, Common> | { kind: "add" } | { kind: "remove" }
}
type Common = "at_ms" | "endpoint"

const MEAN_MS = 10
const usual = (random: Random) => random.logNormal(MEAN_MS, 0.6)
const slow = (time: number, endpoint: number, factor: number): Happening => ({
  time,
  endpoint,
  what: { kind: "slow", factor },
})
const fault = (time: number, endpoint: number, fault: Fault, share: number): Happening => ({
  time,
  endpoint,
  what: { kind: "fault", fault, share },
})

export const scenarios: Readonly<Record<string, Scenario>> = {
  steady: { about: "nothing happens", slots: 4, queue: 128, serviceMs: usual },
  "one-slow-endpoint": {
    about: "the first endpoint is ten times slower from one sixth of the time until two thirds",
    slots: 32,
    queue: 128,
    serviceMs: usual,
    happens: () => [slow(1 / 6, 0, 10), slow(2 / 3, 0, 1)],
  },
  flapping: {
    about:
      "the first endpoint refuses all connections for a part of every tenth; the second answers a third with errors",
    slots: 16,
    queue: 128,
    serviceMs: usual,
    happens: () => [
      fault(0, 1, "error", 1 / 3),
      ...Array.from({ length: 10 }, (_, i) => [
        fault((i + 0.5) / 10, 0, "refuse", 1),
        fault((i + 0.9) / 10, 0, "refuse", 0),
      ]).flat(),
    ],
  },
  "rolling-update": {
    about: "one after the other is replaced by a new one, which is five times slower at first",
    slots: 16,
    queue: 128,
    serviceMs: usual,
    happens: (endpoints) => Array.from({ length: endpoints }, (_, i) => replace(i, endpoints)).flat(),
  },
  burst: {
    about: "in every tenth comes a burst of two and a half times the rate",
    slots: 4,
    queue: 128,
    serviceMs: usual,
    surge: (time) => ((time * 10) % 1 < 0.15 ? 2.5 : 0.8),
  },
  "two-zones": {
    about:
      "every third endpoint is in our zone, the others in another; in the middle third comes more than twice the rate",
    slots: 4,
    queue: 128,
    serviceMs: usual,
    surge: (time) => (time > 1 / 3 && time < 2 / 3 ? 1.6 : 0.7),
    zoneOf: (endpoint) => (endpoint % 3 === 0 ? "ours" : "another"),
  },
  "heavy-tail": {
    about: "a few requests take a hundred times longer than the others",
    slots: 8,
    queue: 256,
    serviceMs: (random) => random.pareto(MEAN_MS, 1.5, 200 * MEAN_MS),
  },
}

/** The new one comes, warms up, and the old one goes. */
function replace(old: number, endpoints: number): readonly Happening[] {
  const [begin, step] = [(old + 0.5) / (endpoints + 1), 1 / (endpoints + 1)]
  const added = endpoints + old
  return [
    { time: begin, endpoint: added, what: { kind: "add" } },
    slow(begin, added, 5),
    { time: begin + step / 4, endpoint: old, what: { kind: "remove" } },
    slow(begin + step, added, 1),
  ]
}

/** @throws Error for a scenario that is unknown */
export function generate(name: string, size: Size): Trace {
  const scenario = scenarios[name]
  if (!scenario) {
    throw new Error(`There is no scenario "${name}": choose one of ${Object.keys(scenarios).join(", ")}`)
  }
  const events = [...beginning(scenario, size), ...happenings(scenario, size), ...arrivals(scenario, size)]
  return {
    head: { kind: "trace", version: 1, name, timeout_ms: 5000, tries: 3 },
    events: events.toSorted((a, b) => a.at_ms - b.at_ms),
  }
}

const nameOf = (endpoint: number) => `10.0.${endpoint >> 8}.${endpoint & 255}:8080`

function beginning(scenario: Scenario, { endpoints }: Size): Event[] {
  return Array.from({ length: endpoints }, (_, i) => added(scenario, 0, i))
}

function added({ slots, queue, zoneOf }: Scenario, at_ms: number, endpoint: number): Added {
  const zone = zoneOf && { zone: zoneOf(endpoint) }
  return { kind: "add", at_ms, endpoint: nameOf(endpoint), weight: 1, slots, queue, ...zone }
}

function happenings(scenario: Scenario, { endpoints, seconds }: Size): Event[] {
  const all = scenario.happens?.(endpoints) ?? []
  return all.map(({ time, endpoint, what }) => {
    const at_ms = microseconds(time * seconds * 1000)
    if (what.kind === "add") return added(scenario, at_ms, endpoint)
    return { ...what, at_ms, endpoint: nameOf(endpoint) } as Removed | Slowed | Faulty
  })
}

const CLIENTS = 2000
const URIS = 1000

/** Arrivals are independent of each other: exponential gaps. */
function arrivals(scenario: Scenario, { seed, seconds, endpoints, rate }: Size): Arrival[] {
  const random = new Random(seed)
  const events: Arrival[] = []
  let now = 0
  while (true) {
    const surge = scenario.surge?.(now / seconds) ?? 1
    now += random.exponential(1 / (rate * endpoints * surge))
    if (now >= seconds) return events
    events.push({
      kind: "request",
      at_ms: microseconds(now * 1000),
      service_ms: microseconds(scenario.serviceMs(random)),
      client: random.below(CLIENTS),
      uri: `/item/${zipf(random)}`,
    })
  }
}

/** A few are asked for often, most rarely: the n-th one about 1/n as often as the first. */
function zipf(random: Random): number {
  return Math.floor(URIS ** random.next())
}

/** Milliseconds in whole microseconds. */
function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
