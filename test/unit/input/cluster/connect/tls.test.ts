import { mkdtempDisposable, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TLSSocket } from "node:tls"
import { afterEach, beforeEach, expect, test } from "vitest"
import { Client } from "../../../../../controller/input/cluster/connect/client.ts"
import type { Access, Credentials } from "../../../../../controller/input/cluster/connect/credentials.ts"
import { Kubeconfig } from "../../../../../controller/input/cluster/connect/kubeconfig.ts"
import { type Authority, rootAuthority } from "../../../../../harness/pki.ts"
import { until } from "../../../../../harness/until.ts"
import { ApiDouble } from "../../../../support/api-double.ts"

const never = new AbortController().signal
const list = { method: "GET", path: "/api/v1/services" } as const

let authority: Authority
let server: ApiDouble
let client: Client | undefined
let directory: Awaited<ReturnType<typeof mkdtempDisposable>>
const at = (name: string) => join(directory.path, name)

beforeEach(async () => {
  authority = await rootAuthority()
  const { chainPem, keyPem } = await authority.issue({ names: ["127.0.0.1"] })
  const tls = { cert: chainPem, key: keyPem, ca: authority.pem, requestCert: true, rejectUnauthorized: false }
  server = await ApiDouble.start((request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    response.end(JSON.stringify({ from: subject?.CN ?? "nobody" }))
  }, tls)
  directory = await mkdtempDisposable(join(tmpdir(), "wick-connect-"))
})
afterEach(async () => {
  client?.close()
  await server[Symbol.asyncDispose]()
  await directory.remove()
})

/** Believes what `tls` says now. */
class Believer implements Access {
  readonly server: URL
  readonly origin = "the test"
  tls: Credentials["tls"]

  constructor(server: URL, tls: Credentials["tls"]) {
    this.server = server
    this.tls = tls
  }
  async credentials() {
    return { headers: {}, tls: this.tls, reading: 0 }
  }
  forget() {}
}

function clientOf(access: Access): Client {
  client = new Client({ access, userAgent: "wick/test" })
  return client
}

async function believing(tls: Credentials["tls"]): Promise<unknown> {
  return clientOf(new Believer(server.url, tls)).send(list, never)
}

test("a server is believed by its authority", async () => {
  expect(await believing({ ca: authority.pem })).toEqual({ from: "nobody" })
})

test("a server of another authority, or under another name, is not asked", async () => {
  const other = await rootAuthority()
  const untrusted = "its certificate is of no authority that is trusted"
  await expect(believing({})).rejects.toThrow(untrusted)
  await expect(believing({ ca: other.pem })).rejects.toThrow(untrusted)
  await expect(believing({ ca: authority.pem, servername: "api.test" })).rejects.toThrow("altnames")
  expect(server.requests).toBe(0)
})

test("a client certificate that is renewed in its files takes effect with the next request, with one new connection", async () => {
  const client = clientOf(await kubeconfig())
  await identify("first")
  expect(await client.send(list, never)).toEqual({ from: "first" })
  expect(await client.send(list, never)).toEqual({ from: "first" })
  await identify("second")
  expect(await client.send(list, never)).toEqual({ from: "second" })
  expect(await client.send(list, never)).toEqual({ from: "second" })
  expect(server.sockets.length).toBe(2)
})

test("a proxy passes on what it cannot read", async () => {
  const seen: string[] = []
  const proxy = createServer().on("connect", (request, client: Socket) => {
    seen.push(request.url ?? "")
    const onwards = connect(Number(server.url.port), "127.0.0.1", () =>
      client.write("HTTP/1.1 200 OK\r\n\r\n"),
    )
    client.on("error", () => onwards.destroy()).pipe(onwards)
    onwards.on("error", () => client.destroy()).pipe(client)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const { port } = proxy.address() as AddressInfo
  await identify("first")
  const client = clientOf(await kubeconfig({ "proxy-url": `http://127.0.0.1:${port}` }))
  expect(await client.send(list, never)).toEqual({ from: "first" })
  expect(seen).toEqual([server.url.host])
  proxy.close()
})

test("an authority that is replaced is not believed any more", async () => {
  const access = new Believer(server.url, { ca: authority.pem })
  const client = clientOf(access)
  expect(await client.send(list, never)).toEqual({ from: "nobody" })
  access.tls = { ca: (await rootAuthority()).pem }
  await expect(client.send(list, never)).rejects.toThrow("no authority that is trusted")
})

test("a server that speaks otherwise is told of in a few words", async () => {
  await using plain = await ApiDouble.start((_, response) => void response.end("{}"))
  const url = new URL(plain.url.href.replace("http:", "https:"))
  await expect(clientOf(new Believer(url, {})).send(list, never)).rejects.toThrow(
    /^Cannot read \/api\/v1\/services of the API server: TLS: [\w ]+$/,
  )
})

test("nothing is left of a client that is closed", async () => {
  const client = clientOf(new Believer(server.url, { ca: authority.pem }))
  await client.send(list, never)
  expect(server.open).toBe(1)
  client.close()
  await until("the connection to be closed", () => server.open === 0)
})

async function identify(cn: string): Promise<void> {
  const { chainPem, keyPem } = await authority.issue({ cn })
  await writeFile(at("me.crt"), chainPem)
  await writeFile(at("me.key"), keyPem)
}

async function kubeconfig(cluster: object = {}): Promise<Kubeconfig> {
  const ca = Buffer.from(authority.pem).toString("base64")
  const config = {
    clusters: [
      { name: "here", cluster: { server: server.url.href, "certificate-authority-data": ca, ...cluster } },
    ],
    users: [{ name: "me", user: { "client-certificate": "me.crt", "client-key": "me.key" } }],
    contexts: [{ name: "usual", context: { cluster: "here", user: "me" } }],
    "current-context": "usual",
  }
  await writeFile(at("config"), JSON.stringify(config))
  return Kubeconfig.open(at("config"), { server: undefined, ca: undefined })
}
