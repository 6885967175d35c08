/**
 * Traces: JSON lines, in the order of time. The first line tells what holds for all of it, each further one is an event.
 * Times are milliseconds; an endpoint is called as clients write it, `10.0.0.1:8080` or `[2001:db8::1]:8080`.
 */

/** The first line. */
export interface Head {
  readonly kind: "trace"
  readonly version: 1
  readonly name: string
  /** An attempt without an answer for so long has failed. */
  readonly timeout_ms: number
  /** Attempts that a request may have. */
  readonly tries: number
}

/** An endpoint joins: a server that works on `slots` requests at a time, lets `queue` more wait, and refuses the rest. */
export interface Added {
  readonly kind: "add"
  readonly at_ms: number
  readonly endpoint: string
  readonly weight: number
  readonly slots: number
  readonly queue: number
  /** Where it is, seen from the proxy; not known if absent. */
  readonly zone?: "ours" | "another"
}

/** It is listed no longer, and finishes what it has. */
export interface Removed {
  readonly kind: "remove"
  readonly at_ms: number
  readonly endpoint: string
}

/** From now on its service times are multiplied by `factor`. */
export interface Slowed {
  readonly kind: "slow"
  readonly at_ms: number
  readonly endpoint: string
  readonly factor: number
}

export const faults = ["refuse", "hang", "error"] as const
/** `refuse`: no connection. `hang`: no answer until the timeout. `error`: at once an answer that counts as failed. */
export type Fault = (typeof faults)[number]

/** From now on this share (0 to 1) of the attempts at it meets the fault; 0 ends it. */
export interface Faulty {
  readonly kind: "fault"
  readonly at_ms: number
  readonly endpoint: string
  readonly fault: Fault
  readonly share: number
}

/** A client's request: the work of `service_ms` at an endpoint that is not slowed. */
export interface Arrival {
  readonly kind: "request"
  readonly at_ms: number
  readonly service_ms: number
  /** Clients keep their cookies. */
  readonly client: number
  readonly uri: string
}

export type Event = Added | Removed | Slowed | Faulty | Arrival

export interface Trace {
  readonly head: Head
  readonly events: readonly Event[]
}

/** The text of a trace. */
export function print({ head, events }: Trace): string {
  return [head, ...events].map((line) => `${JSON.stringify(line)}\n`).join("")
}

/** @throws Error with one sentence that names the line */
export function parse(text: string): Trace {
  const lines = text.split("\n")
  if (lines.at(-1) === "") lines.pop()
  const check = new Check()
  const head = check.head(lines[0] ?? "")
  const events = lines.slice(1).map((line, i) => check.event(line, i + 2))
  return { head, events }
}

type Fields = Record<string, unknown>
/** What a field must be, in words, and the test of it. */
interface Kind {
  readonly must: string
  readonly test: (value: unknown) => boolean
}

const number = (min: number, max: number): Kind => ({
  must: `a number from ${min} to ${max}`,
  test: (value) => typeof value === "number" && value >= min && value <= max,
})
const whole = (min: number, max: number): Kind => ({
  must: `a whole number from ${min} to ${max}`,
  test: (value) => Number.isInteger(value) && number(min, max).test(value),
})
const oneOf = (values: readonly unknown[]): Kind => ({
  must: `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
  test: (value) => values.includes(value),
})
const maybe = ({ must, test }: Kind): Kind => ({ must, test: (value) => value === undefined || test(value) })
const text: Kind = {
  must: "a text of 1 to 2000 characters",
  test: (value) => typeof value === "string" && value.length > 0 && value.length <= 2000,
}
const endpoint: Kind = {
  must: 'an endpoint such as "10.0.0.1:8080"',
  test: (value) => typeof value === "string" && /^(\[[0-9a-f:.]+\]|[0-9.]+):\d{1,5}$/.test(value),
}

/** A day in milliseconds: virtual time stays exact far beyond it. */
const DAY_MS = 86_400_000
const at_ms = number(0, DAY_MS)

const headFields: Record<string, Kind> = {
  kind: oneOf(["trace"]),
  version: oneOf([1]),
  name: text,
  timeout_ms: number(1, DAY_MS),
  tries: whole(1, 16),
}
const eventFields: Record<Event["kind"], Record<string, Kind>> = {
  add: {
    at_ms,
    endpoint,
    weight: whole(1, 100),
    slots: whole(1, 1_000_000),
    queue: whole(0, 1_000_000),
    zone: maybe(oneOf(["ours", "another"])),
  },
  remove: { at_ms, endpoint },
  slow: { at_ms, endpoint, factor: number(0.001, 1_000_000) },
  fault: { at_ms, endpoint, fault: oneOf(faults), share: number(0, 1) },
  request: { at_ms, service_ms: number(0, DAY_MS), client: whole(0, 2 ** 32 - 1), uri: text },
}

/** Reads line after line, and knows what has to hold between them. */
class Check {
  #lastMs = 0
  readonly #listed = new Set<string>()
  /** Endpoints that were there and are not: their servers may still finish something. */
  readonly #known = new Set<string>()

  head(line: string): Head {
    const fields = objectOf(line, 1)
    checkFields(fields, headFields, 1)
    return fields as unknown as Head
  }

  event(line: string, number: number): Event {
    const fields = objectOf(line, number)
    const kinds = eventFields[fields.kind as Event["kind"]]
    if (!kinds) throw wrong(number, `"kind" must be ${oneOf(Object.keys(eventFields)).must}`)
    checkFields(fields, { kind: oneOf([fields.kind]), ...kinds }, number)
    const event = fields as unknown as Event
    if (event.at_ms < this.#lastMs)
      throw wrong(number, `"at_ms" is before that of the line before, ${this.#lastMs}`)
    this.#lastMs = event.at_ms
    this.#follow(event, number)
    return event
  }

  /** Only what is listed can be removed; only what was ever listed can be slow or fail. */
  #follow(event: Event, number: number): void {
    if (event.kind === "request") return
    const { endpoint } = event
    if (event.kind === "add") {
      if (this.#listed.has(endpoint)) throw wrong(number, `${endpoint} is there already`)
      this.#listed.add(endpoint)
      this.#known.add(endpoint)
    } else if (event.kind === "remove" ? !this.#listed.delete(endpoint) : !this.#known.has(endpoint)) {
      throw wrong(number, `${endpoint} is not there`)
    }
  }
}

function objectOf(line: string, number: number): Fields {
  const value = jsonOf(line, number)
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong(number, "it is not a JSON object")
  }
  return value as Fields
}

function jsonOf(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw wrong(number, "it is not JSON")
  }
}

function checkFields(fields: Fields, kinds: Record<string, Kind>, number: number): void {
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(kinds, name))
  if (unknown !== undefined) throw wrong(number, `the field "${unknown}" is unknown`)
  for (const [name, { must, test }] of Object.entries(kinds)) {
    if (!test(fields[name])) throw wrong(number, `"${name}" must be ${must}`)
  }
}

const wrong = (number: number, reason: string) =>
  new Error(`Cannot read line ${number} of the trace: ${reason}`)
