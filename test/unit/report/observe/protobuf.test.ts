import { expect, test } from "vitest"
import { clusterMetrics } from "../../../../controller/input/cluster/cluster-metrics.ts"
import { eventMetrics } from "../../../../controller/output/plane/metrics/event-metrics.ts"
import { Metrics } from "../../../../controller/report/observe/metrics.ts"
import { printFamilies, printLabels } from "../../../../controller/report/observe/series.ts"
import { problemMetrics } from "../../../../controller/report/problems/problem-metrics.ts"
import { passMetrics } from "../../../../controller/sync/pass-metrics.ts"
import { reloadMetrics } from "../../../../controller/sync/reload-metrics.ts"
import { familiesIn, linesIn, linesOf } from "../../../../harness/metric-families.ts"

const identity = { controllerClass: "k8s.io/ingress-nginx", namespace: "ingress", pod: "wick-0" }

function metrics() {
  const all = new Metrics(identity, { release: "1", build: "b", repository: 'with "quotes"' }, true)
  const passes = passMetrics(all.declare)
  passes.passed(0.003)
  passes.passed(70)
  passes.changed("reload", [0])
  eventMetrics(all.declare).posted("applied", 0.001)
  reloadMetrics(all.declare).reloadedFor(["start", "http.tls.ciphers"])
  problemMetrics(all.declare)([{ code: "service-name-refused" }, { code: "service-name-refused" }])
  clusterMetrics(all.declare).leads("leader", false)
  return all
}

/** Of the process, which differs from one moment to the next. */
const isOurs = (line: string) => !/^(process|nodejs)_/.test(line)

async function together(pages: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const page of pages) all.push(page)
  return Buffer.concat(all)
}

test("the controller's own metrics are the same as in the text", async () => {
  const all = metrics()
  const text = linesIn(Buffer.from(await all.own("text")).toString())
  const families = familiesIn(await all.own("protobuf"))
  expect(linesOf(families).filter(isOurs)).toEqual(text.filter(isOurs))
  expect(text.filter(isOurs).length).toBeGreaterThan(30)
  const typeOf = (name: string) => families.find((family) => family.name === name)?.type
  expect(typeOf("wick_pass_duration_seconds")).toBe("HISTOGRAM")
  expect(typeOf("wick_problems")).toBe("GAUGE")
  expect(typeOf("wick_posts_total")).toBe("COUNTER")
  expect(typeOf("process_cpu_seconds_total")).toBe("COUNTER")
  expect(families.map(({ help }) => help)).not.toContain("")
})

test("a metric without series is no message", async () => {
  const families = familiesIn(await metrics().own("protobuf"))
  expect(families.filter(({ metric }) => !metric?.length)).toEqual([])
  expect(families.map(({ name }) => name)).not.toContain("wick_policy_rollbacks_total")
})

test("series of Ingresses and hosts are the same, in parts", async () => {
  const series = () =>
    Array.from({ length: 1000 }, (_, at) => [printLabels({ host: `${at}\\"\n` }), at / 2] as const)
  const families = () => [
    { name: "a", help: "One", series: series() },
    { name: "none", help: "None", series: [] },
    { name: "b", help: "Two", series: series() },
  ]
  const read = familiesIn(await together(printFamilies(families(), "protobuf")))
  expect(linesOf(read)).toEqual(linesIn((await together(printFamilies(families()))).toString()))
  expect(new Set(read.map(({ name, type }) => `${name} ${type}`))).toEqual(new Set(["a GAUGE", "b GAUGE"]))
  expect(read.length).toBeGreaterThan(2)
})

test("who prints series of requests is told the format", async () => {
  const all = metrics()
  all.sources.requests = async function* (format) {
    yield Buffer.from(format)
  }
  expect((await together(all.pages("protobuf"))).toString()).toBe("protobuf")
})
