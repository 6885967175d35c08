// TLS towards endpoints of TCP: verified by an authority, for a name, with a certificate of ours, as data of each port or name.
import { createServer, type TLSSocket } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client, type Target } from "../../../harness/ingress/passthrough.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { authorityOf, endpointAt, pairOf, type Streams, startStreams } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"

/** Ends TLS, and says of each client what it has asked for and shown. */
async function endpoint(identity: Identity, ca: Authority): Promise<Target> {
  const sockets = new Set<TLSSocket>()
  const options = { cert: identity.chainPem, key: identity.keyPem, ca: ca.pem, requestCert: true }
  const server = createServer({ ...options, rejectUnauthorized: false }, (socket) => {
    sockets.add(socket)
    const shown = socket.authorized ? socket.getPeerCertificate().subject.CN : "nobody"
    socket
      .on("error", () => {})
      .on("data", (bytes) => socket.write(`${bytes} ${socket.servername || "-"} ${shown}`))
  })
  server.on("tlsClientError", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  return {
    address: `127.0.0.1:${port}`,
    received: [],
    sockets,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

let streams: Streams
let good: Target
let stranger: Target
beforeAll(async () => {
  const [ca, others] = await Promise.all([rootAuthority(), rootAuthority()])
  ;[streams, good, stranger] = await Promise.all([
    startStreams({ tries: 2 }),
    ca
      .issue({ cn: "db", names: ["db.internal", "*.pool.internal", "spiffe://cluster/db"] })
      .then((it) => endpoint(it, ca)),
    others.issue({ cn: "db", names: ["db.internal"] }).then((it) => endpoint(it, ca)),
  ])
  await streams.apply({
    certificates: { set: [pairOf("client", await ca.issue({ cn: "nginx" }))] },
    authorities: { set: [authorityOf("ca", ca)] },
    backends: {
      set: [
        { name: "good", endpoints: [endpointAt(good.address)] },
        { name: "stranger", endpoints: [endpointAt(stranger.address)] },
        {
          name: "both",
          "load-balance": "round_robin",
          endpoints: [stranger, good].map((it) => endpointAt(it.address)),
        },
      ],
    },
  })
})
afterAll(async () => {
  for (const each of [streams, good, stranger]) await each[Symbol.asyncDispose]()
})

const serve = (backend: string, backend_tls: object, more: object = {}) =>
  streams.apply({ streams: { set: [{ name: `tcp:${streams.tcp}`, backend, backend_tls, ...more }] } })

/** What the endpoint says; nothing when the client is closed. */
async function answer(): Promise<string> {
  using client = new Client(streams.tcp)
  await client.send("?")
  await until("an answer or the end", () => client.answer.length > 0 || client.socket.closed)
  return client.answer.toString()
}

test("without an authority any certificate does, and no name is sent", async () => {
  await serve("good", {})
  expect(await answer()).toBe("? - nobody")
  await serve("stranger", {})
  expect(await answer()).toBe("? - nobody")
})

test("the name is sent, and a certificate of ours is shown", async () => {
  await serve("good", { server_name: "db.internal", certificate: "client" })
  expect(await answer()).toBe("? db.internal nginx")
})

test.each([
  ["good", { server_name: "db.internal", authority: "ca" }, true],
  ["good", { server_name: "a.pool.internal", authority: "ca" }, true],
  ["good", { server_name: "a.b.pool.internal", authority: "ca" }, false],
  ["good", { server_name: "other.internal", authority: "ca" }, false],
  [
    "good",
    { server_name: "other.internal", authority: "ca", alternative_names: ["x.test", "db.internal"] },
    true,
  ],
  ["good", { server_name: "db.internal", authority: "ca", alternative_names: ["x.test"] }, false],
  ["good", { authority: "ca", alternative_names: ["spiffe://cluster/db"] }, true],
  ["good", { authority: "ca", alternative_names: ["spiffe://cluster/d", "db"] }, false],
  ["good", { authority: "ca" }, true],
  ["good", { server_name: "db.internal", authority: "nobody" }, false],
  ["stranger", { server_name: "db.internal", authority: "ca" }, false],
] as const)("%s by %j: %s", async (backend, tls, isServed) => {
  await serve(backend, tls)
  expect((await answer()).startsWith("?")).toBe(isServed)
})

test("an endpoint whose certificate does not hold is passed over", async () => {
  await serve("both", { server_name: "db.internal", authority: "ca" })
  for (let i = 0; i < 4; i++) expect(await answer()).toBe("? db.internal nobody")
})

test("numbers of the record are in force beside it, and without it the endpoint is spoken to as before", async () => {
  await serve("good", { server_name: "db.internal" }, { proxy_timeout_ms: 200 })
  using client = new Client(streams.tcp)
  await client.closed
  const plain = { name: `tcp:${streams.tcp}`, backend: "good", proxy_timeout_ms: 200 }
  await streams.apply({ streams: { set: [plain] } })
  expect(await answer()).toBe("")
})
