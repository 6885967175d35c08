// Traces: what the backend is told, what is recorded, and what a collector gets.

import { once } from "node:events"
import { connect as connectHttp2 } from "node:http2"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, type Json, serviceOn } from "../../../harness/manifests.ts"
import { signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { spanOf } from "../../support/clock.ts"
import { Collector, type ReceivedSpan } from "../../support/collector.ts"
import { Site } from "./site.ts"

let site: Site
let collector: Collector
let backend: Echo
let auth: Echo

const keys = () => ({
  "otlp-collector-host": "127.0.0.1",
  "otlp-collector-port": String(collector.grpcPort),
  "otel-service-name": "edge",
  "otel-schedule-delay-millis": "100",
})

beforeAll(async () => {
  collector = await Collector.start()
  backend = await new Echo().start()
  auth = await new Echo().start()
  site = await Site.start(["bad"])
  await site.reconfigure(keys())
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  for (const one of [collector, backend, auth]) await one[Symbol.asyncDispose]()
})

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"
const parent = (flags: string, trace = traceId) => `00-${trace}-${parentId}-${flags}`

const put = (...objects: readonly Json[]) =>
  site.put(...serviceOn("demo/echo", [backend.port]), ...serviceOn("demo/auth", [auth.port]), ...objects)

const traced = (rule: string, annotations: Readonly<Record<string, string>> = {}) =>
  ingress("demo/traced", rule, { "enable-opentelemetry": "true", ...annotations })

/** The trace that the backend was told of. */
function told(echo = backend): { trace: string; span: string; flags: string } {
  const header = String(echo.asked.at(-1)?.headers.traceparent)
  expect(header).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$/)
  const [, trace = "", span = "", flags = ""] = header.split("-")
  return { trace, span, flags }
}

async function untilSpans(trace: string, count: number): Promise<ReceivedSpan[]> {
  await until(`${count} spans of ${trace}`, () => collector.trace(trace).length >= count)
  return collector.trace(trace)
}

