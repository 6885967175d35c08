// What the guides say about gRPC, WebSocket and large bodies, with what they show.
import { once } from "node:events"
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2"
import { connect } from "node:net"
import { connect as connectTls, type TLSSocket } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { Call, call, GrpcServer } from "../../../harness/grpc.ts"
import { service } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { GuideSite } from "./guide-site.ts"

const grpc = { page: "docs/guides/grpc.md", heading: "gRPC" }
const web = { page: "docs/guides/grpc.md", heading: "gRPC-Web" }
const websocket = { page: "docs/guides/websocket.md", heading: "WebSocket, and other long answers" }
const uploads = { page: "docs/guides/uploads.md", heading: "Large uploads" }

let at: GuideSite
let greeter: GrpcServer
let echo: Echo
beforeAll(async () => {
  greeter = new GrpcServer("greeter")
  echo = new Echo()
  await Promise.all([greeter.start(), echo.start()])
  at = await GuideSite.start([web, uploads])
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await greeter[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})

test("calls and streams of gRPC come through, with their trailers", async () => {
  await at.apply(grpc.page, grpc.heading, ...at.served("greeter", 50_051, greeter.port))
  const host = "grpc.example.com"
  const session = await sessionWith(host)
  const stream = new Call(session, "/echo/say")
  for (const word of ["one", "two"]) {
    const next = stream.next()
    stream.send(word)
    expect(await next).toContain(word)
  }
  expect(await stream.end()).toMatchObject({ status: 200, grpcStatus: "0" })
  session.destroy()
})

test("without a Pod a call gets 14", async () => {
  await at.apply(grpc.page, grpc.heading, service("demo/greeter", 50_051))
  const session = await sessionWith("grpc.example.com")
  expect(await call(session, "/echo/say", "one")).toMatchObject({
    status: 200,
    grpcStatus: "14",
    messages: [],
  })
  session.destroy()
})

async function sessionWith(host: string): Promise<ClientHttp2Session> {
  const socket = await until("the certificate of the host", () => trusted(host))
  return connectHttp2(`https://${host}`, { createConnection: () => socket })
}

/** A connection for HTTP/2; undefined while another certificate is shown. */
async function trusted(servername: string): Promise<TLSSocket | undefined> {
  const { httpsPort: port } = at.site.wick
  const ca = at.authority.pem
  const socket = connectTls({ host: "127.0.0.1", port, servername, ca, ALPNProtocols: ["h2"] })
  return await once(socket, "secureConnect").then(
    () => socket,
    () => undefined,
  )
}

test("pages of another origin may speak gRPC-Web", async () => {
  await at.apply(web.page, web.heading)
  const headers = { origin: "https://app.example.com", "access-control-request-method": "POST" }
  const host = "web.example.com"
  const preflight = await at.site.get("/greeter.Greeter/Say", { host, method: "OPTIONS", headers })
  expect(preflight.status).toBe(204)
  expect(preflight.headers["access-control-allow-headers"]).toContain("x-grpc-web")
  const answer = await at.site.get("/greeter.Greeter/Say", { host, method: "POST", headers })
  expect(answer.headers).toMatchObject({
    "access-control-allow-origin": "https://app.example.com",
    "access-control-expose-headers": "grpc-status,grpc-message,grpc-status-details-bin",
  })
})

test("a WebSocket goes both ways, and may be idle for an hour", async () => {
  await at.apply(websocket.page, websocket.heading, ...at.served("chat", 80, echo.port))
  const routes = await at.site.wick.control("GET", "/configuration/routes?host=chat.example.com")
  expect(routes.body).toContain('"proxy_read_timeout_ms":3600000')
  const socket = connect(at.site.wick.port, "127.0.0.1")
  const heard: string[] = []
  socket.setEncoding("utf8").on("data", (text: string) => heard.push(text))
  socket.write(
    "GET / HTTP/1.1\r\nHost: chat.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  )
  await until("the upgrade", () => heard.join("").includes("101 Switching Protocols"))
  socket.write("ping")
  await until("the echo", () => heard.join("").endsWith("ping"))
  socket.destroy()
})

test("a body of two megabytes is taken, which is refused without the annotation", async () => {
  await at.apply(uploads.page, uploads.heading, ...at.served("files", 80, echo.port))
  const body = "x".repeat(2_000_000)
  const put = (host: string) => at.site.get("/", { host, method: "PUT", body })
  expect((await put("files.example.com")).status).toBe(200)
  expect(echo.last.body).toHaveLength(body.length)
  await at.apply(web.page, web.heading)
  expect((await put("web.example.com")).status).toBe(413)
})

test("the Pod gets a body while it arrives", async () => {
  await at.apply(uploads.page, uploads.heading)
  const backend = at.site.backend("files")
  const before = backend.requests
  const socket = connect(at.site.wick.port, "127.0.0.1")
  socket.write("PUT / HTTP/1.1\r\nHost: files.example.com\r\nContent-Length: 20\r\n\r\n0123456789")
  await until("the Pod to be asked", () => backend.requests > before)
  socket.write("0123456789")
  expect(String(await once(socket, "data"))).toContain("200 OK")
  socket.destroy()
})
