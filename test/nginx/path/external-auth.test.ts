// An authentication service is asked about every request: annotations and keys of the ConfigMap, from the object to what the service, the backend
// and the client get to see. What the module does with each answer is in test/nginx/ingress.
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect as connectTls } from "node:tls"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { pem, tlsData } from "../../support/certificates.ts"
import { type Asked, Echo, type Told } from "../../support/echo.ts"
import { call, GrpcServer } from "../../support/grpc.ts"
import type { Question } from "../../support/http.ts"
import { startLoad } from "../../support/load.ts"
import { ingress, type Json, secret, serviceOn, settings } from "../../support/manifests.ts"
import { basic, hashes } from "../../support/passwords.ts"
import { freePorts } from "../../support/ports.ts"
import { until } from "../../support/until.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

let site: Site
let service: Echo
let backend: Echo
beforeAll(async () => {
  service = await new Echo().start()
  backend = await new Echo().start()
  site = await Site.start([])
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
})
beforeEach(() => {
  says({})
  backend.answer = () => ({ body: "backend" })
  service.asked.length = 0
  backend.asked.length = 0
})

type Annotations = Readonly<Record<string, string>>

const says = (told: Told | ((asked: Asked) => Told)) => {
  service.answer = typeof told === "function" ? told : () => told
}

const url = "http://auth.demo.svc.cluster.local/verify"
const asks = { "auth-url": url }

/** Everything that is served, beside the Ingresses of a case. */
const services = () => [...serviceOn("demo/app", [backend.port]), ...serviceOn("demo/auth", [service.port])]
const put = (...objects: readonly Json[]) => site.put(...services(), ...objects)
const protect = (annotations: Annotations = {}, ...others: readonly Json[]) =>
  put(ingress("demo/app", "foo.test/ → app:80", { ...asks, ...annotations }), ...others)
const get = (path = "/", question: Question = {}) => site.get(path, question)
const status = async (path?: string, question?: Question) => (await get(path, question)).status

describe("what the service answers", () => {
  test("139: 200 lets a request in", async () => {
    await protect()
    expect(await get()).toMatchObject({ status: 200, body: "backend" })
    expect(service.asked).toHaveLength(1)
    await site.expectOnlyPosts()
  })

  test("140, 141: 401 and 403 are passed on, and the body reaches nobody", async () => {
    await protect()
    says({ status: 401, headers: { "www-authenticate": ["Basic", "Bearer"] }, body: "secret" })
    const refused = await get()
    expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, "Basic, Bearer"])
    expect(refused.body).not.toContain("secret")
    says({ status: 403, body: "secret" })
    expect(await status()).toBe(403)
    expect(backend.asked).toEqual([])
  })

  test("142: anything else is 500, and so is no answer", async () => {
    await protect()
    for (const told of [500, 404, 302, 503]) {
      says({ status: told, headers: { location: "/" } })
      expect(await status()).toBe(500)
    }
    await put(
      ingress("demo/app", "foo.test/ → app:80", { "auth-url": "http://empty/" }),
      ...serviceOn("demo/empty", []),
    )
    expect(await status()).toBe(500)
    await put(
      ingress("demo/app", "foo.test/ → app:80", { "auth-url": "http://nobody.demo.svc.cluster.local/" }),
    )
    expect(await status()).toBe(500)
    await site.untilProblem("auth-service-unusable")
    await put(ingress("demo/app", "foo.test/ → app:80", { "auth-url": "http://169.254.169.254/" }))
    expect(await status()).toBe(500)
    expect(backend.asked).toEqual([])
  })

  test("147: headers of it take the place of the client's, also when it has none", async () => {
    await protect({ "auth-response-headers": "Foo, X-User" })
    says({ headers: { "x-user": "ann" } })
    await get("/", { headers: { Foo: "bar", foo_: "x", "X-User": "root", X_User: "root", "x-other": "1" } })
    const { headers } = backend.last
    expect([headers.foo, headers["x-user"], headers.x_user]).toEqual([undefined, "ann", undefined])
    expect(headers["x-other"]).toBe("1")
  })

  test("149: cookies of it reach the client, with errors only if always", async () => {
    const cookies = ["a=1; Path=/", "b=2; HttpOnly"]
    says({ headers: { "set-cookie": cookies } })
    await protect()
    expect((await get()).headers["set-cookie"]).toEqual(cookies)
    backend.answer = () => ({ status: 404 })
    expect((await get()).headers["set-cookie"]).toBeUndefined()
    await protect({ "auth-always-set-cookie": "true" })
    expect((await get()).headers["set-cookie"]).toEqual(cookies)
  })

  test("nothing in its headers becomes a header of anybody", async () => {
    await protect({ "auth-response-headers": "X-User" })
    says({
      headers: { "x-user": "ann", "x-accel-redirect": "/other", "x-injected": "1", location: "//evil.test" },
    })
    const answer = await get()
    expect([answer.status, answer.headers["x-injected"], answer.headers.location]).toEqual([
      200,
      undefined,
      undefined,
    ])
    expect(backend.last.headers).not.toHaveProperty("x-injected")
  })
})

