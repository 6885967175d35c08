// Metrics of requests: what is counted, with which labels.

import { once } from "node:events"
import { request } from "node:http"
import { connect as connectHttp2 } from "node:http2"
import { connect } from "node:net"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { matching, type Sample, scrape, sumOf, untilSum } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one", "two", "bad"])
})
afterAll(() => site[Symbol.asyncDispose]())

const services = () => ["one", "two", "bad"].flatMap((name) => site.service(name, name))
const put = (...objects: readonly Json[]) => site.put(...services(), ...objects)

const families = [
  "request_duration_seconds",
  "response_duration_seconds",
  "connect_duration_seconds",
  "header_duration_seconds",
  "request_size",
  "response_size",
  "bytes_sent",
]

test("a request is one sample of each metric, with the labels of ingress-nginx", async () => {
  await put(ingress("demo/plain", "plain.test/shop → one:80"))
  const { body } = await site.get("/shop/item?a=b", {
    host: "plain.test",
    method: "PUT",
    body: "x".repeat(500),
  })
  expect(body).toBe("one")
  await untilSum(site.wick, "requests", { ingress: "plain" }, 1)
  const samples = await scrape(site.wick)
  expect(matching(samples, "requests", { ingress: "plain" })[0]?.labels).toEqual({
    controller_class: "k8s.io/ingress-nginx",
    controller_namespace: expect.any(String),
    controller_pod: expect.any(String),
    status: "200",
    method: "PUT",
    path: "/shop",
    namespace: "demo",
    ingress: "plain",
    service: "one",
    canary: "",
    host: "plain.test",
  })
  for (const name of families) {
    expect(sumOf(samples, `${name}_count`, { ingress: "plain" }), name).toBe(1)
    expect(sumOf(samples, `${name}_bucket`, { ingress: "plain", le: "+Inf" }), name).toBe(1)
  }
  expect(sumOf(samples, "request_size_sum", { ingress: "plain" })).toBeGreaterThan(500)
  expect(sumOf(samples, "response_size_sum", { ingress: "plain" })).toBe(
    sumOf(samples, "bytes_sent_sum", { ingress: "plain" }),
  )
})

