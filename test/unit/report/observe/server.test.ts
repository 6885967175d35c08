import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { Health } from "../../../../controller/report/observe/health.ts"
import { Metrics } from "../../../../controller/report/observe/metrics.ts"
import { type ObserveServer, startObserveServer } from "../../../../controller/report/observe/server.ts"
import { familiesIn, protobufType } from "../../../../harness/metric-families.ts"

const metrics = new Metrics(
  { controllerClass: "", namespace: "", pod: "" },
  { release: "", build: "", repository: "" },
  true,
)
let isNginxRunning: boolean
let health: Health
let server: ObserveServer

beforeEach(async () => {
  isNginxRunning = true
  health = new Health(() => isNginxRunning)
  server = await startObserveServer({ host: "127.0.0.1", port: 0, healthPath: "/healthz", health, metrics })
})
afterEach(() => server.close())

async function get(path: string, init?: RequestInit): Promise<readonly [number, string]> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init)
  return [response.status, await response.text()]
}

describe("GET /healthz", () => {
  test("is 500 with the reason before the first synchronisation, while nginx is gone and from SIGTERM on, else 200", async () => {
    expect(await get("/healthz")).toEqual([500, "the first synchronisation is not complete"])
    health.synced()
    expect(await get("/healthz")).toEqual([200, "ok"])
    isNginxRunning = false
    expect(await get("/healthz")).toEqual([500, "nginx does not run"])
    isNginxRunning = true
    expect(await get("/healthz?verbose")).toEqual([200, "ok"])
    health.stopping()
    expect(await get("/healthz")).toEqual([500, "the controller is shutting down"])
  })

  test("has the paths of ingress-nginx beside it", async () => {
    expect(await get("/healthz/ping")).toEqual([200, "ok"])
    expect((await get("/healthz/nginx-ingress-controller"))[0]).toBe(500)
    expect((await get("/healthz/other"))[0]).toBe(404)
  })
})

test("GET /metrics is Prometheus' text", async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`)
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  expect(await response.text()).toContain("# TYPE nginx_ingress_controller_build_info gauge")
})

test("GET /metrics is protobuf for who asks for it", async () => {
  const accept = `${protobufType},text/plain;q=0.5`
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { accept } })
  expect(response.headers.get("content-type")).toBe(protobufType)
  expect(response.headers.get("vary")).toBe("accept, accept-encoding")
  const families = familiesIn(await response.bytes())
  expect(families.map(({ name }) => name)).toContain("nginx_ingress_controller_build_info")
})

test("scrapes are counted, and packed where that is asked for", async () => {
  const packed = await fetch(`http://127.0.0.1:${server.port}/metrics`, {
    headers: { "accept-encoding": "gzip" },
  })
  expect(packed.headers.get("content-encoding")).toBe("gzip")
  expect(await packed.text()).toContain("promhttp_metric_handler_requests_in_flight 1")
  const plain = await fetch(`http://127.0.0.1:${server.port}/metrics`, {
    headers: { "accept-encoding": "br, gzip;q=0" },
  })
  expect(plain.headers.get("content-encoding")).toBeNull()
  expect(await plain.text()).toMatch(/^promhttp_metric_handler_requests_total\{code="200"\} [1-9]/m)
})

test("what nginx has counted comes behind the controller's own, and is left out while nginx is away", async () => {
  const own = new Metrics(
    { controllerClass: "", namespace: "", pod: "" },
    { release: "", build: "", repository: "" },
    true,
  )
  let isAway = true
  own.sources.requests = async function* () {
    if (isAway) throw new Error("away")
    yield Buffer.from("sample_a 1\n")
    yield Buffer.from("sample_b 2\n")
  }
  const options = { host: "127.0.0.1", port: 0, healthPath: "/healthz", health, metrics: own }
  const other = await startObserveServer(options)
  const scrape = async () => (await fetch(`http://127.0.0.1:${other.port}/metrics`)).text()
  expect(await scrape()).not.toContain("sample_a")
  isAway = false
  expect(await scrape()).toMatch(/\nsample_a 1\nsample_b 2\n$/)
  await other.close()
})

test("anything else is refused", async () => {
  expect((await get("/"))[0]).toBe(404)
  expect((await get("/metrics", { method: "POST" }))[0]).toBe(405)
})

test("a port in use is a failure that says what to do", async () => {
  const second = startObserveServer({
    host: "127.0.0.1",
    port: server.port,
    healthPath: "/",
    health,
    metrics,
  })
  await expect(second).rejects.toMatchObject({
    code: "port-in-use",
    message: `Cannot serve health and metrics: 127.0.0.1 port ${server.port} is in use, choose another with --healthz-port`,
  })
})