describe("a request of a traced Ingress", () => {
  test("begins a trace, and leaves a span of itself and of the attempt", async () => {
    await put(traced("trace.test/shop → echo:80"))
    let spans: ReceivedSpan[] = []
    const time = await spanOf(async () => {
      const { status } = await site.get("/shop/item?id=1&sig=secret", {
        host: "trace.test",
        headers: { "user-agent": "tester" },
      })
      expect(status).toBe(200)
      spans = await untilSpans(told().trace, 2)
    })
    const { span, flags } = told()
    expect(flags).toBe("01")
    const [own, attempt, ...more] = spans
    expect(more).toEqual([])
    expect(own).toMatchObject({
      spanId: span,
      parentSpanId: "",
      name: "GET /shop",
      kind: "SPAN_KIND_SERVER",
      isError: false,
      service: { "service.name": "edge" },
      attributes: {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "http.route": "/shop",
        "url.scheme": "http",
        "url.path": "/shop/item",
        "url.query": "id=1&sig=REDACTED",
        "server.address": "trace.test",
        "server.port": site.wick.port,
        "client.address": "127.0.0.1",
        "network.protocol.version": "1.1",
        "user_agent.original": "tester",
        "k8s.namespace.name": "demo",
        "k8s.ingress.name": "traced",
        "k8s.service.name": "echo",
        "wick.upstream": "demo-echo-80",
      },
    })
    expect(attempt).toMatchObject({
      parentSpanId: span,
      name: "GET",
      kind: "SPAN_KIND_CLIENT",
      attributes: {
        "http.response.status_code": 200,
        "network.peer.address": "127.0.0.1",
        "network.peer.port": backend.port,
        "url.full": `http://127.0.0.1:${backend.port}/shop/item?id=1&sig=REDACTED`,
      },
    })
    for (const { startMs, endMs } of [own, attempt].filter((one) => one !== undefined)) {
      time.includes(startMs)
      time.includes(endMs)
      expect(endMs).toBeGreaterThanOrEqual(startMs)
    }
  })

  test("goes on with what the client says, its state too", async () => {
    await put(traced("trace.test/ → echo:80"))
    await site.get("/", { host: "trace.test", headers: { traceparent: parent("01"), tracestate: "a=1,b=2" } })
    const { trace, span, flags } = told()
    expect([trace, flags]).toEqual([traceId, "01"])
    expect(span).not.toBe(parentId)
    expect(backend.asked.at(-1)?.headers.tracestate).toBe("a=1,b=2")
    const [own] = await untilSpans(traceId, 2)
    expect([own?.parentSpanId, own?.spanId]).toEqual([parentId, span])
  })

  test("is not recorded if the client says so, and the backend hears it", async () => {
    await put(traced("trace.test/ → echo:80"))
    const trace = "0af7651916cd43dd8448eb211c80319c"
    await site.get("/", { host: "trace.test", headers: { traceparent: parent("00", trace) } })
    expect(told()).toMatchObject({ trace, flags: "00" })
    // One that is recorded comes behind it.
    await site.get("/", { host: "trace.test" })
    await untilSpans(told().trace, 2)
    expect(collector.trace(trace)).toEqual([])
  })

  test("begins a trace where clients are not trusted", async () => {
    await put(traced("trace.test/ → echo:80", { "opentelemetry-trust-incoming-span": "false" }))
    await site.get("/", { host: "trace.test", headers: { traceparent: parent("01"), tracestate: "a=1" } })
    const { trace } = told()
    expect(trace).not.toBe(traceId)
    expect(backend.asked.at(-1)?.headers.tracestate).toBeUndefined()
    expect((await untilSpans(trace, 2))[0]?.parentSpanId).toBe("")
  })

  test("begins a trace where what the client says is none", async () => {
    await put(traced("trace.test/ → echo:80"))
    const sent: readonly Readonly<Record<string, string | string[]>>[] = [
      { traceparent: "00-x" },
      { traceparent: parent("01").toUpperCase() },
      { traceparent: parent("01", "0".repeat(32)) },
      { traceparent: [parent("01"), parent("00")] },
      { traceparent: `${parent("01")}${"-a".repeat(2000)}` },
    ]
    for (const headers of sent) {
      await site.get("/", { host: "trace.test", headers: { ...headers, tracestate: "a=1" } as never })
      expect(told().trace).not.toBe(traceId)
      expect(backend.asked.at(-1)?.headers.tracestate).toBeUndefined()
    }
    await site.get("/", {
      host: "trace.test",
      headers: { traceparent: parent("01"), tracestate: `a=${"x".repeat(600)}` },
    })
    expect(told().trace).toBe(traceId)
    expect(backend.asked.at(-1)?.headers.tracestate).toBeUndefined()
  })

  test("says what its backend was asked for, rewritten, and no more than a kibibyte of it", async () => {
    await put(traced("trace.test/api(/|$)(.*) ~→ echo:80", { "rewrite-target": "/v2/$2" }))
    await site.get(`/api/a%20b?x=${"y".repeat(3000)}`, { host: "trace.test" })
    const attempt = (await untilSpans(told().trace, 2)).find(({ kind }) => kind === "SPAN_KIND_CLIENT")
    const target = `${backend.asked.at(-1)?.url}`.slice(0, 1024)
    expect(target).toMatch(/^\/v2\/a%20b\?x=y+$/)
    expect(attempt?.attributes["url.full"]).toBe(`http://127.0.0.1:${backend.port}${target}`)
  })

  test("has the name that its Ingress gives it", async () => {
    await put(traced("trace.test/ → echo:80", { "opentelemetry-operation-name": "check-out" }))
    await site.get("/", { host: "trace.test", method: "POST", body: "x" })
    expect((await untilSpans(told().trace, 2))[0]?.name).toBe("check-out")
  })

  test("is traced whatever it came by", async () => {
    await put(traced("/ → echo:80"))
    const http2 = connectHttp2(`https://127.0.0.1:${site.wick.httpsPort}`, { rejectUnauthorized: false })
    const stream = http2.request({ ":path": "/two", traceparent: parent("01", "2".repeat(32)) }).resume()
    await once(stream, "close")
    http2.close()
    const [own] = await untilSpans("2".repeat(32), 2)
    expect(own?.attributes["network.protocol.version"]).toBe("2")
    const socket = connect(site.wick.port, "127.0.0.1")
    // Left open: nginx may take a half that is closed for a client that has gone.
    socket.write("GET /nine\r\n")
    await once(socket.resume(), "close")
    expect(backend.asked.at(-1)?.url).toBe("/nine")
    expect(await untilSpans(told().trace, 2)).toHaveLength(2)
  })

  test("that is mirrored leaves a span of the copy, too, and the mirror is told of the request's", async () => {
    await using mirror = await new Echo().start()
    const target = `http://127.0.0.1:${mirror.port}/copy$request_uri`
    await put(traced("trace.test/ → echo:80", { "mirror-target": target }))
    // A first mirror needs a reload.
    const isServed = async () => (await site.get("/a?sig=secret", { host: "trace.test" })).status === 200
    await until("the Ingress to be served", isServed)
    const { trace, span } = told()
    await until("the copy", () => mirror.asked.length > 0)
    expect(told(mirror)).toMatchObject({ trace, span })
    const spans = await untilSpans(trace, 4)
    const copy = spans.find(({ name }) => name === "subrequest")
    expect(copy).toMatchObject({ parentSpanId: span, kind: "SPAN_KIND_CLIENT" })
    expect(spans.filter(({ parentSpanId }) => parentSpanId === copy?.spanId)).toMatchObject([
      {
        name: "GET",
        attributes: {
          "http.response.status_code": 200,
          "url.full": `http://127.0.0.1:${mirror.port}/copy/a?sig=REDACTED`,
        },
      },
    ])
    expect(spans.filter(({ parentSpanId }) => parentSpanId === span)).toHaveLength(2)
    expect(JSON.stringify(spans)).not.toContain("secret")
  })

  test("leaves one span for each attempt", async () => {
    const dead = serviceOn("demo/mixed", [1, backend.port])
    await put(...dead, traced("trace.test/ → mixed:80", { "proxy-next-upstream-tries": "2" }))
    const retried = await until("a request that was tried twice", async () => {
      await site.get("/", { host: "trace.test" })
      const spans = await untilSpans(told().trace, 2)
      return spans.length === 3 ? spans : undefined
    })
    const attempts = (retried as ReceivedSpan[]).filter(({ kind }) => kind === "SPAN_KIND_CLIENT")
    expect(attempts.map(({ isError }) => isError)).toEqual([true, false])
    expect(attempts[1]?.attributes["http.request.resend_count"]).toBe(1)
    expect(attempts[0]?.attributes["network.peer.port"]).toBe(1)
  })

  test("is an error from 500 on, whoever answers", async () => {
    await put(traced("trace.test/ → nothing:80"))
    await site.get("/", { host: "trace.test", headers: { traceparent: parent("01", "a".repeat(32)) } })
    const [own] = await untilSpans("a".repeat(32), 1)
    expect(own).toMatchObject({
      isError: true,
      attributes: { "http.response.status_code": 503, "error.type": "503" },
    })
  })

  test("that goes on to an error page leaves attempts that do not say what they asked for", async () => {
    const page = { "custom-http-errors": "503", "default-backend": "auth" }
    await put(traced("trace.test/ → echo:80", page))
    backend.answer = () => ({ status: 503 })
    const isServed = async () => {
      await site.get("/", { host: "trace.test" })
      return backend.asked.at(-1)?.headers.host === "trace.test" && auth.asked.length > 0
    }
    auth.asked.length = 0
    await until("the error page to be served", isServed)
    backend.answer = () => ({})
    const attempts = (await untilSpans(told().trace, 3)).filter(({ name }) => name === "GET")
    expect(attempts.map(({ attributes }) => attributes["http.response.status_code"])).toEqual([503, 200])
    for (const { attributes } of attempts) expect(attributes).not.toHaveProperty("url.full")
  })

  test("has its question to an authentication service as a part", async () => {
    auth.answer = () => ({ status: 200 })
    await put(traced("trace.test/ → echo:80", { "auth-url": "http://auth.demo.svc.cluster.local/check" }))
    await site.get("/", { host: "trace.test" })
    const { trace, span } = told()
    expect(told(auth)).toEqual(told())
    const spans = await untilSpans(trace, 4)
    const asked = spans.find(({ name }) => name === "authentication")
    expect(asked).toMatchObject({ parentSpanId: span, kind: "SPAN_KIND_CLIENT" })
    expect(spans.filter(({ parentSpanId }) => parentSpanId === asked?.spanId)).toHaveLength(1)
  })
})

