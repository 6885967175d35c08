import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readSpanPage } from "../../../../controller/output/control/span-records.ts"
import { root } from "../../../../harness/paths.ts"

/** What nginx/tracing/tests/span.rs writes. */
const record = Buffer.from(
  readFileSync(join(root, "test/fixtures/wire/span.hex"), "utf8").replaceAll("\n", ""),
  "hex",
)

const word = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function page(...records: readonly Buffer[]): Buffer {
  const packed = records.flatMap((one) => [word(one.length), one, Buffer.alloc((8 - (one.length % 8)) % 8)])
  return Buffer.concat([...[7, 99, 5, 2, 3].map(word), ...packed])
}

test("a record of nginx is read", () => {
  expect(readSpanPage(page(record)).spans).toEqual([
    {
      kind: "request",
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "53ce929d0e0e4736",
      parentSpanId: "00f067aa0ba902b7",
      startMs: 1_795_000_000_123,
      durationMs: 1500,
      status: 200,
      requestBytes: 321,
      responseBytes: 6_000_000_000,
      texts: {
        name: "checkout",
        method: "GET",
        scheme: "https",
        host: "shop.test",
        path: "/cart/ä",
        query: "a=1&sig=secret",
        protocol: "HTTP/2.0",
        userAgent: "curl/8",
        clientAddress: "192.0.2.7",
        clientPort: "40000",
        peerAddress: "192.0.2.1",
        serverPort: "443",
        route: "/cart",
        namespace: "shop",
        ingress: "cart",
        backend: "shop-cart-80",
        tracestate: "a=1",
        upstreamScheme: "http",
        upstreamTarget: "/v2/%C3%A4?a=1&sig=secret",
      },
      attempts: [
        {
          spanId: "0000000000000001",
          startMs: 1_795_000_000_200,
          durationMs: 20,
          connectMs: 3,
          status: 502,
          responseBytes: 0,
          address: "10.0.0.1:80",
        },
        {
          spanId: "0000000000000002",
          startMs: 1_795_000_000_200,
          durationMs: 20,
          connectMs: 3,
          headerMs: 900,
          status: 200,
          responseBytes: 0,
          address: "[fd00::7]:8080",
        },
      ],
    },
  ])
})

test("a page says what the ring holds", () => {
  const { mark, recorded, dropped, waiting, spans } = readSpanPage(page(record, record, record))
  expect({ mark, recorded, dropped, waiting, spans: spans.length }).toEqual({
    mark: "7-99",
    recorded: 5,
    dropped: 2,
    waiting: 3,
    spans: 3,
  })
  expect(readSpanPage(page()).spans).toEqual([])
})

test("records of another version are passed over", () => {
  const other = Buffer.from(record)
  other[0] = 2
  expect(readSpanPage(page(other, Buffer.alloc(3), record)).spans).toHaveLength(1)
})

test("fields that are not known are passed over", () => {
  const more = Buffer.concat([record, Buffer.from([99, 2, 0, 1, 1])])
  expect(readSpanPage(page(more)).spans).toEqual(readSpanPage(page(record)).spans)
})