describe("what the service is asked", () => {
  test("162: it is told about the request", async () => {
    await protect({ "auth-request-redirect": "https://foo.test/back?$args" })
    await get("/a%20b?c=d", {
      method: "DELETE",
      headers: { "x-original-url": "forged", "x-original-method": "GET" },
    })
    const { method, url: asked, body, headers } = service.last
    expect([method, asked, body]).toEqual(["GET", "/verify", ""])
    expect(headers).toMatchObject({
      host: "auth.demo.svc.cluster.local",
      "x-original-url": "http://foo.test/a%20b?c=d",
      "x-original-method": "DELETE",
      "x-sent-from": "nginx-ingress-controller",
      "x-auth-request-redirect": "https://foo.test/back?c=d",
    })
  })

  test("152: it may be asked with another method, never with a body", async () => {
    await protect({ "auth-method": "POST" })
    await get("/", { method: "PUT", body: "x".repeat(100_000) })
    expect([service.last.method, service.last.body]).toEqual(["POST", ""])
    expect(service.last.headers["x-original-url"]).toBe("http://foo.test/")
    expect([backend.last.method, backend.last.body.length]).toEqual(["PUT", 100_000])
  })

  test("path and query may have variables, and are one line whatever those are", async () => {
    await protect({ "auth-url": "http://auth/verify?uri=$scheme://$host$request_uri&x=$http_x" })
    await get("/p?q=%0d%0aX-Y:z", { headers: { x: "a b" } })
    expect(service.last.url).toBe("/verify?uri=http://foo.test/p?q=%0d%0aX-Y:z&x=a%20b")
    expect(service.last.headers).not.toHaveProperty("x-y")
  })

  test("a ConfigMap has headers for it, and a change of one counts at once", async () => {
    const headers = (text: string) => settings("demo/auth-headers", { "X-Scope": text, "X-Sent-From": "us" })
    const named = { "auth-proxy-set-headers": "auth-headers" }
    await protect(named, headers("a $host"))
    await get("/", { headers: { "x-scope": "forged" } })
    expect(service.last.headers).toMatchObject({ "x-scope": "a foo.test", "x-sent-from": "us" })
    await protect(named, headers("b"))
    await get()
    expect(service.last.headers).toMatchObject({ "x-scope": "b" })
    await site.expectOnlyPosts()
  })

  test("161: auth-keepalive is another word for what is always so", async () => {
    await protect({ "auth-keepalive": "10", "auth-keepalive-requests": "5", "auth-keepalive-timeout": "1" })
    expect(await status()).toBe(200)
    says({ status: 401 })
    expect(await status()).toBe(401)
    says({ status: 204 })
    expect(await status()).toBe(200)
    const before = service.connections
    for (let at = 0; at < 20; at += 1) expect(await status()).toBe(200)
    expect(service.connections - before).toBeLessThanOrEqual(4)
  })

  test("a Service of another namespace, by each of its names", async () => {
    const objects = serviceOn("sso/auth", [service.port])
    for (const host of ["auth.sso", "auth.sso.svc", "auth.sso.svc.cluster.local", "AUTH.sso.svc."]) {
      service.asked.length = 0
      await protect({ "auth-url": `http://${host}/` }, ...objects)
      expect([await status(), service.asked.length], host).toEqual([200, 1])
    }
  })

  test("an address, by its port", async () => {
    await protect({ "auth-url": `http://127.0.0.1:${service.port}/x` })
    expect([await status(), service.last.url]).toEqual([200, "/x"])
    expect(service.last.headers.host).toBe("127.0.0.1")
  })

  test("its endpoints may change from one request to the next", async () => {
    await using other = await new Echo().start()
    other.answer = () => ({ status: 403 })
    await protect()
    expect(await status()).toBe(200)
    await site.put(
      ...serviceOn("demo/app", [backend.port]),
      ...serviceOn("demo/auth", [other.port]),
      ingress("demo/app", "foo.test/ → app:80", asks),
    )
    expect(await status()).toBe(403)
    await site.expectOnlyPosts()
  })
})

