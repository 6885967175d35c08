import { SpanKind, SpanStatusCode } from "@opentelemetry/api"
import { resourceFromAttributes } from "@opentelemetry/resources"
import { expect, test } from "vitest"
import type { FinishedSpan } from "../../../../controller/model/span.ts"
import { readableSpans } from "../../../../controller/report/traces/readable-spans.ts"

const origin = { resource: resourceFromAttributes({}), version: "1" }

const request: FinishedSpan = {
  kind: "request",
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: "53ce929d0e0e4736",
  startMs: 1_795_000_000_123,
  durationMs: 1500,
  status: 200,
  requestBytes: 0,
  responseBytes: 0,
  texts: { method: "GET", route: "/cart" },
  attempts: [],
}

const own = (span: Partial<FinishedSpan>) => readableSpans({ ...request, ...span }, origin)[0]

test("times are seconds and nanoseconds", () => {
  expect(own({})).toMatchObject({
    startTime: [1_795_000_000, 123_000_000],
    endTime: [1_795_000_001, 623_000_000],
    duration: [1, 500_000_000],
  })
})

test("a name is that of the Ingress, or method and route", () => {
  expect(own({})?.name).toBe("GET /cart")
  expect(own({ texts: { method: "GET", route: "/cart", name: "checkout" } })?.name).toBe("checkout")
  expect(own({ texts: { method: "GET" } })?.name).toBe("GET")
  expect(own({ kind: "authentication" })).toMatchObject({ name: "authentication", kind: SpanKind.CLIENT })
})

test("a span has a parent only where there is one", () => {
  expect(own({})?.parentSpanContext).toBeUndefined()
  expect(own({ parentSpanId: "00f067aa0ba902b7" })?.parentSpanContext).toMatchObject({
    traceId: request.traceId,
    spanId: "00f067aa0ba902b7",
  })
})

test.each([
  [200, SpanStatusCode.UNSET, undefined],
  [404, SpanStatusCode.UNSET, undefined],
  [500, SpanStatusCode.ERROR, "500"],
  [0, SpanStatusCode.ERROR, "no_response"],
])("of a server %i is the status %i", (status, code, type) => {
  expect(own({ status })).toMatchObject({ status: { code } })
  expect(own({ status })?.attributes["error.type"]).toBe(type)
})

test("of a client 404 is an error, and an endpoint without an answer another", () => {
  const attempt = { spanId: "0000000000000001", startMs: 0, durationMs: 1, responseBytes: 0 }
  const spans = readableSpans(
    {
      ...request,
      attempts: [
        { ...attempt, status: 0, address: "10.0.0.1:80" },
        { ...attempt, status: 404, address: "[fd00::7]:8080" },
        { ...attempt, status: 200, address: "unix:/a" },
      ],
    },
    origin,
  )
  const attributes = spans.slice(1).map(({ attributes }) => attributes)
  expect(attributes).toEqual([
    {
      "http.request.method": "GET",
      "error.type": "no_response",
      "server.address": "10.0.0.1",
      "server.port": 80,
      "network.peer.address": "10.0.0.1",
      "network.peer.port": 80,
    },
    {
      "http.request.method": "GET",
      "http.response.status_code": 404,
      "error.type": "404",
      "server.address": "fd00::7",
      "server.port": 8080,
      "network.peer.address": "fd00::7",
      "network.peer.port": 8080,
      "http.request.resend_count": 1,
    },
    {
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "server.address": "unix:/a",
      "network.peer.address": "unix:/a",
      "http.request.resend_count": 2,
    },
  ])
})

test("an attempt says which URL it asked for, without what lets somebody in, where nginx has told it", () => {
  const attempt = { spanId: "0000000000000001", startMs: 0, durationMs: 1, responseBytes: 0, status: 200 }
  const urls = (address: string, texts: FinishedSpan["texts"]) =>
    readableSpans({ ...request, texts, attempts: [{ ...attempt, address }] }, origin)[1]?.attributes[
      "url.full"
    ]
  const told = { upstreamScheme: "https", upstreamTarget: "/a?x=1?&sig=secret" }
  expect(urls("10.0.0.1:80", told)).toBe("https://10.0.0.1:80/a?x=1?&sig=REDACTED")
  expect(urls("[fd00::7]:8080", { ...told, upstreamTarget: "/a" })).toBe("https://[fd00::7]:8080/a")
  expect(urls("unix:/a", told)).toBeUndefined()
  expect(urls("10.0.0.1:80", { upstreamTarget: "/a" })).toBeUndefined()
})

test("clients cannot invent methods, and what lets somebody in is not told", () => {
  const texts = { method: "BREW", query: "a=1&sig=x&X-Goog-Signature=y&Signature=&b=sig" }
  expect(own({ texts })?.attributes).toMatchObject({
    "http.request.method": "_OTHER",
    "http.request.method_original": "BREW",
    "url.query": "a=1&sig=REDACTED&X-Goog-Signature=REDACTED&Signature=REDACTED&b=sig",
  })
})

test.each([
  ["HTTP/1.0", "1.0"],
  ["HTTP/1.1", "1.1"],
  ["HTTP/2.0", "2"],
  ["HTTP/3.0", "3"],
])("%s is version %s", (protocol, version) => {
  expect(own({ texts: { protocol } })?.attributes["network.protocol.version"]).toBe(version)
})
