// The simulator against what is known: queueing theory, and traces whose outcome follows by hand.
import { expect, test } from "vitest"
import { Random } from "../../harness/random.ts"
import { measure } from "../../lab/simulate/result.ts"
import { generate } from "../../lab/simulate/scenarios.ts"
import type { Added, Arrival, Event, Trace } from "../../lab/simulate/trace.ts"

const options = { seed: 1, workers: 4 }

const trace = (...events: readonly Event[]): Trace => traceOf(events)
const traceOf = (events: readonly Event[]): Trace => ({
  head: { kind: "trace", version: 1, name: "test", timeout_ms: 1000, tries: 3 },
  events: events.toSorted((a, b) => a.at_ms - b.at_ms),
})
const add = (number: number, more: Partial<Added> = {}): Added => ({
  kind: "add",
  at_ms: 0,
  endpoint: `10.0.0.${number}:80`,
  weight: 1,
  slots: 1,
  queue: 1_000_000,
  ...more,
})
const request = (at_ms: number, service_ms: number, more: Partial<Arrival> = {}): Arrival => ({
  kind: "request",
  at_ms,
  service_ms,
  client: 0,
  uri: "/",
  ...more,
})

/** Independent arrivals, so that `load` of the slots are busy on average. */
function arrivals(
  count: number,
  load: number,
  slots: number,
  serviceMs: (random: Random) => number,
): Arrival[] {
  const random = new Random(7)
  let now = 0
  return Array.from({ length: count }, () => {
    now += random.exponential(10 / (load * slots))
    return request(now, serviceMs(random))
  })
}

/** Erlang's C: the probability that a job has to wait at `slots` slots. */
function erlangC(slots: number, load: number): number {
  const offered = slots * load
  let [term, sum] = [1, 0]
  for (let i = 0; i < slots; i++) {
    sum += term
    term *= offered / (i + 1)
  }
  return term / (1 - load) / (sum + term / (1 - load))
}

test("M/D/1: the mean wait is load / (2 (1 − load)) service times", () => {
  const result = measure(traceOf([add(1), ...arrivals(200_000, 0.7, 1, () => 10)]), "round_robin", options)
  expect(result.queue.meanMs / (10 * (0.7 / 2 / 0.3))).toBeCloseTo(1, 1)
  expect(result.endpoints[0]?.busy).toBeCloseTo(0.7, 1)
})

test("M/M/4: the mean wait is Erlang's C / (slots (1 − load)) service times", () => {
  const served = (random: Random) => random.exponential(10)
  const result = measure(
    traceOf([add(1, { slots: 4 }), ...arrivals(200_000, 0.8, 4, served)]),
    "round_robin",
    options,
  )
  expect(result.queue.meanMs / ((10 * erlangC(4, 0.8)) / (4 * 0.2))).toBeCloseTo(1, 1)
})

test("latency is waiting and work", () => {
  const { latencyMs, queue } = measure(trace(add(1), request(0, 10), request(4, 10)), "round_robin", options)
  expect(latencyMs).toMatchObject({ p50: 10, max: 16, mean: 13 })
  expect(queue).toEqual({ meanMs: 3, longest: 1 })
})

test("a slow endpoint takes longer for what begins then", () => {
  const slow: Event = { kind: "slow", at_ms: 5, endpoint: "10.0.0.1:80", factor: 10 }
  const { latencyMs } = measure(trace(add(1), request(0, 10), slow, request(10, 10)), "round_robin", options)
  expect(latencyMs).toMatchObject({ p50: 10, max: 100 })
})

test("a refused attempt is tried elsewhere", () => {
  const refuse: Event = { kind: "fault", at_ms: 0, endpoint: "10.0.0.1:80", fault: "refuse", share: 1 }
  const requests = Array.from({ length: 100 }, (_, i) => request(100 * i, 1))
  const result = measure(trace(add(1), add(2), refuse, ...requests), "round_robin", options)
  expect(result.failed).toBe(0)
  expect(result.retries).toBe(result.failures.noConnection)
  expect(result.retries).toBeGreaterThan(30)
  expect(result.latencyMs.max).toBeCloseTo(1.2)
})