describe("where a client without a login is led", () => {
  const led = async (annotations: Annotations, question: Question = {}, path = "/a?b=c&d=%22") => {
    await protect({ "auth-signin": "https://auth.test/start", ...annotations })
    says({ status: 401 })
    const answer = await get(path, question)
    return [answer.status, answer.headers.location]
  }
  const back = "http://foo.test%2Fa%3Fb%3Dc%26d%3D%2522"

  test("143: to the sign-in page, with where it wanted to go", async () => {
    expect(await led({})).toEqual([302, `https://auth.test/start?rd=${back}`])
  })

  test("144: under another name of the parameter", async () => {
    expect(await led({ "auth-signin-redirect-param": "orig" })).toEqual([
      302,
      `https://auth.test/start?orig=${back}`,
    ])
  })

  test("145, 146: behind the parameters that are there, unless it is among them", async () => {
    expect(await led({ "auth-signin": "https://auth.test/start?foo=1" })).toEqual([
      302,
      `https://auth.test/start?foo=1&rd=${back}`,
    ])
    expect(await led({ "auth-signin": "https://auth.test/start?rd=foo" })).toEqual([
      302,
      "https://auth.test/start?rd=foo",
    ])
    expect(await led({ "auth-signin": "https://$host/start?rd=$escaped_request_uri" })).toEqual([
      302,
      "https://foo.test/start?rd=%2Fa%3Fb%3Dc%26d%3D%2522",
    ])
  })

  test("nobody else says where", async () => {
    const forged = {
      "x-forwarded-host": "evil.test",
      "x-original-url": "https://evil.test/",
      forwarded: "host=evil.test",
    }
    expect(await led({}, { headers: forged }, "/")).toEqual([
      302,
      "https://auth.test/start?rd=http://foo.test%2F",
    ])
    says({ status: 401, headers: { location: "https://evil.test/" } })
    expect((await get("//evil.test/")).headers.location).toBe(
      "https://auth.test/start?rd=http://foo.test%2F%2Fevil.test%2F",
    )
    const raw = await rawRequest(
      site.wick.port,
      "GET http://foo.test/ HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n",
    )
    expect(raw).toContain("Location: https://auth.test/start?rd=http://foo.test%2F\r\n")
    expect(raw).not.toContain("evil")
  })
})

