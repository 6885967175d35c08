// TLS connections on a port of HTTP: some are streams', by the address that they come to and the name that they ask for.
import { once } from "node:events"
import { createServer, type Server } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { placeAt } from "../../../controller/model/certificate.ts"
import { serverOf } from "../../../controller/model/listener.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { freePorts } from "../../../harness/ports.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { certificateOf, ListenerSite } from "./listener-site.ts"

let site: ListenerSite
let server: Server
let to = 0
let port = 0
const certificates: ReturnType<typeof certificateOf>[] = []

beforeAll(async () => {
  site = await ListenerSite.start("main", "first")
  ;[port = 0] = site.free
  const ca = await rootAuthority()
  const own = await ca.issue({ cn: "endpoint" })
  certificates.push(certificateOf("one", await ca.issue({ cn: "one" })))
  ;[to = 0] = await freePorts(1)
  server = createServer({ cert: own.pem, key: own.keyPem }, (socket) => socket.end("endpoint"))
  server.listen(to, "127.0.0.1")
  await once(server, "listening")
})
afterAll(async () => {
  server.close()
  await site[Symbol.asyncDispose]()
})

/** Whose certificate is shown there for this name. */
async function shown(host: string, servername?: string): Promise<string> {
  const options = { host, ...(servername !== undefined && { servername }) }
  await using client = await TlsClient.connect(port, options)
  return String(client.socket.getPeerCertificate().subject?.CN)
}

const streamAt = (address: string, ...names: readonly string[]) => {
  const target = { backend: "to-endpoint", namespace: "demo", serviceName: "x", servicePort: "443" }
  return {
    stream: { name: `tcp:${address}:${port}`, ...target, names: names.map((host) => ({ host, ...target })) },
    port: { protocol: "tcp", port, isByAddress: true } as const,
    to,
  }
}

test("a connection that asks for a name of its address's stream is the stream's, and any other is HTTP's", async () => {
  const on = { scheme: "https", address: "127.0.1.1", port } as const
  const other = { scheme: "https", address: "127.0.1.2", port } as const
  const hosts = [on, other].map((listener) => ({ on: listener, host: "a.test", backend: "first" }))
  const tlsHosts = [on, other].map((listener) => ({
    host: placeAt(serverOf(listener), "_"),
    certificates: ["one"],
  }))
  await site.serve({
    ports: [{ scheme: "https", port }],
    hosts,
    live: { certificates, tlsHosts },
    streams: [streamAt("127.0.1.1", "db.test", "*.db.test")],
  })
  expect(await shown("127.0.1.1", "db.test")).toBe("endpoint")
  expect(await shown("127.0.1.1", "x.db.test")).toBe("endpoint")
  expect(await shown("127.0.1.1", "a.test")).toBe("one")
  expect(await shown("127.0.1.1")).toBe("one")
  expect(await shown("127.0.1.2", "db.test")).toBe("one")
})

test("where HTTP has no hosts every connection is the stream's, which closes what it has no name for", async () => {
  await site.serve({
    ports: [{ scheme: "https", port }],
    hosts: [{ on: { scheme: "https", address: "127.0.1.2", port }, host: "a.test", backend: "first" }],
    live: { certificates },
    streams: [streamAt("127.0.1.1", "db.test")],
  })
  expect(await shown("127.0.1.1", "db.test")).toBe("endpoint")
  await expect(shown("127.0.1.1", "a.test")).rejects.toThrow(/ECONNRESET|disconnected/)
  await expect(shown("127.0.1.1")).rejects.toThrow(/ECONNRESET|disconnected/)
})

test("a stream for all names takes everything at its address", async () => {
  await site.serve({
    ports: [{ scheme: "https", port }],
    hosts: [],
    live: { certificates },
    streams: [streamAt("127.0.1.1")],
  })
  expect(await shown("127.0.1.1", "whatever.test")).toBe("endpoint")
  expect(await shown("127.0.1.1")).toBe("endpoint")
})

test("the stream of a port takes no connection to an address where HTTP has hosts of its own", async () => {
  const on = { scheme: "https", address: "127.0.1.1", port } as const
  const { stream, ...rest } = streamAt("127.0.1.1", "db.test")
  const ofPort = {
    ...rest,
    stream: { ...stream, name: `tcp:${port}` },
    port: { protocol: "tcp", port } as const,
  }
  await site.serve({
    ports: [{ scheme: "https", port }],
    hosts: [{ on, host: "a.test", backend: "first" }],
    live: { certificates, tlsHosts: [{ host: placeAt(serverOf(on), "_"), certificates: ["one"] }] },
    streams: [ofPort],
  })
  expect(await shown("127.0.1.1", "db.test")).toBe("one")
  expect(await shown("127.0.1.2", "db.test")).toBe("endpoint")
})
