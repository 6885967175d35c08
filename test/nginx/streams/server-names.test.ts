// Several Services on one port of TCP, by the server name that clients of TLS ask for.
import { afterAll, beforeAll, expect, test } from "vitest"
import { clientHello, paddedHello } from "../../../harness/hello.ts"
import { Client, rawTarget, tlsTarget } from "../../../harness/ingress/passthrough.ts"
import { endpointAt, type Streams, startStreams } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"
import { handshake, proxyV1 } from "../../support/agents.ts"

let streams: Streams
let targets: Awaited<ReturnType<typeof rawTarget>>[]
beforeAll(async () => {
  ;[streams, ...targets] = await Promise.all([
    startStreams({ inStream: "set_real_ip_from 127.0.0.1;" }),
    rawTarget("one"),
    rawTarget("two"),
    rawTarget("other"),
  ])
  const set = ["one", "two", "other"].map((name, at) => ({
    name,
    endpoints: [endpointAt(targets[at]?.address ?? "")],
  }))
  await streams.apply({ backends: { set } })
})
afterAll(async () => {
  for (const each of [streams, ...targets]) await each[Symbol.asyncDispose]()
})

const exact = { host: "one.test", backend: "one", namespace: "n", service_name: "s", service_port: "1" }
const wildcard = { host: "*.two.test", backend: "two" }
const everything = { host: "_", backend: "other" }

const serve = (names: readonly object[], more: object = {}) =>
  streams.apply({ streams: { set: [{ name: `tcp:${streams.tcp}`, backend: "one", names, ...more }] } })

/** Who answers, or nothing when the connection is closed. */
const answerer = (piece: Uint8Array | string) => answererOf([piece], () => true)

/** @param isWhole whether the endpoint has all of it: who ends before loses what is on its way */
async function answererOf(
  pieces: readonly (Uint8Array | string)[],
  isWhole: () => boolean | undefined,
): Promise<string> {
  using client = new Client(streams.tcp)
  for (const piece of pieces) {
    await client.send(piece)
    await new Promise(setImmediate)
  }
  await until("an answer or the end", () => client.answer.length > 0 || client.socket.closed)
  await until("all of it", isWhole)
  return /^(one|two|other)?/.exec(client.answer.toString())?.[0] ?? ""
}

test("exact names, one label more, and all others", async () => {
  await serve([exact, wildcard, everything])
  expect(await answerer(await clientHello("one.test"))).toBe("one")
  expect(await answerer(await clientHello("ONE.test"))).toBe("one")
  expect(await answerer(await clientHello("a.two.test"))).toBe("two")
  expect(await answerer(await clientHello("a.b.two.test"))).toBe("other")
  expect(await answerer(await clientHello("two.test"))).toBe("other")
  expect(await answerer("no TLS at all")).toBe("other")
  await streams.untilLogged(/^127\.0\.0\.1 TCP 200 "one" "-" n\/s:1 to /)
})

test("the endpoint gets the message as it came, in however many pieces", async () => {
  await serve([exact, wildcard])
  const hello = await clientHello("one.test")
  const bytes = [...hello].map((byte) => Buffer.of(byte))
  expect(await answererOf(bytes, () => targets[0]?.received.at(-1)?.equals(hello))).toBe("one")
  const padded = paddedHello("x.two.test", 15_000)
  const halves = [padded.subarray(0, 9000), padded.subarray(9000)]
  expect(await answererOf(halves, () => targets[1]?.received.at(-1)?.equals(padded))).toBe("two")
})

test("a name that nobody serves is closed, and so is a client without one", async () => {
  await serve([exact])
  const before = (await streams.counted(`tcp:${streams.tcp}`)).refused.server_name ?? 0
  expect(await answerer(await clientHello("other.test"))).toBe("")
  expect(await answerer("no TLS at all")).toBe("")
  expect(await answerer(Buffer.alloc(20_000, 0x16))).toBe("")
  using gone = new Client(streams.tcp)
  gone.socket.end((await clientHello("one.test")).subarray(0, 20))
  await gone.closed
  expect((await streams.counted(`tcp:${streams.tcp}`)).refused.server_name).toBe(before + 4)
  await streams.untilLogged('127.0.0.1 TCP 502 "-" "server_name"')
})

test("behind PROXY headers, and with one for the endpoint", async () => {
  await serve([exact, wildcard], { accepts_proxy_protocol: true, sends_proxy_protocol: "v2" })
  const [header, hello] = [Buffer.from(proxyV1("198.51.100.7", 443)), await clientHello("a.two.test")]
  const all = Buffer.concat([header, hello])
  for (const pieces of [[all], [header, hello], [...all].map((byte) => Buffer.of(byte))]) {
    const isWhole = () => targets[1]?.received.at(-1)?.subarray(28).equals(hello)
    expect(await answererOf(pieces, isWhole)).toBe("two")
    expect([...(targets[1]?.received.at(-1)?.subarray(16, 20) ?? [])]).toEqual([198, 51, 100, 7])
  }
  // Without a header nothing more is waited for.
  expect(await answerer(hello)).toBe("")
  await streams.untilLogged('127.0.0.1 TCP 400 "-" "proxy_header"')
})

test("a whole handshake with the endpoint's own certificate", async () => {
  await using target = await tlsTarget()
  await streams.apply({ backends: { set: [{ name: "tls", endpoints: [endpointAt(target.address)] }] } })
  await serve([{ host: "target.test", backend: "tls" }])
  const { certificate } = await handshake(streams.tcp, { servername: "target.test" })
  expect(certificate.subject.CN).toBe("target.test")
})
