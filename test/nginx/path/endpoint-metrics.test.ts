// What is counted and known of each endpoint, with --metrics-per-endpoint.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ControlClient } from "../../../controller/output/control/client.ts"
import { readEndpointCounts } from "../../../controller/output/control/endpoint-counts.ts"
import { readBackendState } from "../../../controller/output/control/endpoint-states.ts"
import { layoutOf } from "../../../controller/output/nginx/files.ts"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { type Labels, matching, scrape, sumOf, untilSum } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let client: ControlClient
beforeAll(async () => {
  site = await Site.start(["one", "two", "bad"], { flags: ["--metrics-per-endpoint"] })
  client = new ControlClient(layoutOf(site.wick.runtimeDir).sockets.control)
})
afterAll(async () => {
  client.close()
  await site[Symbol.asyncDispose]()
})

const services = () => ["one", "two", "bad"].flatMap((name) => site.service(name, name))
const put = (...objects: readonly Json[]) => site.put(...services(), ...objects)
const endpoint = (name: string) => `127.0.0.1:${site.backend(name).port}`
const sum = async (name: string, labels: Labels) =>
  sumOf(await scrape(site.wick), `wick_endpoint_${name}`, labels)
const untilCounted = (name: string, labels: Labels, wanted: number) =>
  untilSum(site.wick, `wick_endpoint_${name}`, labels, wanted)

/** What hangs is given up after some seconds. */
const soon = { "proxy-read-timeout": "3", "proxy-next-upstream": "off" }

test("each attempt is one of its endpoint, with the time until its response began", async () => {
  await put(ingress("demo/pair", "pair.test/ → pair:80"), ...site.service("pair", "one", "two"))
  for (let n = 0; n < 20; n += 1) await site.get("/", { host: "pair.test" })
  const backend = "demo-pair-80"
  await untilCounted("attempts_total", { backend }, 20)
  const samples = await scrape(site.wick)
  for (const name of ["one", "two"]) {
    const labels = { backend, endpoint: endpoint(name) }
    const attempts = sumOf(samples, "wick_endpoint_attempts_total", labels)
    expect(attempts).toBeGreaterThan(3)
    expect(sumOf(samples, "wick_endpoint_response_seconds_count", labels)).toBe(attempts)
    expect(sumOf(samples, "wick_endpoint_response_seconds_bucket", { ...labels, le: "+Inf" })).toBe(attempts)
  }
  expect(matching(samples, "wick_endpoint_attempts_total", { backend })[0]?.labels).toEqual({
    controller_class: "k8s.io/ingress-nginx",
    controller_namespace: expect.any(String),
    controller_pod: expect.any(String),
    backend,
    endpoint: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
  })
  expect(matching(samples, "wick_endpoint_failures_total", { backend })).toEqual([])
})

test("failures are counted by cause, whether another attempt was made or not", async () => {
  const once = { "proxy-next-upstream": "error timeout", "proxy-next-upstream-tries": "1" }
  await put(
    ingress("demo/alone", "alone.test/ → bad:80", once),
    ingress("demo/hurried", "hurried.test/ → bad:80", { ...once, "proxy-read-timeout": "1" }),
  )
  const labels = { backend: "demo-bad-80", endpoint: endpoint("bad") }
  for (const [fault, cause, status] of [
    ["refuse", "connect", 502],
    ["reset", "error", 502],
    ["hang", "timeout", 504],
    ["error", "status", 500],
  ] as const) {
    await site.backend("bad").fault(fault)
    const host = fault === "hang" ? "hurried.test" : "alone.test"
    expect((await site.get("/", { host })).status).toBe(status)
    await untilCounted("failures_total", { ...labels, cause }, 1)
  }
  await site.backend("bad").fault(undefined)
  expect(await sum("attempts_total", labels)).toBe(4)
  expect(await sum("response_seconds_count", labels)).toBe(1)
})

test("an attempt after which another one was made is a failure of its endpoint", async () => {
  await put(ingress("demo/again", "again.test/ → both:80"), ...site.service("both", "bad", "one"))
  await site.backend("bad").fault("reset")
  for (let n = 0; n < 12; n += 1) expect((await site.get("/", { host: "again.test" })).body).toBe("one")
  await site.backend("bad").fault(undefined)
  const backend = "demo-both-80"
  await untilCounted("attempts_total", { backend, endpoint: endpoint("one") }, 12)
  const failed = await sum("failures_total", { backend, endpoint: endpoint("bad"), cause: "error" })
  expect(failed).toBeGreaterThan(3)
  expect(await sum("attempts_total", { backend, endpoint: endpoint("bad") })).toBe(failed)
  expect(await sum("failures_total", { backend, endpoint: endpoint("one") })).toBe(0)
})