test("buckets are the default ones of ingress-nginx", async () => {
  await put(ingress("demo/buckets", "buckets.test/ → one:80"))
  await site.get("/", { host: "buckets.test" })
  await untilSum(site.wick, "requests", { ingress: "buckets" }, 1)
  const samples = await scrape(site.wick)
  const bounds = (name: string) =>
    matching(samples, `${name}_bucket`, { ingress: "buckets" }).map(({ labels }) => labels.le)
  const times = ["0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "+Inf"]
  const lengths = [...Array.from({ length: 10 }, (_, at) => String(10 * (at + 1))), "+Inf"]
  expect(bounds("request_duration_seconds")).toEqual(times)
  expect(bounds("header_duration_seconds")).toEqual(times)
  expect(bounds("request_size")).toEqual(lengths)
  expect(bounds("response_size")).toEqual(lengths)
  expect(bounds("bytes_sent")).toEqual(["10", "100", "1000", "10000", "100000", "1e+06", "1e+07", "+Inf"])
})

test("hosts that match a wildcard are one, an Ingress without host has _, and methods nobody knows are one", async () => {
  await put(ingress("demo/wild", "*.wild.test/ → one:80"), ingress("demo/any", "/any → two:80"))
  for (const name of ["a", "b", "c"]) await site.get("/", { host: `${name}.wild.test` })
  for (const method of ["BREW", "WHEN"])
    await raw(`${method} / HTTP/1.1\r\nHost: d.wild.test\r\nConnection: close\r\n\r\n`)
  await site.get("/any", { host: "who.test" })
  await untilSum(site.wick, "requests", { ingress: "wild", host: "*.wild.test" }, 5)
  await untilSum(site.wick, "requests", { ingress: "wild", method: "_OTHER" }, 2)
  await untilSum(site.wick, "requests", { ingress: "any", host: "_", path: "/any" }, 1)
})

test("requests for hosts that no Ingress has are not counted, those that fail before a host is known are", async () => {
  await put(ingress("demo/known", "known.test/ → one:80"))
  const before = sumOf(await scrape(site.wick), "requests", { ingress: "", status: "400" })
  await site.get("/", { host: "unknown.test" })
  await raw("NO REQUEST\r\n\r\n")
  await site.get("/", { host: "known.test" })
  await untilSum(site.wick, "requests", { ingress: "", status: "400" }, before + 1)
  await untilSum(site.wick, "requests", { ingress: "known" }, 1)
  expect(sumOf(await scrape(site.wick), "requests", { ingress: "", status: "404" })).toBe(0)
})

test("rules of a route that have names are series of their own, beside one without", async () => {
  const object = (kind: string, name: string, spec: Json): Json => ({
    ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
    metadata: { name, ...(kind !== "GatewayClass" && { namespace: "demo" }) },
  })
  const asks = (kind: string) => ({ headers: [{ name: "X-Kind", value: kind }] })
  const to = (match: Json, more: Json = {}): Json => ({
    ...{ matches: [match], backendRefs: [{ name: "one", port: 80 }] },
    ...more,
  })
  await put(
    object("GatewayClass", "wick", { controllerName: "wick.dev/gateway" }),
    object("Gateway", "edge", {
      gatewayClassName: "wick",
      listeners: [{ name: "http", port: 80, protocol: "HTTP" }],
    }),
    object("HTTPRoute", "ruled", {
      parentRefs: [{ name: "edge" }],
      hostnames: ["ruled.test"],
      rules: [to(asks("read"), { name: "read" }), to(asks("write"), { name: "write.v1" }), to({})],
    }),
    ingress("demo/unruled", "unruled.test/ → one:80"),
  )
  for (const [kind, times] of [
    ["read", 1],
    ["write", 2],
    ["", 3],
  ] as const)
    for (let n = 0; n < times; n += 1)
      expect((await site.get("/", { host: "ruled.test", headers: { "X-Kind": kind } })).body).toBe("one")
  await site.get("/", { host: "unruled.test" })
  await untilSum(site.wick, "requests", { route: "ruled", rule: "read" }, 1)
  await untilSum(site.wick, "requests", { route: "ruled", rule: "write.v1" }, 2)
  await untilSum(site.wick, "requests", { route: "ruled" }, 6)
  await untilSum(site.wick, "requests", { ingress: "unruled" }, 1)
  const samples = await scrape(site.wick)
  const own = matching(samples, "requests", { route: "ruled" })
  const counts = own.map(({ labels, value }) => [
    labels.ingress,
    labels.kind,
    labels.path,
    labels.rule,
    value,
  ])
  const route = ["httproute/ruled", "HTTPRoute", "/"]
  expect(counts).toHaveLength(3)
  expect(counts).toEqual(
    expect.arrayContaining([
      [...route, "read", 1],
      [...route, "write.v1", 2],
      [...route, undefined, 3],
    ]),
  )
  for (const name of families)
    expect(sumOf(samples, `${name}_count`, { route: "ruled", rule: "write.v1" }), name).toBeGreaterThan(1)
  expect(matching(samples, "requests", { ingress: "unruled" })[0]?.labels).not.toHaveProperty("rule")
})

test("a canary that took a request is a label", async () => {
  await put(
    ingress("demo/main", "canary.test/ → one:80", {}, 1),
    ingress("demo/canary", "canary.test/ → two:80", { canary: "true", "canary-by-header": "X-Canary" }, 2),
  )
  const headers = { "X-Canary": "always" }
  for (let n = 0; n < 8; n += 1) await site.get("/", { host: "canary.test", headers })
  for (let n = 0; n < 3; n += 1) await site.get("/", { host: "canary.test" })
  await untilSum(site.wick, "requests", { ingress: "main", service: "one", canary: "demo-two-80" }, 8)
  await untilSum(site.wick, "requests", { ingress: "main", service: "one", canary: "" }, 3)
})

test("each attempt of a retried request is observed, the request once", async () => {
  await put(ingress("demo/retried", "retried.test/ → pair:80"), ...site.service("pair", "bad", "one"))
  await site.backend("bad").fault("reset")
  for (let n = 0; n < 12; n += 1) await site.get("/", { host: "retried.test" })
  await untilSum(site.wick, "requests", { ingress: "retried", status: "200" }, 12)
  await site.backend("bad").fault(undefined)
  const samples = await scrape(site.wick)
  const attempts = sumOf(samples, "response_duration_seconds_count", { ingress: "retried" })
  expect(attempts).toBeGreaterThan(12)
  expect(sumOf(samples, "connect_duration_seconds_count", { ingress: "retried" })).toBe(attempts)
  expect(sumOf(samples, "request_duration_seconds_count", { ingress: "retried" })).toBe(12)
})

test("retries are counted by what was wrong with the attempt before", async () => {
  const serve = (annotations: Readonly<Record<string, string>>) =>
    put(
      ingress("demo/causes", "causes.test/ → pair:80", {
        "proxy-next-upstream": "error timeout http_500",
        ...annotations,
      }),
      ...site.service("pair", "bad", "one"),
    )
  const retries = (cause: string) =>
    scrape(site.wick).then((samples) => sumOf(samples, "wick_retries_total", { ingress: "causes", cause }))
  for (const [fault, cause] of [
    ["refuse", "connect"],
    ["reset", "error"],
    ["error", "status"],
    ["hang", "timeout"],
  ] as const) {
    // Where nothing hangs, a slow machine must not make it look so.
    await serve(fault === "hang" ? { "proxy-read-timeout": "5" } : {})
    await site.backend("bad").fault(fault)
    const isCounted = async () => {
      expect((await site.get("/", { host: "causes.test" })).body).toBe("one")
      return (await retries(cause)) > 0
    }
    await until(`a retry because of ${cause}`, isCounted)
  }
  await site.backend("bad").fault(undefined)
  await until("every attempt to be a request or a retry", async () => {
    const samples = await scrape(site.wick)
    const sum = (name: string) => sumOf(samples, name, { ingress: "causes" })
    return sum("response_duration_seconds_count") === sum("requests") + sum("wick_retries_total")
  })
  expect(await retries("connect_timeout")).toBe(0)
})

test("what nginx answers itself is counted: redirects, refusals, no endpoints, errors intercepted", async () => {
  await put(
    ingress("demo/away", "away.test/ → one:80", { "permanent-redirect": "https://else.test" }),
    ingress("demo/shut", "shut.test/ → one:80", { "denylist-source-range": "127.0.0.0/8" }),
    ingress("demo/empty", "empty.test/ → nobody:80"),
    ingress("demo/pages", "pages.test/ → bad:80", { "custom-http-errors": "500", "default-backend": "one" }),
    ...site.service("nobody"),
  )
  await site.backend("bad").fault("error")
  for (const host of ["away.test", "shut.test", "empty.test"]) await site.get("/", { host })
  const page = async () => (await site.get("/", { host: "pages.test" })).body === "one"
  await until("the location to be loaded", page)
  await untilSum(site.wick, "requests", { ingress: "away", status: "301" }, 1)
  await untilSum(site.wick, "requests", { ingress: "shut", status: "403" }, 1)
  await untilSum(site.wick, "requests", { ingress: "empty", status: "503" }, 1)
  const isCounted = async () => sumOf(await scrape(site.wick), "requests", { ingress: "pages" }) > 0
  await until("the error page to be counted", isCounted)
  await site.backend("bad").fault(undefined)
})

test("a client that leaves is 499, HTTP/2 and kept connections are counted one by one", async () => {
  await put(ingress("demo/slow", "slow.test/ → bad:80"), ingress("demo/fast", "fast.test/ → one:80"))
  await site.backend("bad").fault("hang")
  const left = request({ port: site.wick.port, host: "127.0.0.1", headers: { host: "slow.test" } })
  left.on("error", () => {}).end()
  await until("the backend to be asked", () => site.backend("bad").running > 0)
  left.destroy()
  await untilSum(site.wick, "requests", { ingress: "slow", status: "499" }, 1)
  await site.backend("bad").fault(undefined)
  const session = connectHttp2(`https://127.0.0.1:${site.wick.httpsPort}`, {
    rejectUnauthorized: false,
    servername: "fast.test",
  })
  const streams = Array.from({ length: 20 }, () => {
    const stream = session.request({ ":path": "/", ":authority": "fast.test" })
    stream.resume()
    return once(stream, "end")
  })
  await Promise.all(streams)
  session.close()
  await untilSum(site.wick, "requests", { ingress: "fast" }, 20)
})

test("the series of an Ingress that is gone go with it, and come back from zero", async () => {
  await put(ingress("demo/stays", "stays.test/ → one:80"), ingress("demo/goes", "goes.test/ → one:80"))
  await site.get("/", { host: "stays.test" })
  await site.get("/", { host: "goes.test" })
  await untilSum(site.wick, "requests", { ingress: "goes" }, 1)
  await untilSum(site.wick, "requests", { ingress: "stays" }, 1)
  await put(ingress("demo/stays", "stays.test/ → one:80"))
  await until("the series to go", async () => isAbsent(await scrape(site.wick), "goes"))
  await untilSum(site.wick, "requests", { ingress: "stays" }, 1)
  await put(ingress("demo/stays", "stays.test/ → one:80"), ingress("demo/goes", "goes.test/ → one:80"))
  await site.get("/", { host: "goes.test" })
  await untilSum(site.wick, "requests", { ingress: "goes" }, 1)
})

test("a scrape is packed where that is asked for", async () => {
  const ask = request({
    port: site.wick.healthPort,
    path: "/metrics",
    headers: { "accept-encoding": "gzip" },
  }).end()
  const [response] = await once(ask, "response")
  expect(response.headers["content-encoding"]).toBe("gzip")
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  expect(gunzipSync(Buffer.concat(chunks)).toString()).toContain("\nnginx_ingress_controller_requests{")
})

function isAbsent(samples: readonly Sample[], name: string): boolean {
  return !samples.some(({ labels }) => labels.ingress === name)
}

/** Bytes as they are, until nginx closes the connection. */
async function raw(text: string): Promise<void> {
  const socket = connect(site.wick.port, "127.0.0.1")
  socket.on("error", () => {}).end(text)
  socket.resume()
  await once(socket, "close")
}