describe("whatever happens", () => {
  const count = (name: string) => site.wick.metric(`wick_spans_${name}_total`)
  const send = async (trace: string) => {
    await site.get("/", { host: "trace.test", headers: { traceparent: parent("01", trace.repeat(32)) } })
  }

  test("spans survive a reload and the end of all workers", async () => {
    await site.reconfigure({ ...keys(), "otel-schedule-delay-millis": "600000" })
    await put(traced("trace.test/ → echo:80"))
    const before = await count("recorded")
    await send("c")
    await until("the span to be recorded", async () => (await count("recorded")) > before)
    for (const pid of site.wick.workers()) signal(pid, "SIGKILL")
    await site.reconfigure(keys())
    expect(await untilSpans("c".repeat(32), 2)).toHaveLength(2)
  })

  test("a collector that takes nothing keeps nobody, and is said once", async () => {
    await put(traced("trace.test/ → echo:80"))
    collector.isBroken = true
    for (const trace of ["d", "e"]) {
      const before = await count("failed")
      await send(trace)
      await until("the spans to be given up", async () => (await count("failed")) > before)
    }
    collector.isBroken = false
    await send("f")
    await untilSpans("f".repeat(32), 2)
    expect(site.wick.log().split("The collector does not take spans")).toHaveLength(2)
    expect(collector.trace("d".repeat(32))).toEqual([])
  })

  test("what finds no room is dropped and counted", async () => {
    // The least room that there is, of which nobody takes anything.
    await site.reconfigure({
      ...keys(),
      "otel-max-queuesize": "1",
      "otel-schedule-delay-millis": "600000",
      "otel-max-export-batch-size": "100000",
    })
    await put(traced("trace.test/ → echo:80"))
    const path = `/${"x".repeat(1000)}`
    for (let n = 0; n < 100; n += 1) expect((await site.get(path, { host: "trace.test" })).status).toBe(200)
    await until("spans to be dropped", async () => (await count("dropped")) > 20)
    await site.reconfigure(keys())
  })
})

