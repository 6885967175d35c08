// Requests of every kind wait for the authentication service, with nothing of their bodies read, and go on as if they had not.
import { connect as connectHttp2 } from "node:http2"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { until } from "../../../harness/until.ts"
import { type AuthSite, startAuthSite } from "./support/auth-site.ts"

const host = "a.test"
let site: AuthSite
beforeAll(async () => {
  site = await startAuthSite({
    backendLocations: (address) => `
      location @upgrade {
        proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection Upgrade;
        proxy_pass ${address};
      }
      location @streaming { proxy_http_version 1.1; proxy_request_buffering off; proxy_pass ${address}; }
      location @small { client_max_body_size 10; proxy_pass ${address}; }`,
    tls: "",
  })
})
afterAll(() => site[Symbol.asyncDispose]())
beforeEach(() => {
  site.service.answer = () => ({})
  site.service.asked.length = 0
  site.backend.asked.length = 0
})

/** A connection on which everything that came is kept. */
class Raw implements Disposable {
  readonly #socket: Socket
  text = ""
  constructor(...lines: readonly string[]) {
    this.#socket = connect(site.ingress.port, "127.0.0.1").on("error", () => {})
    this.#socket.on("data", (chunk) => {
      this.text += chunk
    })
    this.write(`${lines.join("\r\n")}\r\n\r\n`)
  }
  write(text: string): void {
    this.#socket.write(text)
  }
  saying(text: string): Promise<unknown> {
    return until(`"${text}" in "${this.text}"`, () => this.text.includes(text))
  }
  [Symbol.dispose](): void {
    this.#socket.destroy()
  }
}

/** Answers the questions that wait, when it is called. */
function holding(status: number): () => void {
  let isHeld = true
  site.service.answer = () => ({ status, until: () => !isHeld })
  return () => {
    isHeld = false
  }
}

const asked = (count = 1) => until("the question", () => site.service.asked.length >= count)

test("streams of one HTTP/2 connection wait each for itself", async () => {
  await site.guard(host, { target: "$request_uri", responseHeaders: ["X-User"] })
  site.service.answer = ({ url }) => ({
    status: url.includes("in") ? 200 : 403,
    headers: { "x-user": url },
    delayMs: url.length % 3,
  })
  const session = connectHttp2(`https://127.0.0.1:${site.ingress.tlsPort}`, { rejectUnauthorized: false })
  const ask = (path: string, body: string) =>
    new Promise<string>((resolve, reject) => {
      const stream = session.request({
        ":authority": host,
        ":path": path,
        ":method": "POST",
        "x-user": "forged",
      })
      let [status, text] = [0, ""]
      stream.on("response", (headers) => {
        status = Number(headers[":status"])
      })
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      stream.on("end", () => resolve(status === 200 ? text : String(status))).on("error", reject)
      stream.end(body)
    })
  try {
    const paths = Array.from({ length: 40 }, (_, at) => `/${at % 4 === 0 ? "out" : "in"}/${at}`)
    const bodies = paths.map((path, at) => path.repeat(at * 50))
    const answers = await Promise.all(paths.map((path, at) => ask(path, bodies[at] ?? "")))
    for (const [at, path] of paths.entries()) {
      if (at % 4 === 0) expect(answers[at]).toBe("403")
      else {
        expect(JSON.parse(answers[at] ?? "")).toMatchObject({
          url: path,
          body: bodies[at],
          headers: { "x-user": path },
        })
      }
    }
  } finally {
    session.destroy()
  }
})

test("a WebSocket is opened after the verdict, and not before", async () => {
  await site.guard(host, {}, { location: "upgrade" })
  const lines = ["GET /chat HTTP/1.1", `Host: ${host}`, "Upgrade: websocket", "Connection: Upgrade"]
  using open = new Raw(...lines)
  await open.saying("101 Switching Protocols")
  open.write("hello")
  await open.saying("hello")
  expect(site.service.last.headers).not.toHaveProperty("upgrade")
  site.service.answer = () => ({ status: 401 })
  using closed = new Raw(...lines)
  await closed.saying("401 Unauthorized")
})

