import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, serviceOn, settings } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { asks, authSite } from "./external-auth-site.ts"

const at = authSite()
const { says, put, protect, get, status } = at

describe("what the service answers", () => {
  test("139: 200 lets a request in", async () => {
    await protect()
    expect(await get()).toMatchObject({ status: 200, body: "backend" })
    expect(at.service.asked).toHaveLength(1)
    await at.site.expectOnlyPosts()
  })

  test("140, 141: 401 and 403 are passed on, and the body reaches nobody", async () => {
    await protect()
    says({ status: 401, headers: { "www-authenticate": ["Basic", "Bearer"] }, body: "secret" })
    const refused = await get()
    expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, "Basic, Bearer"])
    expect(refused.body).not.toContain("secret")
    says({ status: 403, body: "secret" })
    expect(await status()).toBe(403)
    expect(at.backend.asked).toEqual([])
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
    await at.site.untilProblem("auth-service-unusable")
    await put(ingress("demo/app", "foo.test/ → app:80", { "auth-url": "http://169.254.169.254/" }))
    expect(await status()).toBe(500)
    expect(at.backend.asked).toEqual([])
  })

  test("147: headers of it take the place of the client's, also when it has none", async () => {
    await protect({ "auth-response-headers": "Foo, X-User" })
    says({ headers: { "x-user": "ann" } })
    await get("/", { headers: { Foo: "bar", foo_: "x", "X-User": "root", X_User: "root", "x-other": "1" } })
    const { headers } = at.backend.last
    expect([headers.foo, headers["x-user"], headers.x_user]).toEqual([undefined, "ann", undefined])
    expect(headers["x-other"]).toBe("1")
  })

  test("149: cookies of it reach the client, with errors only if always", async () => {
    const cookies = ["a=1; Path=/", "b=2; HttpOnly"]
    says({ headers: { "set-cookie": cookies } })
    await protect()
    expect((await get()).headers["set-cookie"]).toEqual(cookies)
    at.backend.answer = () => ({ status: 404 })
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
    expect(at.backend.last.headers).not.toHaveProperty("x-injected")
  })
})

