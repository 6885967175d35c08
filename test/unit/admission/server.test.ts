// The webhook's server as an API server, and as anybody else who reaches it, sees it.
import { Agent, request } from "node:https"
import { connect, type SecureVersion } from "node:tls"
import { afterEach, beforeAll, expect, test } from "vitest"
import type { Pair } from "../../../controller/admission/certificate-files.ts"
import {
  type AdmissionServer,
  type ServerOptions,
  serveAdmission,
} from "../../../controller/admission/server.ts"
import { type Authority, rootAuthority } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"

let authority: Authority
let pair: Pair
beforeAll(async () => {
  authority = await rootAuthority()
  pair = await issued()
})

async function issued(): Promise<Pair> {
  const { pem: cert, keyPem: key } = await authority.issue({ names: ["localhost"] })
  return { cert, key }
}

const servers: AdmissionServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const lengthOf = (text: string) => ({ status: 200, body: JSON.stringify(text.length) })

async function start(answer = lengthOf, more: Partial<ServerOptions> = {}) {
  const leaving = new AbortController()
  const options = { host: "127.0.0.1", port: 0, answer, leaving: leaving.signal, ...more }
  const server = await serveAdmission(options)
  servers.push(server)
  server.use(pair)
  return { server, leave: () => leaving.abort() }
}

interface Got {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
  /** serial number of the certificate that was shown */
  readonly serial: string
}

function post(port: number, body: string | Buffer, options: object = {}): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>()
  const asking = request({
    host: "127.0.0.1",
    servername: "localhost",
    port,
    method: "POST",
    path: "/networking/v1/ingresses?timeout=10s",
    ca: authority.pem,
    agent: false,
    ...options,
  })
  asking.on("error", reject)
  asking.on("response", async (response) => {
    const { serialNumber } = (response.socket as ReturnType<typeof connect>).getPeerCertificate()
    let text = ""
    for await (const piece of response.setEncoding("utf8")) text += piece
    resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers, serial: serialNumber })
  })
  asking.end(body)
  return promise
}

test("a body is answered, whatever the path and the method", async () => {
  const { server } = await start()
  const got = await post(server.port, "abc")
  expect(got).toMatchObject({ status: 200, body: "3", headers: { "content-type": "application/json" } })
  expect((await post(server.port, "", { method: "GET", path: "/" })).body).toBe("0")
})

test("the largest body is read, and one byte more is 413 without a check", async () => {
  let checks = 0
  const { server } = await start((text) => {
    checks += 1
    return { status: 200, body: JSON.stringify(text.length) }
  })
  const limit = 9 * 1024 * 1024
  expect((await post(server.port, Buffer.alloc(limit - 1, "x"))).body).toBe(String(limit - 1))
  expect(await post(server.port, Buffer.alloc(limit, "x"))).toMatchObject({ status: 413, body: "" })
  expect(checks).toBe(1)
})

test.each<[SecureVersion, boolean]>([
  ["TLSv1.1", false],
  ["TLSv1.2", true],
  ["TLSv1.3", true],
])("%s", async (version, isTaken) => {
  const { server } = await start()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({
    host: "127.0.0.1",
    servername: "localhost",
    port: server.port,
    ca: authority.pem,
    minVersion: version,
    maxVersion: version,
    ciphers: "DEFAULT@SECLEVEL=0",
    ALPNProtocols: ["h2", "http/1.1"],
  })
  socket.on("secureConnect", () => resolve(socket.alpnProtocol === "http/1.1"))
  socket.on("error", () => resolve(false))
  expect(await promise).toBe(isTaken)
  socket.destroy()
})

test("a new certificate is shown from the next handshake on, and nothing that runs is cut", async () => {
  const { server } = await start()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const before = await post(server.port, "abc", { agent })
  server.use(await issued())
  expect((await post(server.port, "abc", { agent })).serial).toBe(before.serial)
  expect((await post(server.port, "abc")).serial).not.toBe(before.serial)
  agent.destroy()
})

test("without a certificate nobody gets through, and with one that comes later everybody", async () => {
  const leaving = new AbortController().signal
  const server = await serveAdmission({
    host: "127.0.0.1",
    port: 0,
    answer: () => ({ status: 200, body: "{}" }),
    leaving,
  })
  servers.push(server)
  await expect(post(server.port, "abc")).rejects.toThrow()
  server.use(pair)
  expect((await post(server.port, "abc")).status).toBe(200)
})

test("checks come one after the other", async () => {
  let running = 0
  let most = 0
  const { server } = await start(() => {
    running += 1
    most = Math.max(most, running)
    running -= 1
    return { status: 200, body: "{}" }
  })
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(server.port, "abc")))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(most).toBe(1)
})

test.each([
  ["nothing", ""],
  ["half of a head", "POST / HTTP/1.1\r\nhost: x"],
  ["half of a body", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc"],
])("who sends %s is not waited for", async (_, text) => {
  const { server } = await start(lengthOf, { patienceMs: 300 })
  const options = { host: "127.0.0.1", servername: "localhost", port: server.port, ca: authority.pem }
  const socket = connect(options, () => socket.write(text))
  let isClosed = false
  socket.on("error", () => {})
  socket.on("close", () => {
    isClosed = true
  })
  await until("the connection to end", () => isClosed)
})

test("who leaves answers, and sends the next request elsewhere", async () => {
  const { server, leave } = await start()
  const agent = new Agent({ keepAlive: true })
  expect((await post(server.port, "abc", { agent })).headers.connection).toBe("keep-alive")
  leave()
  const got = await post(server.port, "abc", { agent })
  expect([got.status, got.headers.connection]).toEqual([200, "close"])
  agent.destroy()
})

test("what is no TLS ends the connection and nothing else", async () => {
  const { server } = await start()
  const { connect: dial } = await import("node:net")
  const socket = dial(server.port, "127.0.0.1")
  let isClosed = false
  socket.on("error", () => {})
  socket.on("close", () => {
    isClosed = true
  })
  socket.end("GET / HTTP/1.1\r\n\r\n")
  await until("the connection to end", () => isClosed)
  expect((await post(server.port, "abc")).status).toBe(200)
})

test("a port that is in use is a sentence", async () => {
  const { server } = await start()
  const again = serveAdmission({
    host: "127.0.0.1",
    port: server.port,
    answer: () => ({ status: 200 }),
    leaving: new AbortController().signal,
  })
  await expect(again).rejects.toThrow("is in use, choose another with --validating-webhook")
})
