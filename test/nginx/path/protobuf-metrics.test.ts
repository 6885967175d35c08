// The same metrics as protobuf, and native histograms, which only protobuf has.
import { request } from "node:http"
import { buffer } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { ingress, type Json } from "../../../harness/manifests.ts"
import {
  familiesIn,
  type Histogram,
  linesIn,
  linesOf,
  type MetricFamily,
  protobufType,
} from "../../../harness/metric-families.ts"
import { untilSum } from "../../../harness/scraped.ts"
import { Site } from "./site.ts"

async function scrape({ wick }: Site, headers: Readonly<Record<string, string>> = {}) {
  const asked = { port: wick.healthPort, path: "/metrics", headers: { accept: protobufType, ...headers } }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  request(asked, (response) => void buffer(response).then(resolve, reject))
    .once("error", reject)
    .end()
  return promise
}

/** Of requests, endpoints and Ingresses: those that nobody changes by looking. */
const isStill = (line: string) =>
  /^(nginx_ingress_controller_(requests|\w+_duration_seconds|\w+_size|bytes_sent|orphan_ingress|ssl)|wick_(request|endpoint|retries))/.test(
    line,
  )

const textOf = async (site: Site) =>
  linesIn((await ask({ port: site.wick.healthPort }, { path: "/metrics" })).body).filter(isStill)

const services = (site: Site) => ["one", "bad"].flatMap((name) => site.service(name, name))
const app = (n: number): Json => ingress(`demo/app-${n}`, `app-${n}.test/ → one:80`)

test("protobuf has the series of the text, on however many pages, packed or not", async () => {
  await using site = await Site.start(["one", "bad"], { flags: ["--metrics-per-endpoint"] })
  const apps = Array.from({ length: 150 }, (_, n) => n)
  const pair = site.service("pair", "bad", "one")
  await site.backend("bad").fault("reset")
  await site.put(...services(site), ...pair, ...apps.map(app), ingress("demo/r", "retried.test/ → pair:80"))
  for (const n of apps) await site.get("/", { host: `app-${n}.test` })
  for (let n = 0; n < 8; n += 1) await site.get("/", { host: "retried.test" })
  await untilSum(site.wick, "requests", { service: "one" }, apps.length)
  await untilSum(site.wick, "requests", { ingress: "r" }, 8)
  const text = await textOf(site)
  const families = familiesIn(await scrape(site))
  expect(linesOf(families).filter(isStill)).toEqual(text)
  expect(text.length).toBeGreaterThan(150 * 90)
  const times = families.filter(({ name }) => name.endsWith("_duration_seconds"))
  expect(new Set(times.map(({ name }) => name)).size).toBeLessThan(times.length)
  expect(JSON.stringify(families)).not.toContain("schema")
  const packed = gunzipSync(await scrape(site, { "accept-encoding": "gzip" }))
  expect(linesOf(familiesIn(packed)).filter(isStill)).toEqual(text)
})

function histogramsOf(families: readonly MetricFamily[], ending: string): readonly Histogram[] {
  const found = families.filter(({ name }) => name === `nginx_ingress_controller_${ending}`)
  const ours = found.flatMap(({ metric }) => metric).filter(({ label }) => isOfApp(label))
  return ours.flatMap(({ histogram }) => histogram ?? [])
}

const isOfApp = (labels: Iterable<{ name: string; value?: string }> = []) =>
  [...labels].some(({ name, value }) => name === "ingress" && value === "app-0")

/** Bucket → count. */
function bucketsOf({ positiveSpan = [], positiveDelta = [] }: Histogram): ReadonlyMap<number, number> {
  const buckets = new Map<number, number>()
  let [at, nth, count] = [0, 0, 0]
  for (const { offset, length } of positiveSpan) {
    at += offset
    for (let left = length; left > 0; left -= 1) {
      count += positiveDelta[nth++] ?? Number.NaN
      buckets.set(at++, count)
    }
  }
  return new Map([...buckets].filter(([, count]) => count > 0))
}

test("native histograms stand beside the buckets, by all workers, and the text is as it was", async () => {
  await using site = await Site.start(["one"], { flags: ["--bucket-factor=1.1", "--max-buckets=160"] })
  await site.put(...site.service("one", "one"), app(0))
  const requests = 60
  const sizes = Array.from({ length: requests }, (_, n) => 2 ** (n % 12))
  for (const size of sizes)
    await site.get("/", { host: "app-0.test", method: "POST", body: "x".repeat(size) })
  await untilSum(site.wick, "requests", { ingress: "app-0" }, requests)
  const families = familiesIn(await scrape(site))
  const native = [
    "request_duration_seconds",
    "response_duration_seconds",
    "connect_duration_seconds",
    "header_duration_seconds",
    "request_size",
    "response_size",
  ]
  for (const name of native) {
    const [histogram, ...others] = histogramsOf(families, name)
    expect(others).toEqual([])
    expect(histogram, name).toMatchObject({ sampleCount: requests, schema: 3 })
    const { zeroCount = 0 } = histogram as Histogram
    const counts = [...bucketsOf(histogram as Histogram).values()]
    expect(
      counts.reduce((sum, count) => sum + count, zeroCount),
      name,
    ).toBe(requests)
    expect(histogram?.bucket?.length, name).toBeGreaterThan(5)
  }
  const [bytes] = histogramsOf(families, "bytes_sent")
  expect(bytes).not.toHaveProperty("schema")
  // The largest requests have bodies of 2048 bytes behind some hundred bytes of headers.
  const [largest = 0] = [
    ...bucketsOf(histogramsOf(families, "request_size")[0] as Histogram).keys(),
  ].reverse()
  expect(2 ** (largest / 8)).toBeGreaterThan(2048)
  expect(2 ** ((largest - 1) / 8)).toBeLessThan(2600)
  expect(linesOf(families).filter(isStill)).toEqual(await textOf(site))
})

test("a histogram has no more buckets than it may have", async () => {
  await using site = await Site.start(["one"], { flags: ["--bucket-factor=1.1", "--max-buckets=3"] })
  await site.put(...site.service("one", "one"), app(0))
  for (const size of [1, 100, 1000, 4000, 16_000, 60_000])
    await site.get("/", { host: "app-0.test", method: "POST", body: "x".repeat(size) })
  await untilSum(site.wick, "requests", { ingress: "app-0" }, 6)
  const [histogram] = histogramsOf(familiesIn(await scrape(site)), "request_size")
  expect(bucketsOf(histogram as Histogram).size).toBeLessThanOrEqual(3)
  expect(histogram?.schema).toBeLessThan(0)
  expect(histogram?.sampleCount).toBe(6)
})
