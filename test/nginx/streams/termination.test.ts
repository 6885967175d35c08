// TLS of TCP that ends here: certificates, protocols and what clients have to show are data of each port, or of each name there.
import { once } from "node:events"
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { clientHello } from "../../../harness/hello.ts"
import { Client } from "../../../harness/ingress/passthrough.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import {
  authorityOf,
  endpointAt,
  namedTargets,
  pairOf,
  type Streams,
  startStreams,
} from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"
import { proxyV1 } from "../../support/agents.ts"

let streams: Streams
let targets: Awaited<ReturnType<typeof namedTargets>>
let ca: Authority
let one: Identity
beforeAll(async () => {
  ;[streams, targets, ca] = await Promise.all([
    startStreams({ inStream: "set_real_ip_from 127.0.0.1;" }),
    namedTargets("one", "two"),
    rootAuthority(),
  ])
  one = await ca.issue({ cn: "one", names: ["one.test", "*.one.test"] })
  const two = await ca.issue({ cn: "two", names: ["two.test"] })
  const set = ["one", "two"].map((name, at) => ({
    name,
    endpoints: [endpointAt(targets[at]?.address ?? "")],
  }))
  await streams.apply({
    backends: { set },
    certificates: { set: [pairOf("one", one), pairOf("two", two)] },
    authorities: { set: [authorityOf("ca", ca)] },
  })
})
afterAll(async () => {
  await streams[Symbol.asyncDispose]()
  await targets[Symbol.asyncDispose]()
})

const serve = (more: object) =>
  streams.apply({ streams: { set: [{ name: `tcp:${streams.tcp}`, backend: "one", ...more }] } })

const name = (host: string, backend: string, more: object = {}) => ({ host, backend, ...more })

/** A session whose TLS ends at nginx. */
async function open(servername: string, options: ConnectionOptions = {}): Promise<TLSSocket & Disposable> {
  const socket = connect({ port: streams.tcp, host: "127.0.0.1", servername, ca: ca.pem, ...options })
  socket.on("error", () => {})
  await once(socket, "secureConnect")
  return Object.assign(socket, { [Symbol.dispose]: () => socket.destroy() })
}

async function answer(socket: TLSSocket): Promise<string> {
  const [bytes] = await Promise.all([once(socket, "data"), socket.write("?")])
  return `${bytes}`
}

/** Who answers a client, and the subject of what it was shown; the reason if it is refused. */
async function served(servername: string, options: ConnectionOptions = {}): Promise<string> {
  const socket = connect({ port: streams.tcp, host: "127.0.0.1", servername, ca: ca.pem, ...options })
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on("error", ({ message }) => resolve(message.replace(/^.*(tls|ssl)[^:]*:/i, "")))
  socket.on("close", () => resolve("closed"))
  socket.on("secureConnect", () => socket.write("?"))
  socket.on("data", (bytes) => resolve(`${bytes} ${socket.getPeerCertificate().subject.CN}`))
  const outcome = await promise
  socket.destroy()
  return outcome
}

test("the endpoint gets what the client says in the clear, by both versions of TLS", async () => {
  await serve({ tls: { certificates: ["one"] } })
  expect(await served("one.test")).toBe("one one")
  expect(await served("a.one.test", { maxVersion: "TLSv1.2" })).toBe("one one")
  expect(targets[0]?.received.at(-1)?.toString()).toBe("?")
  await streams.untilLogged(/TCP 200 "one" "-"/)
})

test("a renewed certificate is data, and sessions that are open stay", async () => {
  await serve({ tls: { certificates: ["one"] } })
  using socket = await open("one.test")
  const renewed = await ca.issue({ cn: "renewed", names: ["one.test"] })
  await streams.apply({ certificates: { set: [pairOf("renewed", renewed)] } })
  await serve({ tls: { certificates: ["renewed"] } })
  expect(await served("one.test")).toBe("one renewed")
  expect(await answer(socket)).toBe("one")
})

test("names end TLS, or pass it on, side by side; a name that nobody serves is closed", async () => {
  await serve({
    names: [
      name("one.test", "one", { tls: { certificates: ["one"] } }),
      name("two.test", "two", { tls: { certificates: ["two"] } }),
      name("*.two.test", "two"),
    ],
  })
  expect(await served("one.test")).toBe("one one")
  expect(await served("two.test")).toBe("two two")
  const hello = await clientHello("a.two.test")
  using client = new Client(streams.tcp)
  await client.send(hello)
  await until("the endpoint's own answer", () => client.answer.toString().startsWith("two"))
  expect(targets[1]?.received.at(-1)).toEqual(Buffer.from(hello))
  expect(await served("three.test")).not.toContain("one")
  await streams.untilLogged(/"server_name"/)
})

