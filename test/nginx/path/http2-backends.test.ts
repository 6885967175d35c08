// Plain requests to backends that speak HTTP/2 without TLS and nothing else: they go as gRPC does.
import { once } from "node:events"
import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2"
import { connect } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let server: Http2Server
let last: { readonly headers: Record<string, unknown>; readonly body: string } = { headers: {}, body: "" }

beforeAll(async () => {
  const [port = 0] = await freePorts(1)
  server = createServer()
  server.on("stream", (stream, headers) => void answer(stream, headers))
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  site = await Site.start([])
  const own = ingress("demo/foo", "foo.test/ → foo:80", { "backend-protocol": "GRPC" })
  await site.put(own, ...serviceOn("demo/foo", [port]))
  await until("the location", async () => (await site.get("/")).status === 200)
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  server.close()
})

async function answer(stream: ServerHttp2Stream, headers: Record<string, unknown>): Promise<void> {
  let body = ""
  for await (const piece of stream.setEncoding("utf8")) body += piece
  last = { headers, body }
  const path = String(headers[":path"])
  if (path === "/hints") stream.additionalHeaders({ ":status": 103, link: "</a.css>; rel=preload" })
  const isEmpty = path === "/empty" || headers[":method"] === "HEAD"
  const trailers = path === "/trailers"
  const status = path === "/empty" ? 204 : 200
  stream.respond({ ":status": status, "x-own": "yes" }, { waitForTrailers: trailers, endStream: isEmpty })
  if (trailers) stream.on("wantTrailers", () => stream.sendTrailers({ "x-sum": "42" }))
  if (!isEmpty) stream.end(`${headers[":method"]} ${path} ${body.length}`)
}

test("requests of all kinds reach it with their body, and answers come back", async () => {
  const get = await site.get("/a?b=c")
  expect([get.status, get.body, get.headers["x-own"]]).toEqual([200, "GET /a?b=c 0", "yes"])
  expect(last.headers["x-forwarded-proto"]).toBe("http")
  const body = "x".repeat(300_000)
  const post = await site.get("/post", { method: "POST", body })
  expect([post.status, post.body, last.body === body]).toEqual([200, "POST /post 300000", true])
  expect((await site.get("/put", { method: "PUT", body: "y" })).body).toBe("PUT /put 1")
  expect((await site.get("/h", { method: "HEAD" })).status).toBe(200)
  expect((await site.get("/empty", { method: "DELETE" })).status).toBe(204)
})

/** All that a client of HTTP/1.1 is sent for this request. */
async function rawAnswer(head: string): Promise<string> {
  const socket = connect(site.wick.port, "127.0.0.1")
  let text = ""
  socket.setEncoding("latin1").on("data", (piece: string) => {
    text += piece
  })
  socket.write(`${head}\r\nHost: foo.test\r\nConnection: close\r\n\r\n`)
  await until("the end of the answer", () => socket.destroyed || socket.readableEnded)
  return text
}

test("trailers come to clients of HTTP/1.1 that take them", async () => {
  const text = await rawAnswer("GET /trailers HTTP/1.1\r\nTE: trailers")
  expect(text).toContain("GET /trailers 0")
  expect(text).toMatch(/\r\n0\r\nx-sum: 42\r\n\r\n$/i)
})

test("an informational answer before the other one is 502: nginx takes none by HTTP/2", async () => {
  const text = await rawAnswer("GET /hints HTTP/1.1")
  expect(text.split("\r\n")[0]).toBe("HTTP/1.1 502 Bad Gateway")
})
