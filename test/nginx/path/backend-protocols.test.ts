// What is spoken to backends, from the annotation to what they get.

import { readdirSync, readFileSync } from "node:fs"
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2"
import { connect } from "node:net"
import { join } from "node:path"
import { connect as connectTls } from "node:tls"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { nginxVariables } from "../../../controller/core/options/nginx-variables.ts"
import { pem, tlsData } from "../../../harness/certificates.ts"
import { Echo } from "../../../harness/echo.ts"
import { call, GrpcServer } from "../../../harness/grpc.ts"
import { ask, type Question } from "../../../harness/http.ts"
import { ingress, secret, serviceOn, settings } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { tlsAgent } from "../../support/agents.ts"
import { FastCgiServer } from "../../support/fastcgi.ts"
import { Site } from "./site.ts"

let site: Site
let plain: Echo
let encrypted: Echo
beforeAll(async () => {
  const pair = { cert: pem("client.crt"), key: pem("client.key") }
  plain = await new Echo().start()
  encrypted = await new Echo({ ...pair, requestCert: true, rejectUnauthorized: false }).start()
  site = await Site.start([])
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await plain[Symbol.asyncDispose]()
  await encrypted[Symbol.asyncDispose]()
})

/** One Ingress for foo.test in front of the endpoint at `port`. */
async function serve(port: number, annotations: Record<string, string>, ...more: readonly object[]) {
  const own = ingress("demo/foo", "foo.test/ → foo:80", annotations)
  await site.put(own, ...serviceOn("demo/foo", [port]), ...(more as { [key: string]: unknown }[]))
}

const overTls = (question: Question) =>
  ask({ port: site.wick.httpsPort, agent: tlsAgent() }, { host: "foo.test", ...question })

async function untilStatus(status: number, get: () => Promise<{ status: number }>): Promise<void> {
  await until(`status ${status}`, async () => (await get()).status === status)
}

test("HTTPS: TLS to the endpoint, whatever the client speaks, without a name or certificate of ours", async () => {
  await serve(encrypted.port, { "backend-protocol": "https" })
  await untilStatus(200, () => site.get("/"))
  expect(encrypted.last.tls).toEqual({ client: undefined, serverName: false })
  expect((await overTls({})).status).toBe(200)
  expect(encrypted.last.headers["x-forwarded-proto"]).toBe("https")
})

test("296: AUTO_HTTP speaks TLS to the endpoint when the client does, and not otherwise", async () => {
  await serve(encrypted.port, { "backend-protocol": "AUTO_HTTP" })
  await until("plain HTTP to a TLS port", async () => (await site.get("/")).status !== 200)
  expect((await overTls({})).status).toBe(200)
  expect(encrypted.last.tls).toBeDefined()
  await serve(plain.port, { "backend-protocol": "AUTO_HTTP" })
  await untilStatus(200, () => site.get("/"))
  expect((await overTls({})).status).toBe(502)
})

describe("TLS with proxy-ssl-secret", () => {
  const tls = { "backend-protocol": "HTTPS", "proxy-ssl-secret": "demo/tls" }
  const ours = secret("demo/tls", tlsData)

  test("the endpoint sees our certificate and the name", async () => {
    const name = { "proxy-ssl-name": "client", "proxy-ssl-server-name": "on" }
    await serve(encrypted.port, { ...tls, ...name, "proxy-ssl-verify": "on" }, ours)
    await untilStatus(200, () => site.get("/"))
    expect(encrypted.last.tls).toEqual({ client: "client", serverName: "client" })
  })

  test("a name is the route's: another one needs no reload, and one that does not fit is 502", async () => {
    const before = await site.wick.metric("nginx_ingress_controller_success")
    const name = { "proxy-ssl-name": "other", "proxy-ssl-server-name": "on" }
    await serve(encrypted.port, { ...tls, ...name, "proxy-ssl-verify": "on" }, ours)
    await untilStatus(502, () => site.get("/"))
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(before)
  })

  test("its key is in no file", async () => {
    await serve(encrypted.port, { ...tls, "proxy-ssl-verify": "on" }, ours)
    expect(readdirSync(join(site.wick.runtimeDir, "secrets"))).toEqual([])
    expect(readFileSync(join(site.wick.runtimeDir, "fixed.json"), "utf8")).not.toContain("PRIVATE")
    expect(site.wick.log()).not.toContain("PRIVATE")
  })

  test("a Secret that is gone denies the paths, and one that comes back serves them", async () => {
    await serve(encrypted.port, tls)
    await untilStatus(503, () => site.get("/"))
    await site.untilProblem("reference-missing")
    await serve(encrypted.port, tls, ours)
    await untilStatus(200, () => site.get("/"))
  })
})