describe("what the service is asked", () => {
  test("162: it is told about the request", async () => {
    await protect({ "auth-request-redirect": "https://foo.test/back?$args" })
    await get("/a%20b?c=d", {
      method: "DELETE",
      headers: { "x-original-url": "forged", "x-original-method": "GET" },
    })
    const { method, url: asked, body, headers } = at.service.last
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
    expect([at.service.last.method, at.service.last.body]).toEqual(["POST", ""])
    expect(at.service.last.headers["x-original-url"]).toBe("http://foo.test/")
    expect([at.backend.last.method, at.backend.last.body.length]).toEqual(["PUT", 100_000])
  })

  test("path and query may have variables, and are one line whatever those are", async () => {
    await protect({ "auth-url": "http://auth/verify?uri=$scheme://$host$request_uri&x=$http_x" })
    await get("/p?q=%0d%0aX-Y:z", { headers: { x: "a b" } })
    expect(at.service.last.url).toBe("/verify?uri=http://foo.test/p?q=%0d%0aX-Y:z&x=a%20b")
    expect(at.service.last.headers).not.toHaveProperty("x-y")
  })

  test("a ConfigMap has headers for it, and a change of one counts at once", async () => {
    const headers = (text: string) => settings("demo/auth-headers", { "X-Scope": text, "X-Sent-From": "us" })
    const named = { "auth-proxy-set-headers": "auth-headers" }
    await protect(named, headers("a $host"))
    await get("/", { headers: { "x-scope": "forged" } })
    expect(at.service.last.headers).toMatchObject({ "x-scope": "a foo.test", "x-sent-from": "us" })
    await protect(named, headers("b"))
    await get()
    expect(at.service.last.headers).toMatchObject({ "x-scope": "b" })
    await at.site.expectOnlyPosts()
  })

  test("161: auth-keepalive is another word for what is always so", async () => {
    await protect({ "auth-keepalive": "10", "auth-keepalive-requests": "5", "auth-keepalive-timeout": "1" })
    expect(await status()).toBe(200)
    says({ status: 401 })
    expect(await status()).toBe(401)
    says({ status: 204 })
    expect(await status()).toBe(200)
    const before = at.service.connections
    for (let at = 0; at < 20; at += 1) expect(await status()).toBe(200)
    expect(at.service.connections - before).toBeLessThanOrEqual(4)
  })

  test("a Service of another namespace, by each of its names", async () => {
    const objects = serviceOn("sso/auth", [at.service.port])
    for (const host of ["auth.sso", "auth.sso.svc", "auth.sso.svc.cluster.local", "AUTH.sso.svc."]) {
      at.service.asked.length = 0
      await protect({ "auth-url": `http://${host}/` }, ...objects)
      expect([await status(), at.service.asked.length], host).toEqual([200, 1])
    }
  })

  test("an address, by its port", async () => {
    await protect({ "auth-url": `http://127.0.0.1:${at.service.port}/x` })
    expect([await status(), at.service.last.url]).toEqual([200, "/x"])
    expect(at.service.last.headers.host).toBe("127.0.0.1")
  })

  test("its endpoints may change from one request to the next", async () => {
    await using other = await new Echo().start()
    other.answer = () => ({ status: 403 })
    await protect()
    expect(await status()).toBe(200)
    await at.site.put(
      ...serviceOn("demo/app", [at.backend.port]),
      ...serviceOn("demo/auth", [other.port]),
      ingress("demo/app", "foo.test/ → app:80", asks),
    )
    expect(await status()).toBe(403)
    await at.site.expectOnlyPosts()
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
    expect([at.service.asked, at.backend.asked]).toEqual([[], []])
  })

  test("where a wildcard host has no host to ask", async () => {
    await put(ingress("demo/app", "*.foo.test/ → app:80", { "auth-url": "http://$host/verify" }))
    expect(await status("/", { host: "auth.foo.test" })).toBe(503)
    await at.site.untilProblem("auth-host-unclear")
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
    expect(at.backend.last.headers["x-user"]).toBe("ann")
    await get("/", { host: "bar.test" })
    expect(at.backend.last.headers["x-user"]).toBeUndefined()
    expect(at.service.asked).toHaveLength(1)
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

describe("the service of all Ingresses", () => {
  test("164, 166: is asked for every path but no-auth-locations, unless an Ingress says otherwise", async () => {
    await put(
      ingress("demo/all", ["foo.test/foo → app:80", "foo.test/bar → app:80"], {}),
      ingress("demo/own", "own.test/ → app:80", { "auth-url": "http://auth/own" }),
      ingress("demo/none", "none.test/ → app:80", { "enable-global-auth": "false" }),
    )
    says((asked) => ({ status: asked.url === "/global" ? 401 : 200 }))
    at.site.configure({ "global-auth-url": "http://auth.demo.svc/global", "no-auth-locations": "/bar" })
    await until("the key to be in force", async () => (await status("/foo")) === 401)
    const own = await status("/", { host: "own.test" })
    const none = await status("/", { host: "none.test" })
    expect({ "164": [await status("/foo"), await status("/bar")], "166": own, none }).toEqual({
      "164": [401, 200],
      "166": 200,
      none: 200,
    })
    at.site.configure({ "global-auth-url": "https://invalid..auth.url", "no-auth-locations": "/bar" })
    await at.site.untilProblem("value-refused")
    expect(await status("/foo")).toBe(401)
    at.site.configure({})
    await until("the key to be gone", async () => (await status("/foo")) === 200)
    await at.site.expectOnlyPosts()
  })

  test("167: its answers may be kept", async () => {
    const gone = await new Echo().start()
    await put(ingress("demo/all", "foo.test/ → app:80"), ...serviceOn("demo/gone", [gone.port]))
    at.site.configure({
      "global-auth-url": "http://gone.demo/",
      "global-auth-cache-key": "$http_x_key",
      "global-auth-cache-duration": "200 201 401 30m",
    })
    const keyed = (key: string) => status("/kept", { headers: { "x-key": key } })
    await until("the keys to be in force", async () => (await keyed("k")) === 200 && gone.asked.length > 0)
    await gone[Symbol.asyncDispose]()
    expect([await keyed("k"), await keyed("l")]).toEqual([200, 500])
    at.site.configure({})
    await until("the keys to be gone", async () => (await status("/kept")) === 200)
    await at.site.expectOnlyPosts()
  })
})

test("enable-auth-access-log: what the service was asked is in the access log", async () => {
  const dir = mkdtempSync(join(tmpdir(), "auth-log-"))
  const file = join(dir, "access.log")
  await protect()
  await at.site.reconfigure({
    "enable-auth-access-log": "true",
    "access-log-path": file,
    "log-format-upstream": "$request_uri of $proxy_upstream_name: $status",
  })
  await get("/logged")
  const line = `of auth:auth.demo.svc.cluster.local:80: 200`
  await until("a line about the question", () => readFileSync(file, "utf8").includes(line))
  await at.site.reconfigure({})
  rmSync(dir, { recursive: true })
})