describe("what cannot be asked is 503", () => {
  test.each([
    ["151", { "auth-url": "https://invalid..auth.url" }],
    ["153", { "auth-method": "FETCH" }],
    ["154", { "auth-proxy-set-headers": "demo/missing" }],
    ["157", { "auth-cache-key": "$remote_addr", "auth-cache-duration": "30m 200" }],
    ["", { "auth-url": "http://$http_x_target/" }],
    ["", { "auth-response-headers": "X-User, Transfer-Encoding" }],
    ["", { "auth-signin": "//evil.test/" }],
    ["", { "auth-cache-key": "$no_such" }],
  ] as const)("%s: %j", async (_, annotations) => {
    await protect(annotations)
    expect(await status()).toBe(503)
    expect([service.asked, backend.asked]).toEqual([[], []])
  })

  test("where a wildcard host has no host to ask", async () => {
    await put(ingress("demo/app", "*.foo.test/ → app:80", { "auth-url": "http://$host/verify" }))
    expect(await status("/", { host: "auth.foo.test" })).toBe(503)
    await site.untilProblem("auth-host-unclear")
  })
})

describe("several Ingresses", () => {
  test("each asks for its own paths", async () => {
    const one = ingress("demo/one", "foo.test/ → app:80", asks, 1)
    const two = ingress("demo/two", "foo.test/open → app:80", {}, 2)
    const three = ingress("demo/three", "foo.test/other → app:80", { "auth-url": "http://auth/other" }, 3)
    await put(one, two, three)
    says((asked) => ({ status: asked.url === "/verify" ? 401 : 200 }))
    expect([
      await status("/"),
      await status("/open/x"),
      await status("/other/x"),
      await status("/opener"),
    ]).toEqual([401, 200, 200, 401])
  })

  test("what a service says for one is nothing to another", async () => {
    await put(
      ingress("demo/one", "foo.test/ → app:80", { ...asks, "auth-response-headers": "X-User" }),
      ingress("demo/two", "bar.test/ → app:80"),
    )
    says({ headers: { "x-user": "ann" } })
    await get()
    expect(backend.last.headers["x-user"]).toBe("ann")
    await get("/", { host: "bar.test" })
    expect(backend.last.headers["x-user"]).toBeUndefined()
    expect(service.asked).toHaveLength(1)
  })

  test("a service that protects itself: its own path is open", async () => {
    await put(
      ingress("demo/one", "foo.test/ → app:80", asks, 1),
      ingress("demo/auth", "foo.test/oauth2 → auth:80", {}, 2),
    )
    says(({ url }) => (url === "/verify" ? { status: 401 } : { body: "login" }))
    expect([await status(), (await get("/oauth2/start")).body]).toEqual([401, "login"])
  })
})

describe("beside a list of addresses", () => {
  const lists = async (annotations: Annotations) => {
    await protect(annotations)
    const statuses: number[] = []
    for (const told of [200, 401, 403, 500]) {
      says({ status: told })
      statuses.push(await status())
    }
    return statuses
  }
  const here = { "allowlist-source-range": "127.0.0.0/8" }
  const elsewhere = { "allowlist-source-range": "18.0.0.0/8" }

  test("171: both have to let a request in, and who is elsewhere asks nothing", async () => {
    expect(await lists(here)).toEqual([200, 401, 403, 500])
    service.asked.length = 0
    expect(await lists(elsewhere)).toEqual([403, 403, 403, 403])
    expect(service.asked).toEqual([])
  })

  test("with satisfy any one of them is enough, but a service that fails lets nobody in from elsewhere", async () => {
    expect(await lists({ ...elsewhere, satisfy: "any" })).toEqual([200, 401, 403, 500])
    service.asked.length = 0
    expect(await lists({ ...here, satisfy: "any" })).toEqual([200, 200, 200, 200])
    expect(service.asked).toEqual([])
  })
})