describe("gRPC", () => {
  let server: GrpcServer
  beforeAll(async () => {
    server = await new GrpcServer("g").start()
  })
  afterAll(() => server.stop())

  /** With a connection of its own. */
  async function withSession<T>(use: (session: ClientHttp2Session) => Promise<T>): Promise<T> {
    const socket = connectTls({
      host: "127.0.0.1",
      port: site.wick.httpsPort,
      servername: "foo.test",
      ALPNProtocols: ["h2"],
      rejectUnauthorized: false,
    })
    const session = connectHttp2("https://foo.test", { createConnection: () => socket })
    session.on("error", () => {})
    try {
      return await use(session)
    } finally {
      session.destroy()
    }
  }

  const isAnswered = () =>
    withSession(async (session) => (await call(session, "/echo/say", "hi")).grpcStatus === "0").catch(
      () => false,
    )

  test("297: a call over the TLS listener arrives with the host that was asked for", async () => {
    await serve(server.port, { "backend-protocol": "GRPC" })
    await until("gRPC to be spoken", isAnswered)
    const reply = await withSession((session) => call(session, "/echo/say", "hi"))
    expect(reply.messages).toEqual(["g hi"])
    const { ":authority": authority, host } = server.lastHeaders
    expect(authority ?? host).toBe("foo.test:443") // as Node asks for it
    expect(server.lastHeaders).not.toHaveProperty("connection")
  })

  test("299: proxy-read-timeout ends a call that takes longer, and no other", async () => {
    await serve(server.port, { "backend-protocol": "GRPC", "proxy-read-timeout": "1" })
    await until("gRPC to be spoken", isAnswered)
    const trailers = await withSession(async (session) => {
      const slow = session.request({ ":method": "POST", ":path": "/echo/say" })
      let last: object | undefined
      slow
        .on("error", () => {})
        .on("trailers", (headers) => {
          last = headers
        })
      await new Promise((resolve) => slow.resume().on("close", resolve))
      return last
    })
    expect(trailers).toBeUndefined()
    await until("another call to be answered", isAnswered)
  })
})

test("FCGI: nginx takes every variable that a parameter may name", async () => {
  await using server = await new FastCgiServer(() => "Content-Type: text/plain\r\n\r\nserved").start()
  const all = Object.fromEntries(nginxVariables.map((name) => [`V_${name}`, `$${name}`]))
  const annotations = { "backend-protocol": "FCGI", "fastcgi-params-configmap": "all" }
  await serve(server.port, annotations, settings("demo/all", all))
  await until("FastCGI", async () => (await site.get("/")).body === "served")
})

test("FCGI: the usual parameters, those of the ConfigMap, and no proxy of the client's", async () => {
  const seen: ReadonlyMap<string, string>[] = []
  await using server = await new FastCgiServer(({ params }) => {
    seen.push(params)
    return "Content-Type: text/plain\r\n\r\nfrom fastcgi"
  }).start()
  const php = settings("demo/php", { SCRIPT_FILENAME: `/srv$fastcgi_script_name`, APP: "shop" })
  const annotations = {
    "backend-protocol": "FCGI",
    "fastcgi-index": "index.php",
    "fastcgi-params-configmap": "demo/php",
  }
  await serve(server.port, annotations, php)
  await until("its own parameters", async () => {
    await site.get("/a/")
    return seen.at(-1)?.get("APP") === "shop"
  })
  expect((await site.get("/a/?b=1", { headers: { proxy: "http://evil.test" } })).body).toBe("from fastcgi")
  const params = Object.fromEntries(seen.at(-1) ?? [])
  expect(params).toMatchObject({ SCRIPT_FILENAME: "/srv/a/index.php", APP: "shop", QUERY_STRING: "b=1" })
  expect(params.HTTP_PROXY ?? "").toBe("")
  // No location is left that names a certificate.
  expect(readdirSync(join(site.wick.runtimeDir, "secrets"))).toEqual([])
})

test("301: a WebSocket goes both ways", async () => {
  await serve(plain.port, {})
  await untilStatus(200, () => site.get("/"))
  const socket = connect(site.wick.port, "127.0.0.1")
  const heard: string[] = []
  socket.setEncoding("utf8").on("data", (text: string) => heard.push(text))
  socket.write("GET / HTTP/1.1\r\nHost: foo.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
  await until("the upgrade", async () => heard.join("").includes("101 Switching Protocols"))
  socket.write("ping")
  await until("the echo", async () => heard.join("").endsWith("ping"))
  socket.destroy()
})