test("who expects 100 hears it after the verdict only", async () => {
  await site.guard(host)
  const lines = ["PUT / HTTP/1.1", `Host: ${host}`, "Content-Length: 5", "Expect: 100-continue"]
  const release = holding(204)
  using granted = new Raw(...lines)
  await asked()
  expect(granted.text).toBe("")
  release()
  await granted.saying("100 Continue")
  granted.write("hello")
  await granted.saying("200 OK")
  expect(site.backend.last.body).toBe("hello")
  expect(site.service.last.headers).not.toHaveProperty("expect")
  site.service.answer = () => ({ status: 403 })
  using refused = new Raw(...lines)
  await refused.saying("403 Forbidden")
  expect(refused.text).not.toContain("100 Continue")
})

test("a body that comes in pieces is not read before the verdict", async () => {
  await site.guard(host, {}, { location: "streaming" })
  const release = holding(200)
  using client = new Raw("POST / HTTP/1.1", `Host: ${host}`, "Transfer-Encoding: chunked")
  client.write("5\r\nhello\r\n")
  await asked()
  client.write("6\r\n world\r\n")
  expect(site.service.last.headers).not.toHaveProperty("transfer-encoding")
  release()
  await until("the backend's turn", () => site.backend.connections > 0)
  client.write("0\r\n\r\n")
  await client.saying("200 OK")
  expect(site.backend.last.body).toBe("hello world")
})

test("a body that is too large is refused before anybody is asked", async () => {
  await site.guard(host, {}, { location: "small" })
  const { status } = await site.ingress.nginx.get("/", { host, method: "POST", body: "x".repeat(11) })
  expect(status).toBe(413)
  expect(site.service.asked).toEqual([])
})

test("a body that was refused does not become the next request", async () => {
  await site.guard(host)
  site.service.answer = () => ({ status: 403 })
  const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  using client = new Raw("POST /first HTTP/1.1", `Host: ${host}`, `Content-Length: ${smuggled.length}`)
  client.write(smuggled)
  client.write(`GET /last HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  await until("both answers", () => client.text.split("403 Forbidden\r\n").length >= 3)
  expect(site.service.asked.map(({ headers }) => headers["x-auth-request-redirect"])).toEqual([
    "/first",
    "/last",
  ])
})

test("requests of one connection are answered in their order", async () => {
  await site.guard(host, { target: "$request_uri" })
  site.service.answer = ({ url }) => ({ status: url === "/2" ? 403 : 200, delayMs: url === "/1" ? 50 : 0 })
  const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}`
  using client = new Raw(line("/1"), "", line("/2"), "", line("/3"))
  await client.saying('"url":"/3"')
  const heard = [...client.text.matchAll(/HTTP\/1\.1 (\d+)|"url":"([^"]+)"/g)]
  expect(heard.map(([, status, url]) => status ?? url)).toEqual(["200", "/1", "403", "200", "/3"])
})

test("others are served meanwhile, and a thousand may wait", async () => {
  await site.guard(host)
  await site.ingress.route("open.test", [{}])
  const release = holding(204)
  const waiting = Array.from({ length: 1000 }, () => site.ingress.nginx.get("/", { host }))
  await asked(1000)
  expect((await site.ingress.nginx.get("/", { host: "open.test" })).status).toBe(200)
  release()
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
})

test("a request goes on under the checks that it came with, whatever becomes of its route", async () => {
  await site.guard(host, { responseHeaders: ["X-User"] })
  site.service.answer = () => ({})
  const release = holding(204)
  const waits = site.ingress.nginx.get("/", { host, headers: { "x-user": "forged" } })
  await asked()
  await site.ingress.route(host, undefined)
  expect((await site.ingress.nginx.get("/", { host })).status).toBe(404)
  release()
  expect((await waits).status).toBe(200)
  expect(site.backend.last.headers).not.toHaveProperty("x-user")
})

test("a worker that is to exit waits with its requests", async () => {
  await site.guard(host)
  const release = holding(204)
  const waits = site.ingress.nginx.get("/", { host })
  await asked()
  const [old] = site.ingress.nginx.workers()
  await site.ingress.nginx.reload()
  expect(site.ingress.nginx.workers()).not.toContain(old)
  release()
  expect((await waits).status).toBe(200)
})

test("a service that takes too long is none, by the route's own timeout", async () => {
  await site.guard(host, {}, { proxyReadTimeoutMs: 50 })
  const release = holding(204)
  expect((await site.ingress.nginx.get("/", { host })).status).toBe(500)
  release()
  expect(site.backend.asked).toEqual([])
  expect(site.ingress.nginx.errorLog()).not.toContain("[alert]")
})