describe("beside a list of addresses and passwords", () => {
  const credentials = { right: basic("foo"), wrong: basic("foo", "wrong"), none: {} }
  const cases = ["127.0.0.0/8", "18.0.0.0/8"].flatMap((allowed) =>
    (["right", "wrong", "none"] as const).flatMap((password) =>
      [200, 401, 403, 500].map((told) => ({ allowed, password, told })),
    ),
  )
  const isHere = ({ allowed }: (typeof cases)[number]) => allowed === "127.0.0.0/8"
  const isKnown = ({ password }: (typeof cases)[number]) => password === "right"

  /** Of each case, in order; the service says what `X-Told` asks for. */
  const statuses = async (satisfy: "all" | "any") => {
    says(({ headers }) => ({ status: Number(headers["x-told"]) }))
    const seen: number[] = []
    for (const { allowed, password, told } of cases) {
      const asked = { "auth-type": "basic", "auth-secret": "users" }
      const lists = { ...asked, "allowlist-source-range": allowed, satisfy }
      await protect(lists, secret("demo/users", { auth: `foo:${hashes.plain}` }))
      seen.push(await status("/", { headers: { ...credentials[password], "x-told": `${told}` } }))
    }
    return seen
  }

  test("all of them have to let a request in, asked in this order", async () => {
    const wanted = cases.map((one) => (!isHere(one) ? 403 : isKnown(one) ? one.told : 401))
    expect(await statuses("all")).toEqual(wanted)
  })

  test("with satisfy any one of them is enough, and 401 beats 403", async () => {
    const refused = (told: number) => (told === 403 ? 401 : told)
    const wanted = cases.map((one) => (isHere(one) || isKnown(one) ? 200 : refused(one.told)))
    expect(await statuses("any")).toEqual(wanted)
  })
})