test("who hangs costs the timeout; who fails in all tries has no answer", () => {
  const hang: Event = { kind: "fault", at_ms: 0, endpoint: "10.0.0.1:80", fault: "hang", share: 1 }
  const result = measure(trace(add(1), hang, request(0, 1)), "round_robin", options)
  expect(result).toMatchObject({ failed: 1, retries: 2, failures: { noHead: 3, noConnection: 0 } })
})

test("a full queue refuses; nobody's turn is given to who does not wait any more", () => {
  const full = measure(
    trace(add(1, { queue: 1 }), ...[0, 0, 0].map(() => request(0, 10))),
    "round_robin",
    options,
  )
  expect(full).toMatchObject({ failed: 1, failures: { noConnection: 3 } })
  const late = measure(
    trace(add(1), request(0, 1500), request(1, 1), request(2000, 1)),
    "round_robin",
    options,
  )
  expect(late.failures.noHead).toBeGreaterThan(0)
  expect(late.requests).toBe(3)
})

test("without endpoints every request fails at once", () => {
  const { failed, requests, retries } = measure(trace(request(0, 1), request(1, 1)), "round_robin", options)
  expect({ failed, requests, retries }).toEqual({ failed: 2, requests: 2, retries: 0 })
})

test("an endpoint that comes is used, one that went is not", () => {
  const requests = Array.from({ length: 1000 }, (_, i) => request(i, 0.5))
  const leaves: Event = { kind: "remove", at_ms: 500, endpoint: "10.0.0.1:80" }
  const { overTime, failed } = measure(
    trace(add(1), add(2, { at_ms: 250 }), leaves, ...requests),
    "round_robin",
    options,
  )
  expect(failed).toBe(0)
  const [first, second] = [overTime.shares["10.0.0.1:80"], overTime.shares["10.0.0.2:80"]]
  expect(first?.slice(0, 14)).toEqual(Array(14).fill(1))
  expect(first?.[20]).toBeCloseTo(0.5, 1)
  expect(second?.slice(31)).toEqual(Array(29).fill(1))
})

test.each(["sticky_balanced", "sticky_persistent"])("%s: a client keeps its cookie, and stays", (policy) => {
  const endpoints = Array.from({ length: 10 }, (_, i) => add(i, { slots: 100 }))
  const requests = Array.from({ length: 100 }, (_, i) => request(i, 5))
  const used = measure(trace(...endpoints, ...requests), policy, options).endpoints.filter(
    ({ attempts }) => attempts > 0,
  )
  expect(used).toMatchObject([{ attempts: 100 }])
})

test("what one worker learns, the others know: least_conn evens out what is running", () => {
  const endpoints = Array.from({ length: 10 }, (_, i) => add(i, { slots: 10, queue: 0 }))
  // A hundred at once: no place is free but one for each.
  const requests = Array.from({ length: 100 }, (_, i) => request(i / 1000, 50))
  const { failures, queue } = measure(trace(...endpoints, ...requests), "least_conn", options)
  expect(failures.noConnection).toBe(0)
  expect(queue.longest).toBe(0)
})

test("settings of a policy have effect: ejection spares retries, slow start spares the new endpoints", () => {
  const size = { seed: 1, seconds: 10, endpoints: 10, rate: 100 }
  const flapping = generate("flapping", size)
  const retries = (policy: string) => measure(flapping, policy, options).retries
  expect(retries("least_conn+outlier-ejection=5/1000")).toBeLessThan(retries("least_conn") / 2)
  const rolling = generate("rolling-update", size)
  const p99 = (policy: string) => measure(rolling, policy, options).latencyMs.p99
  expect(p99("round_robin+slow-start=2000")).toBeLessThan(0.8 * p99("round_robin"))
})