test("requests of other Ingresses are not touched", async () => {
  await put(ingress("demo/plain", "plain.test/ → echo:80"))
  await site.get("/", {
    host: "plain.test",
    headers: { traceparent: "as it came", tracestate: "as it came" },
  })
  expect(backend.asked.at(-1)?.headers).toMatchObject({ traceparent: "as it came", tracestate: "as it came" })
})

describe("the ConfigMap", () => {
  test("has all requests traced, and a part of them recorded", async () => {
    await site.reconfigure({
      ...keys(),
      "enable-opentelemetry": "true",
      "otel-sampler": "TraceIdRatioBased",
      "otel-sampler-ratio": "0.5",
      "otel-max-export-batch-size": "10",
    })
    await put(
      ingress("demo/all", "all.test/ → echo:80"),
      ingress("demo/not", "not.test/ → echo:80", { "enable-opentelemetry": "false" }),
    )
    backend.asked.length = 0
    await site.get("/", { host: "not.test" })
    expect(backend.asked.at(-1)?.headers.traceparent).toBeUndefined()
    backend.asked.length = 0
    for (let n = 0; n < 60; n += 1) await site.get("/", { host: "all.test" })
    const flags = backend.asked.map(({ headers }) => String(headers.traceparent).slice(-2))
    const sampled = flags.filter((flag) => flag === "01").length
    expect(new Set(backend.asked.map(({ headers }) => headers.traceparent)).size).toBe(60)
    expect(sampled).toBeGreaterThan(10)
    expect(sampled).toBeLessThan(50)
    const own = () => collector.spans.filter(({ attributes }) => attributes["k8s.ingress.name"] === "all")
    await until("all of them to be received", () => own().length >= sampled)
    expect(own()).toHaveLength(sampled)
    expect(Math.max(...collector.batches.slice(-3))).toBeLessThanOrEqual(20)
  })
})

test("by HTTP, to the collector of the environment", async () => {
  const endpoint = `http://127.0.0.1:${collector.httpPort}`
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }
  await using other = await Site.start(["one"], { env })
  await other.reconfigure({ "otel-schedule-delay-millis": "100", "otel-service-name": "by-http" })
  await other.put(...other.service("one", "one"), traced("http.test/ → one:80"))
  await other.get("/", { host: "http.test", headers: { traceparent: parent("01", "b".repeat(32)) } })
  const [own] = await untilSpans("b".repeat(32), 2)
  expect(own?.service["service.name"]).toBe("by-http")
  await until("the counters", async () => (await other.wick.metric("wick_spans_exported_total")) >= 1)
  expect(await other.wick.metric("wick_spans_dropped_total")).toBe(0)
})

