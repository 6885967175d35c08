// PROXY headers on ports of TCP: those of clients, by the record, and those that endpoints get.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Client, rawTarget, type Target } from "../../../harness/ingress/passthrough.ts"
import { type Streams, startStreams } from "../../../harness/streams.ts"
import { patienceMs, until } from "../../../harness/until.ts"
import { proxyV1, proxyV2 } from "../../support/agents.ts"

let streams: Streams
let target: Target
beforeAll(async () => {
  ;[streams, target] = await Promise.all([
    startStreams({ count: 2, inStream: "set_real_ip_from 127.0.0.1;" }),
    rawTarget("hello"),
  ])
})
afterAll(async () => {
  for (const each of [streams, target]) await each[Symbol.asyncDispose]()
})

const headers: readonly (readonly [string, Buffer])[] = [
  ["1", Buffer.from(proxyV1("198.51.100.7", 443))],
  ["2", proxyV2("198.51.100.7", 443)],
]

async function untilReceived(bytes: string | Buffer): Promise<void> {
  await until("the endpoint to have it all", () => target.received.at(-1)?.equals(Buffer.from(bytes)))
}

describe("of clients", () => {
  const accept = (timeoutMs: number) => {
    const stream = { accepts_proxy_protocol: true, proxy_protocol_timeout_ms: timeoutMs }
    return streams.serve("tcp", [target.address], { stream })
  }
  beforeAll(() => accept(patienceMs))

  test.each(headers)("version %s, in one piece, in two, and byte by byte", async (_, header) => {
    const all = Buffer.concat([header, Buffer.from("words")])
    for (const pieces of [[all], [header, "words"], [...all].map((byte) => Buffer.of(byte))]) {
      using client = new Client(streams.tcp)
      for (const piece of pieces) {
        await client.send(piece)
        await new Promise(setImmediate)
      }
      await until("the endpoint's words", () => client.answer.toString().startsWith("hello"))
      await untilReceived("words")
    }
    await streams.untilLogged(/^198\.51\.100\.7 TCP 200 /)
  })

  test("without any text behind it", async () => {
    using client = new Client(streams.tcp)
    await client.send(headers[0]?.[1] ?? "")
    await until("the endpoint to have a connection", () => target.received.at(-1)?.length === 0)
    await client.send("late")
    await untilReceived("late")
  })

  const refused: readonly (readonly [string, string | Buffer])[] = [
    ["none", "GET / HTTP/1.1\r\n\r\n"],
    ["one without an end", `PROXY TCP4 ${"1".repeat(200)}`],
    ["one whose addresses are none", "PROXY TCP4 a b c d\r\n"],
    [
      "version 2 that is longer than any",
      Buffer.concat([proxyV2("1.2.3.4", 1).subarray(0, 14), Buffer.from([255, 255])]),
    ],
    [
      "version 2 with another version in it",
      Buffer.concat([proxyV2("1.2.3.4", 1).subarray(0, 12), Buffer.alloc(16, 0xff)]),
    ],
    ["the beginning of one, and no more", "PROXY TC"],
  ]
  test.each(refused)("%s: the client is closed", async (_, text) => {
    await accept(700)
    const before = (await streams.counted(`tcp:${streams.tcp}`)).refused.proxy_header ?? 0
    const taken = target.received.length
    using client = new Client(streams.tcp)
    await client.send(text)
    await client.closed
    expect([client.answer.length, target.received.length]).toEqual([0, taken])
    await streams.untilLogged('127.0.0.1 TCP 400 "tcp-demo')
    await until(
      "it to be counted",
      async () => (await streams.counted(`tcp:${streams.tcp}`)).refused.proxy_header === before + 1,
    )
  })

  test("one who ends, or is silent", async () => {
    await accept(700)
    using ends = new Client(streams.tcp)
    ends.socket.end("PROXY")
    using silent = new Client(streams.tcp)
    await Promise.all([ends.closed, silent.closed])
    expect(ends.answer.length + silent.answer.length).toBe(0)
  })

  test("the record decides from session to session", async () => {
    await streams.serve("tcp", [target.address])
    using client = new Client(streams.tcp)
    await client.send(headers[0]?.[1] ?? "")
    await untilReceived(headers[0]?.[1] ?? "")
    await streams.serve("tcp", [target.address], { stream: { accepts_proxy_protocol: true } })
    using next = new Client(streams.tcp)
    await next.send("no header\r\n")
    await next.closed
  })
})

describe("for endpoints", () => {
  test("version 1", async () => {
    await streams.serve("tcp", [target.address], { stream: { sends_proxy_protocol: "v1" } })
    using client = new Client(streams.tcp)
    await client.send("words")
    await until("an answer", () => client.answer.length > 0)
    const port = client.socket.localPort
    await untilReceived(`PROXY TCP4 127.0.0.1 127.0.0.1 ${port} ${streams.tcp}\r\nwords`)
  })

  test("version 2, before the first byte of the client", async () => {
    await streams.serve("tcp", [target.address], { stream: { sends_proxy_protocol: "v2" } })
    using client = new Client(streams.tcp)
    const header = () => {
      const ports = Buffer.alloc(4)
      ports.writeUInt16BE(client.socket.localPort ?? 0)
      ports.writeUInt16BE(streams.tcp, 2)
      const addresses = Buffer.from([127, 0, 0, 1, 127, 0, 0, 1])
      return Buffer.concat([Buffer.from("\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c", "latin1"), addresses, ports])
    }
    await until("the endpoint to have the header alone", () => target.received.at(-1)?.equals(header()))
    await client.send("words")
    await untilReceived(Buffer.concat([header(), Buffer.from("words")]))
  })

  test("of a client that said where it comes from, with that address, over a dead endpoint", async () => {
    const stream = { accepts_proxy_protocol: true, sends_proxy_protocol: "v2" }
    await streams.serve("tcp", ["127.0.0.1:1", target.address], { stream })
    for (let i = 0; i < 4; i++) {
      using client = new Client(streams.tcp)
      await client.send(Buffer.concat([headers[1]?.[1] ?? Buffer.alloc(0), Buffer.from("words")]))
      await until("an answer", () => client.answer.length > 0)
      const received = target.received.at(-1) ?? Buffer.alloc(0)
      expect([...received.subarray(16, 20)]).toEqual([198, 51, 100, 7])
      await until("all of it, once", () => target.received.at(-1)?.subarray(28).toString() === "words")
    }
  })
})
