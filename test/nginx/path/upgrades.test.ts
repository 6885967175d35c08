// Protocols that a client may have its connection switched to: none that carries requests past the checks of its route, and none that it has not asked for.
import { once } from "node:events"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { sendHttp2 } from "../../support/http2-bytes.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

/** Answers whatever it is told to, and keeps the heads of requests. */
class Switching {
  readonly heads: string[] = []
  answer = ok
  /** Closes connections behind the answer. */
  ends = false
  readonly #sockets = new Set<Socket>()
  readonly #server: Server = createServer((socket) => {
    this.#sockets.add(socket)
    socket.on("error", () => {})
    let received = ""
    socket.setEncoding("latin1").on("data", (text: string) => {
      if (socket.writableEnded) return
      received += text
      if (!received.includes("\r\n\r\n")) return
      this.heads.push(received)
      received = ""
      socket.write(this.answer)
      if (this.ends) socket.end()
    })
  })

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1")
    await once(this.#server, "listening")
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

const backend = new Switching()
let site: Site
beforeAll(async () => {
  await backend.start()
  site = await Site.start([])
  await site.put(ingress("demo/app", "foo.test/ → app:80"), ...serviceOn("demo/app", [backend.port]))
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  backend.stop()
})

const switched = (...headers: readonly string[]) =>
  `${["HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", ...headers].join("\r\n")}\r\n\r\n`

const ask = (lines: readonly string[], version = "1.1") =>
  rawRequest(
    site.wick.port,
    `${[`GET / HTTP/${version}`, "Host: foo.test", ...lines].join("\r\n")}\r\n\r\n`,
    "GET /second HTTP/1.1\r\nHost: foo.test\r\nConnection: close\r\n\r\n",
  )

/** `Upgrade` and the like of what the backend was asked first. */
async function asked(...lines: readonly string[]): Promise<string[]> {
  backend.heads.length = 0
  backend.answer = ok
  await ask(lines)
  return [...(backend.heads[0] ?? "").matchAll(/^(?:upgrade|http2-settings|connection):.*$/gim)].map(String)
}

const spellings = [
  "h2c",
  "H2C",
  " h2c ",
  "\th2c",
  "h2c,",
  ",h2c",
  "h2c, h2c",
  "h2",
  "h2c-14",
  "h2c/1.0",
].concat(["HTTP/2.0", "http/2", "TLS/1.0", "tls/1.3", "h3", '"h2c"', "h2c;q=1", "h2c websocket", "xh2c"])

test.each(spellings)("Upgrade: %j never goes out", async (value) => {
  expect(
    await asked("Connection: Upgrade, HTTP2-Settings", `Upgrade: ${value}`, "HTTP2-Settings: AAMA"),
  ).toEqual([])
  for (const list of [`websocket, ${value}`, `${value},websocket`, `${value} ,websocket, ${value}`]) {
    const lines = await asked("Connection: Upgrade", `Upgrade: ${list}`)
    expect(lines.join("\n").toLowerCase(), list).not.toMatch(/h2|http\/|tls|h3/)
  }
  for (const pair of [
    [value, "websocket"],
    ["websocket", value],
  ])
    expect(await asked(...pair.map((one) => `Upgrade: ${one}`))).toEqual([
      "Upgrade: websocket",
      "Connection: upgrade",
    ])
})

test.each(["HTTP2-Settings", "http2-settings", "Http2-sETTINGS"])("%s never goes out", async (name) => {
  expect(await asked("Connection: Upgrade", "Upgrade: websocket", `${name}: AAMA`, `${name}: BBBB`)).toEqual([
    "Upgrade: websocket",
    "Connection: upgrade",
  ])
})

test("other protocols go out as they are", async () => {
  for (const value of ["websocket", "WebSocket", "SPDY/3.1", "tcp", "websocket, tcp"])
    expect(await asked("Connection: Upgrade", `Upgrade: ${value}`)).toEqual([
      `Upgrade: ${value}`,
      "Connection: upgrade",
    ])
})

const statuses = (answer: string) => [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)

test("a switch that the client has not asked for ends its connection", async () => {
  for (const [lines, answer] of [
    [[], switched("Upgrade: h2c")],
    [[], switched("Upgrade: websocket")],
    [[], switched()],
    [["Connection: Upgrade", "Upgrade: h2c"], switched("Upgrade: h2c")],
    [["Connection: Upgrade", "Upgrade: websocket"], switched("Upgrade: h2c")],
    [["Connection: Upgrade", "Upgrade: websocket, h2c"], switched("Upgrade: h2c")],
    [["Connection: Upgrade", "Upgrade: websocket"], switched("Upgrade: websocket, h2c")],
    [["Connection: Upgrade", "Upgrade: websocket"], switched("Upgrade: tcp")],
  ] as const) {
    backend.heads.length = 0
    backend.answer = `${answer}inside`
    const said = await ask(lines)
    expect(statuses(said), `${lines} ${answer}`).toEqual(["502"])
    expect(said).not.toContain("inside")
    expect(backend.heads).toHaveLength(1)
  }
  backend.answer = switched("Upgrade: websocket")
  expect(statuses(await ask(["Connection: Upgrade", "Upgrade: websocket"], "1.0"))).toEqual(["502"])
})

test("one that it has asked for is a tunnel", async () => {
  const line = "GET / HTTP/1.1\r\nHost: foo.test\r\nConnection: Upgrade\r\nUpgrade: tcp, websocket\r\n\r\n"
  backend.ends = true
  for (const named of [["Upgrade: websocket"], ["Upgrade: WebSocket"], ["Upgrade: tcp"], []]) {
    backend.answer = `${switched(...named)}inside`
    const said = await rawRequest(site.wick.port, line)
    expect(statuses(said), `${named}`).toEqual(["101"])
    expect(said).toMatch(/\r\n\r\ninside$/)
  }
  backend.ends = false
})

test("no stream of HTTP/2 is switched", async () => {
  backend.answer = switched("Upgrade: websocket")
  const headers = [
    [":method", "GET"],
    [":scheme", "https"],
    [":path", "/"],
    [":authority", "foo.test"],
    ["upgrade", "websocket"],
  ] as const
  expect(await sendHttp2(site.wick.httpsPort, { headers }, { isTls: true })).toBe("502")
})
