// An authentication service with HTTP/2, gRPC and TLS, and answers of it that are kept.
import { once } from "node:events"
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2"
import { connect as connectTls } from "node:tls"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { pem, tlsData } from "../../../harness/certificates.ts"
import { Echo } from "../../../harness/echo.ts"
import { call, GrpcServer } from "../../../harness/grpc.ts"
import { ingress, type Json, secret, serviceOn } from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { type Annotations, asks, authSite } from "./external-auth-site.ts"

const at = authSite()
const { says, put, protect, status } = at

describe("answers that are kept", () => {
  const kept = { "auth-cache-key": "$http_authorization", "auth-response-headers": "X-User" }
  const as = (who: string, path = "/", host = "foo.test") =>
    status(path, { host, headers: { authorization: who } })
  const bySomebody = () =>
    says(({ headers }) => ({ status: 200, headers: { "x-user": `${headers.authorization}` } }))

  test("155: one answer serves every request with the same key, and no other", async () => {
    await protect(kept)
    bySomebody()
    expect([await as("ann"), await as("ann"), await as("bob"), await as("ann")]).toEqual([200, 200, 200, 200])
    expect(at.service.asked.map(({ headers }) => headers.authorization)).toEqual(["ann", "bob"])
    expect(at.backend.asked.map(({ headers }) => headers["x-user"])).toEqual(["ann", "ann", "bob", "ann"])
  })

  test("156: nor one of another path or host", async () => {
    const objects = (...auth: readonly Json[]) => [
      ...serviceOn("demo/app", [at.backend.port]),
      ...auth,
      ingress("demo/one", ["foo.test/one → app:80", "foo.test/two → app:80", "bar.test/one → app:80"], {
        ...asks,
        ...kept,
      }),
    ]
    await at.site.put(...objects(...serviceOn("demo/auth", [at.service.port])))
    expect(await as("eve", "/one")).toBe(200)
    await at.site.put(...objects(...serviceOn("demo/auth", [])))
    expect(await as("eve", "/one")).toBe(200)
    expect([await as("eve", "/two"), await as("eve", "/one", "bar.test"), await as("ann", "/one")]).toEqual([
      500, 500, 500,
    ])
  })

  test("only for statuses and times of auth-cache-duration", async () => {
    await protect({ ...kept, "auth-cache-duration": "401 1m, 200 1s" })
    says({ status: 401 })
    expect([await as("tim"), await as("tim")]).toEqual([401, 401])
    says({ status: 403 })
    expect([await as("tim"), await as("tom"), await as("tom")]).toEqual([401, 403, 403])
    expect(at.service.asked).toHaveLength(3)
    says({ status: 200 })
    expect(await as("tam")).toBe(200)
    const { length } = at.service.asked
    await until("the answer to be too old", async () => {
      await as("tam")
      return at.service.asked.length > length
    })
  })

  test("not longer than whom to ask, and how, stays the same", async () => {
    await protect(kept)
    bySomebody()
    expect(await as("joe")).toBe(200)
    says({ status: 403 })
    await protect({ ...kept, "auth-url": "http://auth/other" })
    expect(await as("joe")).toBe(403)
  })
})

describe("HTTP/2", () => {
  /** With a connection of its own. */
  async function withSession<T>(use: (session: ClientHttp2Session) => Promise<T>): Promise<T> {
    const createConnection = () =>
      connectTls({
        host: "127.0.0.1",
        port: at.site.wick.httpsPort,
        servername: "foo.test",
        ALPNProtocols: ["h2"],
        rejectUnauthorized: false,
      })
    const session = connectHttp2("https://foo.test", { createConnection })
    session.on("error", () => {})
    try {
      return await use(session)
    } finally {
      session.destroy()
    }
  }

  test("159: it is asked about each request of a connection, with auth-keepalive too", async () => {
    await protect({ "auth-keepalive": "123", "auth-response-headers": "X-User" })
    says(({ headers }) => ({
      status: headers.cookie === "who=ann" ? 200 : 403,
      headers: { "x-user": "ann" },
    }))
    const statuses = await withSession(async (session) => {
      const one = async (headers: Annotations) => {
        const stream = session.request({ ":path": "/a", "x-user": "root", ...headers })
        const [answer] = (await once(stream, "response")) as [{ ":status"?: number }]
        stream.close()
        return answer[":status"]
      }
      return Promise.all([one({ cookie: "who=ann" }), one({}), one({ cookie: "who=ann" })])
    })
    expect(statuses).toEqual([200, 403, 200])
    expect(at.backend.asked.map(({ headers }) => headers["x-user"])).toEqual(["ann", "ann"])
    expect(at.service.last.headers["x-original-url"]).toBe("https://foo.test:443/a") // as Node asks for it
  })

  test("calls of gRPC reach their backend with the headers of the service, and without the client's", async () => {
    const server = await new GrpcServer("g").start()
    const grpc = { "backend-protocol": "GRPC", "auth-response-headers": "X-User,X-Role" }
    await put(
      ingress("demo/calls", "foo.test/ → calls:80", { ...asks, ...grpc }),
      ...serviceOn("demo/calls", [server.port]),
    )
    says({ headers: { "x-user": "ann" } })
    const forged = async (session: ClientHttp2Session) => {
      const stream = session.request({
        ":method": "POST",
        ":path": "/echo/say",
        "content-type": "application/grpc",
        te: "trailers",
        "x-user": "root",
        "x-role": "root",
      })
      stream.end()
      await once(stream, "response")
      stream.close()
    }
    await until("gRPC to be spoken", () =>
      withSession(async (session) => (await call(session, "/echo/say", "hi")).grpcStatus === "0").catch(
        () => false,
      ),
    )
    await withSession(forged)
    expect([server.lastHeaders["x-user"], server.lastHeaders["x-role"]]).toEqual(["ann", undefined])
    says({ status: 403 })
    const { calls } = server
    await withSession((session) => call(session, "/echo/say", "hi")).catch(() => {})
    expect(server.calls).toBe(calls)
    await server.stop()
  })
})