test("attempts of a canary are its endpoint's, those before an error page are not the page's", async () => {
  await put(
    ingress("demo/main", "main.test/ → one:80", {}, 1),
    ingress("demo/canary", "main.test/ → two:80", { canary: "true", "canary-by-header": "X-Canary" }, 2),
    ingress("demo/pages", "pages.test/ → bad:80", { "custom-http-errors": "500", "default-backend": "one" }),
  )
  const before = await sum("attempts_total", { backend: "demo-two-80" })
  for (let n = 0; n < 4; n += 1) await site.get("/", { host: "main.test", headers: { "X-Canary": "always" } })
  await untilCounted("attempts_total", { backend: "demo-two-80", endpoint: endpoint("two") }, before + 4)
  await site.backend("bad").fault("error")
  const failures = { backend: "demo-bad-80", endpoint: endpoint("bad"), cause: "status" }
  const failed = await sum("failures_total", failures)
  await until("the error page", async () => (await site.get("/", { host: "pages.test" })).body === "one")
  await site.backend("bad").fault(undefined)
  await until("the failure to be counted", async () => (await sum("failures_total", failures)) > failed)
  const wrong = (await scrape(site.wick)).filter(
    ({ labels }) => labels.backend === "demo-one-80" && labels.endpoint === endpoint("bad"),
  )
  expect(wrong).toEqual([])
})

test("series of an endpoint go with it, also where an attempt ends later", async () => {
  const only = (...names: readonly string[]) =>
    put(ingress("demo/moving", "moving.test/ → moving:80", soon), ...site.service("moving", ...names))
  await only("one", "bad")
  const backend = "demo-moving-80"
  const ofBad = { backend, endpoint: endpoint("bad") }
  await until("an attempt with each", async () => {
    await site.get("/", { host: "moving.test" })
    return (await sum("attempts_total", ofBad)) > 0
  })
  await site.backend("bad").fault("hang")
  const late: Promise<unknown>[] = []
  await until("a request that hangs", () => {
    late.push(site.get("/", { host: "moving.test" }).catch(() => {}))
    return site.backend("bad").running > 0
  })
  await only("one")
  await until("the series to go", async () => (await sum("attempts_total", ofBad)) === 0)
  await site.backend("bad").fault(undefined)
  await Promise.all(late)
  const requests = await sum("attempts_total", { backend, endpoint: endpoint("one") })
  await site.get("/", { host: "moving.test" })
  await untilCounted("attempts_total", { backend, endpoint: endpoint("one") }, requests + 1)
  expect(await sum("attempts_total", ofBad)).toBe(0)
})

test("the controller reads what was counted, of one backend or of all", async () => {
  await put(ingress("demo/read", "read.test/ → read:80"), ...site.service("read", "one", "two"))
  for (let n = 0; n < 10; n += 1) await site.get("/", { host: "read.test" })
  const read = () => readEndpointCounts(client, "demo-read-80")
  await until("all to be counted", async () => (await read())?.reduce((n, one) => n + one.attempts, 0) === 10)
  const counts = (await read()) ?? []
  expect(counts.map(({ endpoint }) => endpoint).sort()).toEqual([endpoint("one"), endpoint("two")].sort())
  for (const { backend, attempts, failures, responses, responseSeconds } of counts) {
    expect(backend).toBe("demo-read-80")
    expect({ failures, responses }).toEqual({ failures: {}, responses: attempts })
    expect(responseSeconds).toBeGreaterThanOrEqual(0)
  }
  expect((await readEndpointCounts(client))?.length).toBeGreaterThan(2)
  expect(await readEndpointCounts(client, "none")).toEqual([])
})

test("what the balancer knows is read, and is in metrics", async () => {
  const annotations = { "load-balance": "least_conn" }
  await put(ingress("demo/known", "known.test/ → known:80", annotations), ...site.service("known", "bad"))
  await site.backend("bad").fault("hold")
  const late = site.get("/", { host: "known.test" })
  const labels = { backend: "demo-known-80", endpoint: endpoint("bad") }
  await untilCounted("running", labels, 1)
  expect(await readBackendState(client, "demo-known-80")).toEqual({
    name: "demo-known-80",
    algorithm: "least_conn",
    endpoints: [{ endpoint: endpoint("bad"), weight: 1, running: 1 }],
  })
  expect(await readBackendState(client, "none")).toBeUndefined()
  await site.backend("bad").fault(undefined)
  await late
  await untilCounted("running", labels, 0)
})

test("over a reload the numbers go on", async () => {
  await put(ingress("demo/lasts", "lasts.test/ → lasts:80"), ...site.service("lasts", "one"))
  for (let n = 0; n < 5; n += 1) await site.get("/", { host: "lasts.test" })
  await untilCounted("attempts_total", { backend: "demo-lasts-80" }, 5)
  await site.reconfigure({})
  for (let n = 0; n < 5; n += 1) await site.get("/", { host: "lasts.test" })
  await untilCounted("attempts_total", { backend: "demo-lasts-80" }, 10)
})