test.each([
  ["on", "nobody", false],
  ["on", "good", true],
  ["on", "other", false],
  ["optional", "nobody", true],
  ["optional", "good", true],
  ["optional", "other", false],
  ["optional_no_ca", "other", true],
  ["optional_no_ca", "expired", false],
] as const)("verify %s, a client with %s: %s", async (verify, whose, isServed) => {
  const others = await rootAuthority()
  const clients = {
    nobody: undefined,
    good: await ca.issue({ cn: "client" }),
    other: await others.issue({ cn: "client" }),
    expired: await ca.issue({ cn: "client", until: new Date(Date.now() - 86_400_000) }),
  }
  const client = clients[whose]
  await serve({ tls: { certificates: ["one"], authority: "ca", verify } })
  for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
    const shown = client === undefined ? {} : { cert: client.chainPem, key: client.keyPem }
    const outcome = await served("one.test", { ...shown, maxVersion })
    expect([maxVersion, outcome === "one one"]).toEqual([maxVersion, isServed])
  }
})

test("without the authority nobody is let in, and the refusals are counted", async () => {
  const before = (await streams.counted(`tcp:${streams.tcp}`)).refused.handshake ?? 0
  const client = await ca.issue({ cn: "client" })
  await serve({ tls: { certificates: ["one"], authority: "nobody", verify: "on" } })
  expect(await served("one.test", { cert: client.chainPem, key: client.keyPem })).not.toBe("one one")
  await until("it to be counted", async () => {
    const { handshake = 0 } = (await streams.counted(`tcp:${streams.tcp}`)).refused
    return handshake > before
  })
  await streams.untilLogged('"handshake"')
})

test("protocols are the record's, by its order; who has none of them is refused", async () => {
  await serve({ tls: { certificates: ["one"], alpn: ["mqtt", "h2"] } })
  using both = await open("one.test", { ALPNProtocols: ["h2", "mqtt"] })
  using silent = await open("one.test")
  expect([both.alpnProtocol, silent.alpnProtocol]).toEqual(["mqtt", false])
  expect(await served("one.test", { ALPNProtocols: ["http/1.1"] })).not.toContain("one")
  await serve({ tls: { certificates: ["one"] } })
  using unheard = await open("one.test", { ALPNProtocols: ["http/1.1"] })
  expect(unheard.alpnProtocol).toBe(false)
})

test("a handshake ends while the zone has no certificate for it, and comes to be when it has", async () => {
  await serve({ tls: { certificates: ["later"] } })
  expect(await served("one.test")).not.toContain("one")
  await streams.apply({ certificates: { set: [pairOf("later", one)] } })
  expect(await served("one.test")).toBe("one one")
})

test("sessions are resumed after a renewal, and by no other name", async () => {
  await serve({
    names: [
      name("one.test", "one", { tls: { certificates: ["one"] } }),
      name("a.one.test", "two", { tls: { certificates: ["one"] } }),
    ],
  })
  using first = await open("one.test", { maxVersion: "TLSv1.2" })
  const session = first.getSession()
  expect(session).toBeDefined()
  const again = { session, maxVersion: "TLSv1.2" } as const
  using second = await open("one.test", again)
  using other = await open("a.one.test", again)
  expect([second.isSessionReused(), other.isSessionReused()]).toEqual([true, false])
})

test("PROXY headers come before TLS, and go before what was in it", async () => {
  await serve({
    tls: { certificates: ["one"] },
    accepts_proxy_protocol: true,
    sends_proxy_protocol: "v2",
  })
  const raw = new Client(streams.tcp)
  await raw.send(proxyV1("192.0.2.7", streams.tcp))
  raw.socket.removeAllListeners("data")
  const socket = connect({ socket: raw.socket, servername: "one.test", ca: ca.pem })
  await once(socket, "secureConnect")
  expect(await answer(socket)).toContain("one")
  await until("all of it", () => targets[0]?.received.at(-1)?.length === 29)
  const received = targets[0]?.received.at(-1)
  expect(received?.subarray(16, 20)).toEqual(Buffer.from([192, 0, 2, 7]))
  expect(received?.subarray(28).toString()).toBe("?")
  socket.destroy()
})

test("who says nothing of TLS is closed by the handshake", async () => {
  await serve({ tls: { certificates: ["one"] } })
  using client = new Client(streams.tcp)
  await client.send("GET / HTTP/1.0\r\n\r\n")
  await client.closed
  expect(client.answer.includes("one")).toBe(false)
})