describe("a service that shows who it is", () => {
  let encrypted: Echo
  beforeAll(async () => {
    const pair = { cert: pem("client.crt"), key: pem("client.key") }
    encrypted = await new Echo({ ...pair, requestCert: true, rejectUnauthorized: false }).start()
  })
  afterAll(() => encrypted[Symbol.asyncDispose]())

  // its certificate is for the name `client`
  const named = () => [
    ...serviceOn("demo/client", [encrypted.port]),
    ...serviceOn("demo/other", [encrypted.port]),
  ]
  const trusting = { "wick.dev/auth-proxy-ssl-secret": "trusted" }
  const name = () => encrypted.last.tls?.serverName

  test("by TLS, with the name in the URL; whoever answers is believed", async () => {
    await protect({ "auth-url": "https://client:80/verify" }, ...named())
    expect(await status()).toBe(200)
    expect(encrypted.last).toMatchObject({ url: "/verify", tls: { client: undefined, serverName: "client" } })
    await protect({ "auth-url": "https://other:80/" }, ...named())
    expect([await status(), name()]).toEqual([200, "other"])
  })

  test("is believed only with a certificate for that name by the CAs of a Secret", async () => {
    const { "ca.crt": ca, ...pair } = tlsData
    await protect(
      { "auth-url": "https://client:80/", ...trusting },
      ...named(),
      secret("demo/trusted", { "ca.crt": ca }),
    )
    expect([await status(), name()]).toEqual([200, "client"])
    await protect(
      { "auth-url": "https://other:80/", ...trusting },
      ...named(),
      secret("demo/trusted", { "ca.crt": ca }),
    )
    expect(await status()).toBe(500)
    await protect(
      { "auth-url": "https://client:80/", ...trusting },
      ...named(),
      secret("demo/trusted", { ...pair, "ca.crt": ca }),
    )
    expect([await status(), encrypted.last.tls?.client]).toEqual([200, "client"])
    await protect({ "auth-url": "https://client:80/", ...trusting }, ...named(), secret("demo/trusted", pair))
    expect(await status()).toBe(503)
    await at.site.untilProblem("secret-refused")
    await protect({ "auth-url": "https://client:80/", ...trusting }, ...named())
    expect(await status()).toBe(503)
    await at.site.expectOnlyPosts()
  })

  test("counts with CAs that change from the next handshake on, and what was kept before it had to show anything does not", async () => {
    const other = await rootAuthority({ cn: "other" })
    const by = (ca: string, annotations: Annotations = trusting) =>
      protect(
        { "auth-url": "https://client:80/", ...annotations },
        ...named(),
        secret("demo/trusted", { "ca.crt": ca }),
      )
    const keyed = { "auth-cache-key": "$http_authorization" }
    await by(other.pem, keyed)
    expect([await status(), await status()]).toEqual([200, 200])
    await by(other.pem, { ...keyed, ...trusting })
    expect(await status()).toBe(500)
    await by(tlsData["ca.crt"])
    expect([await status(), await status()]).toEqual([200, 200])
    await by(other.pem)
    expect(await status()).toBe(500)
    await by(tlsData["ca.crt"])
    expect(await status()).toBe(200)
    await at.site.expectOnlyPosts()
  })
})
