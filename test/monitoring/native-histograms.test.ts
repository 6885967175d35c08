// What a real Prometheus makes of protobuf and of native histograms.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress } from "../../harness/manifests.ts"
import { linesIn } from "../../harness/metric-families.ts"
import { untilSum } from "../../harness/scraped.ts"
import { until } from "../../harness/until.ts"
import { Site } from "../nginx/path/site.ts"
import { Prometheus } from "../support/prometheus.ts"

const name = (ending: string) => `nginx_ingress_controller_${ending}`
const host = (n: number) => `app-${n}.test`
const apps = 150

interface Pair {
  readonly site: Site
  /** asks for protobuf */
  readonly prometheus: Prometheus
}

async function start(...flags: readonly string[]): Promise<Pair> {
  const site = await Site.start(["one"], { flags })
  const rules = Array.from({ length: apps }, (_, n) => ingress(`demo/app-${n}`, `${host(n)}/ → one:80`))
  await site.put(...site.service("one", "one"), ...rules)
  const target = { job: "wick", port: site.wick.healthPort }
  return { site, prometheus: await Prometheus.start([target], ["native-histograms"]) }
}

async function stop({ site, prometheus }: Pair): Promise<void> {
  await prometheus[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
}

let classic: Pair
let native: Pair
beforeAll(async () => {
  classic = await start()
  native = await start("--bucket-factor=1.1")
})
afterAll(async () => {
  await stop(classic)
  await stop(native)
})

/** One request for each Ingress, and more for the first. */
async function send({ site }: Pair, more: number): Promise<void> {
  for (let n = 0; n < apps; n += 1) await site.get("/", { host: host(n) })
  for (let n = 0; n < more; n += 1) await site.get("/", { host: host(0) })
}

async function untilIs({ prometheus }: Pair, query: string, wanted: number): Promise<void> {
  let seen: readonly number[] = []
  const is = async () => {
    seen = (await prometheus.query(query)).map(({ value }) => value)
    return seen.length === 1 && seen[0] === wanted
  }
  await until(`${query} to be ${wanted}`, is).catch((error: Error) => {
    throw new Error(`${error.message}; it is ${seen}`)
  })
}

test("classic histograms by protobuf are those of the text, of every page", async () => {
  await send(classic, 0)
  await untilSum(classic.site.wick, "requests", { service: "one" }, apps)
  for (const ending of ["request_duration_seconds", "request_size", "bytes_sent"])
    await untilIs(classic, `count(${name(ending)}_count{service="one"} == 1)`, apps)
  await classic.site.get("/", { host: host(0) })
  await untilIs(classic, `${name("requests")}{ingress="app-0"}`, 2)
  const buckets = await classic.prometheus.query(`${name("request_size")}_bucket{ingress="app-0"}`)
  const found = buckets.map(({ labels, value }) => [labels.le === "+Inf" ? "+Inf" : Number(labels.le), value])
  const scraped = await scrapedText(classic.site)
  const sizes = linesIn(scraped).flatMap((line) => {
    const [, le = ""] =
      /^nginx_ingress_controller_request_size_bucket\{.*ingress="app-0",le="([^"]+)"/.exec(line) ?? []
    return le === "" ? [] : [[le === "+Inf" ? le : Number(le), Number(line.split(" ").at(-1))]]
  })
  expect(sizes.length).toBe(11)
  expect(new Map(found as [])).toEqual(new Map(sizes as []))
})

async function scrapedText({ wick }: Site): Promise<string> {
  return (await fetch(`http://127.0.0.1:${wick.healthPort}/metrics`)).text()
}

test("native histograms say how many requests there were, how long they took and how large they were", async () => {
  const more = 100
  await send(native, more)
  const times = `${name("request_duration_seconds")}{ingress="app-0"}`
  await untilIs(native, `histogram_count(${times})`, more + 1)
  await untilIs(native, `sum(histogram_count(${name("request_size")}{service="one"}))`, more + apps)
  const sizes = linesIn(await scrapedText(native.site)).filter((line) => line.includes('ingress="app-0"'))
  const sum = sizes
    .find((line) => line.startsWith(`${name("response_size")}_sum`))
    ?.split(" ")
    .at(-1)
  await untilIs(native, `histogram_sum(${name("response_size")}{ingress="app-0"})`, Number(sum))
  // Every response has about as many bytes as the other ones, so each quantile is within a bucket of the average.
  const average = Number(sum) / (more + 1)
  const quantile = `histogram_quantile(0.9, ${name("response_size")}{ingress="app-0"})`
  const [size] = await native.prometheus.query(quantile)
  expect(size?.value).toBeGreaterThan(average / 1.1)
  expect(size?.value).toBeLessThan(average * 1.1)
})

test("and so do their rates", async () => {
  const times = `${name("request_duration_seconds")}{ingress="app-0"}`
  const quantile = `histogram_quantile(0.9, rate(${times}[10s]))`
  let seconds = Number.NaN
  const isThere = async () => {
    await native.site.get("/", { host: host(0) })
    seconds = (await native.prometheus.query(quantile))[0]?.value ?? Number.NaN
    return Number.isFinite(seconds)
  }
  await until("a rate of the native histogram", isThere)
  expect(seconds).toBeGreaterThanOrEqual(0)
  expect(seconds).toBeLessThan(60)
})