describe("B3", () => {
  beforeAll(() => site.reconfigure({ ...keys(), "otel-propagators": "tracecontext, b3, b3multi" }))
  afterAll(() => site.reconfigure(keys()))

  const ask = async (headers: Readonly<Record<string, string>>) => {
    await put(traced("trace.test/ → echo:80"))
    await site.get("/", { host: "trace.test", headers })
    return backend.asked.at(-1)?.headers ?? {}
  }

  test("is sent beside traceparent, and says the same", async () => {
    const headers = await ask({})
    const { trace, span } = told()
    expect(headers).toMatchObject({
      b3: `${trace}-${span}-1`,
      "x-b3-traceid": trace,
      "x-b3-spanid": span,
      "x-b3-sampled": "1",
    })
  })

  test.each([
    ["one line", { b3: `${traceId}-${parentId}-1` }, "1"],
    ["one line, not recorded", { b3: `${traceId}-${parentId}-0` }, "0"],
    ["several", { "X-B3-TraceId": traceId, "X-B3-SpanId": parentId, "X-B3-Sampled": "1" }, "1"],
    ["several, not recorded", { "X-B3-TraceId": traceId, "X-B3-SpanId": parentId, "X-B3-Sampled": "0" }, "0"],
    ["ids alone, for which the sampler decides", { "X-B3-TraceId": traceId, "X-B3-SpanId": parentId }, "1"],
  ])("goes on: %s", async (_, sent, sampled) => {
    const headers = await ask({ ...sent, "X-B3-ParentSpanId": "05e3ac9a4f6e3b90" })
    const { trace, span } = told()
    expect(trace).toBe(traceId)
    expect(span).not.toBe(parentId)
    expect(headers).toMatchObject({ b3: `${trace}-${span}-${sampled}`, "x-b3-spanid": span })
    expect(headers).not.toHaveProperty("x-b3-parentspanid")
    if (sampled === "0") return
    const own = () => collector.trace(trace).find(({ spanId }) => spanId === span)
    await until("its span", () => own() !== undefined)
    expect(own()).toMatchObject({ parentSpanId: parentId })
  })

  test("a wish to debug is handed on", async () => {
    const headers = await ask({ b3: `${traceId}-${parentId}-d` })
    expect(headers.b3).toMatch(/-d$/)
    expect(headers).toMatchObject({ "x-b3-flags": "1" })
    expect(headers).not.toHaveProperty("x-b3-sampled")
  })

  test("a decision alone begins a trace that is as it says", async () => {
    const headers = await ask({ b3: "0" })
    expect(headers).toMatchObject({ b3: expect.stringMatching(/-0$/), "x-b3-sampled": "0" })
    expect(told().flags).toBe("00")
  })

  test("what is no header of it, or comes twice, is replaced", async () => {
    const other = "1".repeat(32)
    for (const b3 of ["maybe", `${traceId}-${parentId}-7`]) {
      const headers = await ask({ b3, "X-B3-SpanId": "x" })
      expect(headers.b3).toBe(`${told().trace}-${told().span}-1`)
      expect(headers["x-b3-spanid"]).toBe(told().span)
      expect(told().trace).not.toBe(traceId)
    }
    await ask({ traceparent: parent("01", other), b3: `${traceId}-${parentId}-0` })
    expect(told()).toMatchObject({ trace: other, flags: "01" })
  })

  test("where clients are not trusted, a trace begins here", async () => {
    await put(traced("trace.test/ → echo:80", { "opentelemetry-trust-incoming-span": "false" }))
    await site.get("/", { host: "trace.test", headers: { b3: `${traceId}-${parentId}-1` } })
    const { trace, span } = told()
    expect(trace).not.toBe(traceId)
    expect(backend.asked.at(-1)?.headers.b3).toBe(`${trace}-${span}-1`)
  })
})

test("with B3 alone, traceparent is neither read nor sent", async () => {
  await site.reconfigure({ ...keys(), "otel-propagators": "b3" })
  await put(traced("trace.test/ → echo:80"))
  await site.get("/", { host: "trace.test", headers: { "X-B3-SpanId": parentId } })
  const headers = backend.asked.at(-1)?.headers ?? {}
  expect(headers.b3).toMatch(/^[0-9a-f]{32}-[0-9a-f]{16}-1$/)
  expect(headers).not.toHaveProperty("traceparent")
  expect(headers).not.toHaveProperty("x-b3-spanid")
  await site.reconfigure(keys())
})
