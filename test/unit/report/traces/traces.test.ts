import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { FinishedSpan } from "../../../../controller/model/span.ts"
import type { SpanExport } from "../../../../controller/model/span-export.ts"
import { Traces } from "../../../../controller/report/traces/traces.ts"

const span = { kind: "request" } as FinishedSpan

const settings: SpanExport = {
  collectorHost: "collector.test",
  collectorPort: 4317,
  collectorTls: undefined,
  serviceName: "nginx",
  scheduleDelayMs: 5000,
  maxBatchSize: 10,
}

/** A ring, of which a page has four spans. */
class FakeRing {
  waiting = 0
  dropped = 0
  isAway = false
  taken = 0

  async look() {
    if (this.isAway) throw new Error("away")
    return this.#page(Math.min(this.waiting, 1))
  }
  async page() {
    return this.#page(Math.min(this.waiting, 4))
  }
  async take({ spans }: { spans: readonly FinishedSpan[] }) {
    this.waiting -= spans.length
    this.taken += spans.length
  }
  #page(count: number) {
    const { waiting, dropped } = this
    return { mark: "", spans: Array(count).fill(span), waiting, dropped, recorded: this.taken + waiting }
  }
}

let ring: FakeRing
let stop: AbortController
let traces: Traces
let sent: number[]
let connected: SpanExport[]
let failure: string | undefined
let connectFailure: string | undefined
let lines: string[]

const make = (hasEndpoint = false) =>
  new Traces({
    source: ring,
    environment: { protocol: "grpc", hasEndpoint },
    connect: async (settings) => {
      connected.push(settings)
      if (connectFailure !== undefined) throw new Error(connectFailure)
      return {
        send: async (spans) => {
          sent.push(spans.length)
          return failure
        },
        close: async () => {},
      }
    },
    log: {
      info: (_: unknown, line = _) => lines.push(String(line)),
      warn: (_: unknown, line = _) => lines.push(String(line)),
    } as never,
    signal: stop.signal,
  })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  ring = new FakeRing()
  stop = new AbortController()
  sent = []
  connected = []
  lines = []
  failure = connectFailure = undefined
  traces = make()
})
afterEach(() => {
  stop.abort()
  vi.useRealTimers()
})

test("a batch goes as soon as it is seen, fewer spans after the delay", async () => {
  await vi.advanceTimersByTimeAsync(10_000)
  traces.configure(settings, () => true)
  await vi.advanceTimersByTimeAsync(500) // the first time it is due
  ring.waiting = 3
  await vi.advanceTimersByTimeAsync(4000)
  expect(sent).toEqual([3])
  ring.waiting = 9
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([3])
  ring.waiting = 12
  await vi.advanceTimersByTimeAsync(500)
  expect(sent).toEqual([3, 4, 4, 4])
})

test("no batch is larger than it may be", async () => {
  traces.configure({ ...settings, maxBatchSize: 3, scheduleDelayMs: 100 }, () => true)
  ring.waiting = 8
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([3, 1, 3, 1])
  expect(traces.counts).toMatchObject({ exported: 8, failed: 0 })
})

test("nothing is loaded or read where nothing is traced, or nobody takes spans", async () => {
  ring.waiting = 50
  traces.configure(settings, () => false)
  traces.configure({ ...settings, collectorHost: "" }, () => true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect([connected, sent, lines]).toEqual([[], [], []])
  const other = make(true)
  other.configure({ ...settings, collectorHost: "" }, () => true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(connected).toHaveLength(1)
})

test("what the collector does not take is counted, and said once", async () => {
  traces.configure({ ...settings, scheduleDelayMs: 100 }, () => true)
  failure = "it is away"
  ring.waiting = 8
  ring.dropped = 7
  await vi.advanceTimersByTimeAsync(1000)
  expect(traces.counts).toEqual({ recorded: 8, dropped: 7, exported: 0, failed: 8 })
  failure = undefined
  ring.waiting = 2
  await vi.advanceTimersByTimeAsync(1000)
  expect(traces.counts).toMatchObject({ exported: 2, failed: 8 })
  expect(lines).toEqual([
    "Exporting spans",
    "The collector does not take spans: they are dropped",
    "The collector takes spans again",
  ])
})

test("a collector that cannot be connected to takes no spans, which is said", async () => {
  traces.configure({ ...settings, scheduleDelayMs: 100 }, () => true)
  connectFailure = "no such certificate"
  ring.waiting = 8
  await vi.advanceTimersByTimeAsync(1000)
  expect(traces.counts).toMatchObject({ exported: 0, failed: 8 })
  connectFailure = undefined
  ring.waiting = 2
  await vi.advanceTimersByTimeAsync(1000)
  expect(traces.counts).toMatchObject({ exported: 2, failed: 8 })
  expect(lines[1]).toBe("The collector does not take spans: they are dropped")
})

test("without the TLS that is asked for nothing is sent; what nginx holds goes when there is some", async () => {
  const quick = { ...settings, scheduleDelayMs: 100 }
  traces.configure({ ...quick, collectorTls: "closed" }, () => true)
  ring.waiting = 4
  await vi.advanceTimersByTimeAsync(10_000)
  expect([connected, sent, lines]).toEqual([[], [], []])
  traces.configure({ ...quick, collectorTls: { authorities: "PEM" } }, () => true)
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([4])
  traces.configure({ ...quick, collectorTls: "closed" }, () => true)
  ring.waiting = 4
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent).toEqual([4])
})

test("what nginx holds while it does not answer is read when it does", async () => {
  traces.configure({ ...settings, scheduleDelayMs: 100 }, () => true)
  ring.waiting = 4
  ring.isAway = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([])
  ring.isAway = false
  await vi.advanceTimersByTimeAsync(200)
  expect(sent).toEqual([4])
})

test("another collector gets what comes from then on", async () => {
  traces.configure({ ...settings, scheduleDelayMs: 100 }, () => true)
  ring.waiting = 1
  await vi.advanceTimersByTimeAsync(200)
  traces.configure({ ...settings, scheduleDelayMs: 100 }, () => true)
  ring.waiting = 1
  await vi.advanceTimersByTimeAsync(200)
  expect(connected).toHaveLength(1)
  traces.configure({ ...settings, scheduleDelayMs: 100, collectorHost: "other.test" }, () => true)
  ring.waiting = 1
  await vi.advanceTimersByTimeAsync(300)
  expect(connected.map(({ collectorHost }) => collectorHost)).toEqual(["collector.test", "other.test"])
})

test("the last spans go when the controller stops, unless that takes long", async () => {
  traces.configure(settings, () => true)
  await vi.advanceTimersByTimeAsync(600)
  ring.waiting = 2
  stop.abort()
  await traces.stop()
  expect(sent).toEqual([2])
})
