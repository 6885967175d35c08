import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Cause } from "../../../../../controller/input/cluster/watch/observer.ts"
import { WatchReport } from "../../../../../controller/input/cluster/watch/report.ts"
import { watchMetrics } from "../../../../../controller/input/cluster/watch/watch-metrics.ts"
import type { Metrics } from "../../../../../controller/report/observe/metrics.ts"
import { newMetrics } from "../../../../support/measured-by.ts"

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

let lines: unknown[]
let metrics: Metrics
let watches: ReturnType<typeof watchMetrics>
let report: WatchReport

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  metrics = newMetrics()
  watches = watchMetrics(metrics.declare)
  report = reportOf({ title: "EndpointSlices", isRequired: true })
})
afterEach(() => {
  report.close()
  vi.useRealTimers()
})

function reportOf(watched: { readonly title: string; readonly isRequired: boolean }): WatchReport {
  const write = (fields: unknown, message?: string) => lines.push([message, fields])
  return new WatchReport(watched, { warn: write, info: write }, watches)
}

/** The values of a metric, by their first labels. */
async function valuesOf(name: string): Promise<Readonly<Record<string, number>>> {
  const text = Buffer.from(await metrics.own("text")).toString()
  const found = [...text.matchAll(new RegExp(`^${name}{([^}]*),controller_class[^}]*} (.*)$`, "gm"))]
  return Object.fromEntries(found.map(([, labels, value]) => [labels, Number(value)]))
}

const fail = (cause: Cause = "unreachable", message = "connection refused") => report.failed(cause, message)
const resource = 'resource="EndpointSlices"'
const troubled = async () => (await valuesOf("wick_watch_troubled"))[resource]

describe("In the log", () => {
  test("trouble has one line when it begins, with the time since the last contact, and one when it is over", async () => {
    report.contact()
    report.listed()
    await pass(37_000)
    for (let i = 0; i < 20; i += 1) {
      fail()
      await pass(1000)
    }
    expect(lines).toEqual([
      [
        "Cannot watch: the last known state is served",
        { object: "EndpointSlices", detail: "connection refused", noContactSeconds: 39 },
      ],
    ])
    expect(await troubled()).toBe(1)
    report.contact()
    await pass(10_000)
    expect(lines.slice(1)).toEqual([["Watch works again", { object: "EndpointSlices", troubleSeconds: 30 }]])
    expect(await troubled()).toBe(0)
  })

  test("before the first list it says that nothing is served", () => {
    fail("denied", "endpointslices is forbidden")
    expect(lines).toEqual([
      [
        "Cannot watch: nothing is served before it is listed",
        { object: "EndpointSlices", detail: "endpointslices is forbidden", noContactSeconds: 0 },
      ],
    ])
  })

  test("what can be done without holds up nothing", () => {
    reportOf({ title: "Nodes", isRequired: false }).failed("denied", "nodes is forbidden")
    expect(lines).toMatchObject([["Cannot watch: what depends on it is left out", { object: "Nodes" }]])
  })

  test("what happens now and then has no line", async () => {
    for (let i = 0; i < 20; i += 1) {
      fail("cut")
      fail("expired")
      report.contact()
      report.listed()
      await pass(10_000)
      fail("denied")
      report.contact()
      await pass(10_000)
    }
    expect(lines).toEqual([])
  })

  test("a server that answers and fails again and again has one line", async () => {
    for (let i = 0; i < 20; i += 1) {
      report.contact()
      await pass(5000)
      fail("cut")
    }
    expect(lines).toHaveLength(1)
  })
})

test("metrics count lists and failures, and say how old the last contact is", async () => {
  report.contact()
  report.listed()
  fail()
  fail()
  fail("expired")
  await pass(42_000)
  expect(await valuesOf("wick_watch_lists_total")).toEqual({ [resource]: 1 })
  expect(await valuesOf("wick_watch_failures_total")).toEqual({
    [`${resource},cause="unreachable"`]: 2,
    [`${resource},cause="expired"`]: 1,
  })
  expect(await valuesOf("wick_watch_contact_age_seconds")).toEqual({ [resource]: 42 })
  report.contact()
  expect(await valuesOf("wick_watch_contact_age_seconds")).toEqual({ [resource]: 0 })
})