describe("a protected path in other spellings", () => {
  const spellings = [
    "/private",
    "/private/",
    "//private",
    "/./private",
    "/open/../private",
    "/open/%2e%2e/private",
    "/open/..%2fprivate",
    "/%70rivate",
    "/private%2f",
    "/private;x=y",
    "/private/..;/x",
    "/private?x=/open",
    "/private#/open",
    "/private%00",
    "/private/%0d%0a",
  ]

  test("is protected or is another path", async () => {
    await put(
      ingress("demo/private", "foo.test/private → app:80", asks, 1),
      ingress("demo/open", "foo.test/open → app:80", {}, 2),
    )
    says({ status: 403 })
    backend.answer = ({ url: path }) => ({ body: path })
    for (const path of spellings) {
      const head = `GET ${path} HTTP/1.1\r\nHost: foo.test\r\nConnection: close\r\n\r\n`
      const answer = await rawRequest(site.wick.port, head)
      // nginx hands the path on as the client wrote it: what it found is what is protected
      expect(answer.slice(9, 12), path).toMatch(/^(403|404|400)$/)
    }
    expect(backend.asked).toEqual([])
  })

  test("in absolute form, with several hosts, in HTTP/1.0, and by any method", async () => {
    await protect()
    says({ status: 403 })
    const raw = async (...lines: readonly string[]) =>
      (await rawRequest(site.wick.port, `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`)).slice(
        9,
        12,
      )
    expect(await raw("GET http://foo.test/ HTTP/1.1", "Host: other.test")).toBe("403")
    expect(await raw("GET http://FOO.test./ HTTP/1.1", "Host: foo.test")).toMatch(/^(403|404|400)$/)
    expect(await raw("GET / HTTP/1.1", "Host: foo.test", "Host: other.test")).toBe("400")
    expect(await raw("GET / HTTP/1.0", "Host: foo.test")).toBe("403")
    expect(await raw("OPTIONS * HTTP/1.1", "Host: foo.test")).toMatch(/^(403|404|400)$/)
    for (const method of ["POST", "HEAD", "OPTIONS", "PROPFIND", "TRACE", "get"]) {
      expect(await raw(`${method} / HTTP/1.1`, "Host: foo.test", "Content-Length: 0"), method).toMatch(
        /^(403|405|400)$/,
      )
    }
    expect(await raw("GET / HTTP/1.1", "Host: foo.test", "X-HTTP-Method-Override: OPTIONS")).toBe("403")
    expect(
      await raw("GET / HTTP/1.1", "Host: foo.test", "X-Original-URL: /open", "X-Rewrite-URL: /open"),
    ).toBe("403")
    expect(backend.asked).toEqual([])
  })

  test("169: what follows a refused request is a request of its own", async () => {
    await protect({ "auth-signin": "https://auth.test/start" })
    says({ status: 401, body: "inside" })
    const inner = "GET /verify HTTP/1.1\r\nHost: auth.demo.svc.cluster.local\r\nConnection: close\r\n\r\n"
    const outer = `GET / HTTP/1.1\r\nHost: foo.test\r\nContent-Length: ${inner.length}\r\n\r\n`
    const answer = await rawRequest(
      site.wick.port,
      outer,
      inner,
      "GET / HTTP/1.1\r\nHost: foo.test\r\nConnection: close\r\n\r\n",
    )
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 302", "HTTP/1.1 302"])
    expect(answer).not.toContain("inside")
    expect(backend.asked).toEqual([])
  })
})

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
    expect(service.asked.map(({ headers }) => headers.authorization)).toEqual(["ann", "bob"])
    expect(backend.asked.map(({ headers }) => headers["x-user"])).toEqual(["ann", "ann", "bob", "ann"])
  })

  test("156: nor one of another path or host", async () => {
    const objects = (...auth: readonly Json[]) => [
      ...serviceOn("demo/app", [backend.port]),
      ...auth,
      ingress("demo/one", ["foo.test/one → app:80", "foo.test/two → app:80", "bar.test/one → app:80"], {
        ...asks,
        ...kept,
      }),
    ]
    await site.put(...objects(...serviceOn("demo/auth", [service.port])))
    expect(await as("eve", "/one")).toBe(200)
    await site.put(...objects(...serviceOn("demo/auth", [])))
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
    expect(service.asked).toHaveLength(3)
    says({ status: 200 })
    expect(await as("tam")).toBe(200)
    const { length } = service.asked
    await until("the answer to be too old", async () => {
      await as("tam")
      return service.asked.length > length
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

describe("the service of all Ingresses", () => {
  test("164, 166: is asked for every path but no-auth-locations, unless an Ingress says otherwise", async () => {
    await put(
      ingress("demo/all", ["foo.test/foo → app:80", "foo.test/bar → app:80"], {}),
      ingress("demo/own", "own.test/ → app:80", { "auth-url": "http://auth/own" }),
      ingress("demo/none", "none.test/ → app:80", { "enable-global-auth": "false" }),
    )
    says((asked) => ({ status: asked.url === "/global" ? 401 : 200 }))
    site.configure({ "global-auth-url": "http://auth.demo.svc/global", "no-auth-locations": "/bar" })
    await until("the key to be in force", async () => (await status("/foo")) === 401)
    const own = await status("/", { host: "own.test" })
    const none = await status("/", { host: "none.test" })
    expect({ "164": [await status("/foo"), await status("/bar")], "166": own, none }).toEqual({
      "164": [401, 200],
      "166": 200,
      none: 200,
    })
    site.configure({ "global-auth-url": "https://invalid..auth.url", "no-auth-locations": "/bar" })
    await site.untilProblem("value-refused")
    expect(await status("/foo")).toBe(401)
    site.configure({})
    await until("the key to be gone", async () => (await status("/foo")) === 200)
    await site.expectOnlyPosts()
  })

  test("167: its answers may be kept", async () => {
    const gone = await new Echo().start()
    await put(ingress("demo/all", "foo.test/ → app:80"), ...serviceOn("demo/gone", [gone.port]))
    site.configure({
      "global-auth-url": "http://gone.demo/",
      "global-auth-cache-key": "$http_x_key",
      "global-auth-cache-duration": "200 201 401 30m",
    })
    const keyed = (key: string) => status("/kept", { headers: { "x-key": key } })
    await until("the keys to be in force", async () => (await keyed("k")) === 200 && gone.asked.length > 0)
    await gone[Symbol.asyncDispose]()
    expect([await keyed("k"), await keyed("l")]).toEqual([200, 500])
    site.configure({})
    await until("the keys to be gone", async () => (await status("/kept")) === 200)
    await site.expectOnlyPosts()
  })
})

describe("HTTP/2", () => {
  /** With a connection of its own. */
  async function withSession<T>(use: (session: ClientHttp2Session) => Promise<T>): Promise<T> {
    const createConnection = () =>
      connectTls({
        host: "127.0.0.1",
        port: site.wick.httpsPort,
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
    expect(backend.asked.map(({ headers }) => headers["x-user"])).toEqual(["ann", "ann"])
    expect(service.last.headers["x-original-url"]).toBe("https://foo.test:443/a") // as Node asks for it
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

test("nobody gets past, and no request fails, while whom to ask changes under load", async () => {
  await protect()
  says(({ headers }) => ({ status: headers.cookie === "in" ? 200 : 403 }))
  const load = (cookie: string) =>
    startLoad({
      port: site.wick.port,
      connections: 4,
      question: () => ({ host: "foo.test", headers: { cookie } }),
    })
  const [guest, stranger] = [load("in"), load("out")]
  for (let round = 0; round < 10; round += 1) {
    const taken = round % 2 === 0 ? { "auth-response-headers": "X-User" } : {}
    await protect({ "auth-url": `http://auth.demo/${round}`, ...taken })
  }
  const [inside, outside] = [await guest.stop(), await stranger.stop()]
  expect([[...inside.statuses.keys()], inside.lost]).toEqual([[200], []])
  expect([[...outside.statuses.keys()], outside.lost]).toEqual([[403], []])
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
  const becomes = (wanted: number) => until(`status ${wanted}`, async () => (await status()) === wanted)

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
    // it waits for its policy: until then the one before is in force
    await until("the service to be verified", async () => (await status()) === 200 && name() === "client")
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
    await until("the client certificate", async () => {
      await status()
      return encrypted.last.tls?.client === "client"
    })
    await protect({ "auth-url": "https://client:80/", ...trusting }, ...named(), secret("demo/trusted", pair))
    await becomes(503)
    await site.untilProblem("secret-refused")
    await protect({ "auth-url": "https://client:80/", ...trusting }, ...named())
    expect(await status()).toBe(503)
  })
})

test("enable-auth-access-log: what the service was asked is in the access log", async () => {
  const dir = mkdtempSync(join(tmpdir(), "auth-log-"))
  const file = join(dir, "access.log")
  await protect()
  await site.reconfigure({
    "enable-auth-access-log": "true",
    "access-log-path": file,
    "log-format-upstream": "$request_uri of $proxy_upstream_name: $status",
  })
  await get("/logged")
  const line = `of auth:auth.demo.svc.cluster.local:80: 200`
  await until("a line about the question", () => readFileSync(file, "utf8").includes(line))
  await site.reconfigure({})
  rmSync(dir, { recursive: true })
})

test("no error page answers in its place: a dead service lets nobody in", async () => {
  const [port] = await freePorts(1)
  // whoever is let in gets 200, an error page is a 418
  backend.answer = ({ headers }) => ({ status: headers["x-code"] === undefined ? 200 : 418 })
  const codes = { "custom-http-errors": "401,403,404,500,502,503,504", "default-backend": "app" }
  await protect(codes)
  says({ status: 401 })
  await until("error pages", async () => (await status()) === 418)
  backend.asked.length = 0
  for (const told of [401, 403, 404, 500, 502, 504, 302]) {
    says({ status: told })
    expect(await status("/"), `${told}`).toBe(418)
  }
  await protect({ ...codes, "auth-url": "http://empty.demo.svc/" }, ...serviceOn("demo/empty", []))
  expect(await status()).toBe(418)
  await protect({ ...codes, "auth-url": `http://127.0.0.1:${port}/` })
  expect(await status()).toBe(418)
  expect(backend.asked.filter(({ headers }) => headers["x-code"] === undefined)).toEqual([])
})
