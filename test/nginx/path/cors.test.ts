// What browsers are told about pages of other origins, on every response of a path, and the answers to their preflights.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { tlsData } from "../../../harness/certificates.ts"
import { type Asked, Echo } from "../../../harness/echo.ts"
import type { Answer } from "../../../harness/http.ts"
import { ingress, type Json, secret, serviceOn, withTls } from "../../../harness/manifests.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
let app: Echo
beforeAll(async () => {
  app = await new Echo().start()
  site = await Site.start(["dead"])
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})
afterEach(() => {
  app.answer = () => ({})
})

type Annotations = Readonly<Record<string, string>>

const cors = (annotations: Annotations = {}, rule = "foo.test/ → app:80") =>
  ingress("demo/foo", rule, { "enable-cors": "true", ...annotations })

const put = (...objects: readonly Json[]) =>
  site.put(...objects, ...serviceOn("demo/app", [app.port]), ...site.service("dead", "dead"))

const from = (origin: string) => ({ headers: { origin } })
const get = (origin: string, path = "/") => site.get(path, from(origin))
const preflight = (origin: string, path = "/") => {
  const headers = { origin, "access-control-request-method": "PUT" }
  return site.get(path, { method: "OPTIONS", headers })
}

/** What a response says about CORS, without the prefix of the names. */
function said({ headers }: Answer): Record<string, unknown> {
  const prefix = "access-control-"
  const own = Object.entries(headers).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]))
}

const allowed = async (origin: string) => {
  const { "allow-origin": echoed } = said(await get(origin))
  if (echoed !== undefined) expect(echoed).toBe(origin)
  return echoed !== undefined
}

const defaults = {
  "allow-credentials": "true",
  "allow-methods": "GET, PUT, POST, DELETE, PATCH, OPTIONS",
  "allow-headers":
    "DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization",
  "max-age": "1728000",
}

describe("every origin", () => {
  test("has the defaults on every response, also without an Origin", async () => {
    await put(cors())
    for (const question of [{}, from("https://a.test"), { method: "HEAD" }, { method: "DELETE" }]) {
      const answer = await site.get("/", question)
      expect([answer.status, said(answer)]).toEqual([200, { "allow-origin": "*", ...defaults }])
      expect(answer.headers.vary).toBeUndefined()
    }
  })

  test("196: OPTIONS is answered 204 with the same headers, and the backend is not asked", async () => {
    await put(cors())
    const before = app.asked.length
    const answers = [await preflight("https://a.test"), await site.get("/deep/er?a", { method: "OPTIONS" })]
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([204, ""])
      expect(said(answer)).toEqual({ "allow-origin": "*", ...defaults })
      const { "content-type": type, "content-length": length } = answer.headers
      expect([type, length]).toEqual(["text/plain charset=UTF-8", "0"])
    }
    expect(app.asked).toHaveLength(before)
  })

  test("a preflight with a body leaves the connection in order", async () => {
    await put(cors())
    const question = { method: "OPTIONS", body: "x".repeat(100_000) }
    expect((await site.get("/", question)).status).toBe(204)
  })
})

describe("values", () => {
  test("197: cors-allow-methods appears as it is", async () => {
    await put(cors({ "cors-allow-methods": "POST, GET" }))
    for (const answer of [await get("https://a.test"), await preflight("https://a.test")])
      expect(said(answer)["allow-methods"]).toBe("POST, GET")
  })

  test("199: without credentials there is no such header, not even the backend's", async () => {
    await put(cors({ "cors-allow-credentials": "false" }))
    app.answer = () => ({ headers: { "Access-Control-Allow-Credentials": "true" } })
    for (const answer of [await get("https://a.test"), await preflight("https://a.test")])
      expect(said(answer)).not.toHaveProperty("allow-credentials")
  })

  test("211: cors-allow-headers and cors-expose-headers appear as they are", async () => {
    await put(cors({ "cors-allow-headers": "DNT, User-Agent", "cors-expose-headers": "X-A, *" }))
    for (const answer of [await get("https://a.test"), await preflight("https://a.test")])
      expect(said(answer)).toMatchObject({ "allow-headers": "DNT, User-Agent", "expose-headers": "X-A, *" })
  })

  test("cors-max-age is any number of seconds, on simple responses as well", async () => {
    await put(cors({ "cors-max-age": "-1" }))
    expect(said(await get("https://a.test"))["max-age"]).toBe("-1")
  })
})

describe("listed origins", () => {
  const some = (origins: string) => put(cors({ "cors-allow-origin": origins }))

  test("201: each of two is echoed, an unknown one gets nothing", async () => {
    await some("https://a.test, http://b.test:8080")
    expect(said(await get("https://a.test"))).toEqual({ "allow-origin": "https://a.test", ...defaults })
    expect(said(await preflight("http://b.test:8080"))["allow-origin"]).toBe("http://b.test:8080")
    for (const origin of ["https://c.test", "https://a.test.c.test", "evil-https://a.test", "http://b.test"])
      expect(said(await get(origin))).toEqual({})
    expect(said(await site.get("/"))).toEqual({})
  })

  test("202: one without a scheme is left out with a Problem, the others count", async () => {
    await some("origin.cors.test:8080, https://a.test")
    expect(await allowed("https://a.test")).toBe(true)
    expect(await allowed("http://origin.cors.test:8080")).toBe(false)
    await site.untilProblem("annotation-changed")
  })

  test("204: a dot stands for a dot", async () => {
    await some("https://foo.bar.test")
    expect([await allowed("https://foo.bar.test"), await allowed("https://fooxbar.test")]).toEqual([
      true,
      false,
    ])
  })

  test("206: an asterisk stands for one label", async () => {
    await some("http://*.origin.test")
    expect(await allowed("http://foo.origin.test")).toBe(true)
    expect(await allowed("http://bar-foo.origin.test")).toBe(true)
    expect(await allowed("http://bar.foo.origin.test")).toBe(false)
  })

  test("207: a port has to be equal, with an asterisk as well", async () => {
    await some("http://*.origin.test:8080")
    expect(await allowed("http://abc.origin.test:8080")).toBe(true)
    expect(await allowed("http://abc.origin.test")).toBe(false)
    expect(await allowed("http://origin.test:8080")).toBe(false)
  })

  test("209: a comma at the end and blank items do not matter", async () => {
    await some("https://a.test, ,https://b.test,")
    expect([await allowed("https://a.test"), await allowed("https://b.test")]).toEqual([true, true])
    expect([await allowed("https://c.test"), await allowed("")]).toEqual([false, false])
  })

  test("null is nothing but null, and letters are of either case", async () => {
    await some("null, https://a.test")
    expect([await allowed("null"), await allowed("https://xnull")]).toEqual([true, false])
    expect(await allowed("HTTPS://A.test")).toBe(true)
  })

  test("212: OPTIONS from an origin that is not allowed, or without one, goes to the backend", async () => {
    await some("https://a.test")
    app.answer = () => ({ status: 405 })
    for (const headers of [{ origin: "https://b.test" }, {}]) {
      const answer = await site.get("/", { method: "OPTIONS", headers })
      expect([answer.status, said(answer), app.last.method]).toEqual([405, {}, "OPTIONS"])
    }
    expect((await preflight("https://a.test")).status).toBe(204)
  })

  test("where none is left, none is allowed", async () => {
    await some("a.test")
    const answer = await get("https://a.test")
    expect([said(answer), answer.headers.vary]).toEqual([{}, undefined])
    await site.untilProblem("annotation-refused")
  })

  test("every response varies by Origin, beside what else the backend varies by", async () => {
    await some("https://a.test")
    const varies = async (own?: string | string[]) => {
      app.answer = () => ({ ...(own !== undefined && { headers: { Vary: own } }) })
      return (await get("https://a.test")).headers.vary
    }
    expect((await site.get("/")).headers.vary).toBe("Origin")
    expect((await get("https://b.test")).headers.vary).toBe("Origin")
    expect((await preflight("https://a.test")).headers.vary).toBe("Origin")
    expect(await varies()).toBe("Origin")
    expect(await varies("Accept-Encoding, Cookie")).toBe("Accept-Encoding, Cookie, Origin")
    expect(await varies("Cookie,origin")).toBe("Cookie,origin")
    expect(await varies("*")).toBe("*")
    expect(await varies("X-Origin")).toBe("X-Origin, Origin")
  })
})

describe("the backend's own headers", () => {
  const own = {
    "Access-Control-Allow-Origin": "*",
    "access-control-allow-methods": "TRACE",
    "ACCESS-CONTROL-ALLOW-HEADERS": "X-Own",
    "Access-Control-Max-Age": "1",
    "Access-Control-Expose-Headers": "X-Own",
    "Access-Control-Allow-Credentials": ["false", "true"],
    "Access-Control-Allow-Private-Network": "true",
  }

  test("give way to ours for an origin that is allowed, and are not doubled", async () => {
    await put(cors({ "cors-allow-origin": "https://a.test" }))
    app.answer = () => ({ headers: own })
    expect(said(await get("https://a.test"))).toEqual({
      "allow-origin": "https://a.test",
      ...defaults,
      "expose-headers": "X-Own",
      "allow-private-network": "true",
    })
  })

  test("stay for any other", async () => {
    await put(cors({ "cors-allow-origin": "https://a.test", "cors-expose-headers": "X-A" }))
    app.answer = () => ({ headers: own })
    const answer = await get("https://b.test")
    expect(said(answer)).toMatchObject({
      "allow-origin": "*",
      "allow-methods": "TRACE",
      "expose-headers": "X-Own",
    })
    expect(said(await get("https://a.test"))["expose-headers"]).toBe("X-A")
  })
})

describe("every status", () => {
  const some = { "cors-allow-origin": "https://a.test" }
  const expectSaid = (answer: Answer, status: number) => {
    expect([answer.status, said(answer)["allow-origin"]]).toEqual([status, "https://a.test"])
    expect(answer.headers.vary).toBe("Origin")
  }

  test("401, 403 and 500 of the backend", async () => {
    await put(cors(some))
    for (const status of [204, 304, 401, 403, 404, 500]) {
      app.answer = () => ({ status })
      expectSaid(await get("https://a.test"), status)
    }
  })

  test("502 and 413 that nginx makes", async () => {
    await put(cors({ ...some, "proxy-body-size": "1k" }, "foo.test/ → dead:80"))
    await site.backend("dead").fault("refuse")
    expectSaid(await get("https://a.test"), 502)
    const question = { method: "POST", body: "x".repeat(2000), ...from("https://a.test") }
    expectSaid(await site.get("/", question), 413)
    await site.backend("dead").fault(undefined)
  })

  test("503 without endpoints; a preflight comes before", async () => {
    await put(cors(some, "foo.test/ → none:80"), ...serviceOn("demo/none", []))
    expectSaid(await get("https://a.test"), 503)
    expectSaid(await preflight("https://a.test"), 204)
  })

  test("404 of the default backend on the other paths of the host", async () => {
    await put(cors(some, "foo.test/app → app:80"))
    expectSaid(await get("https://a.test", "/other"), 404)
    expectSaid(await preflight("https://a.test", "/other"), 204)
  })

  test("redirects; a preflight is not redirected", async () => {
    await put(cors({ ...some, "permanent-redirect": "https://new.test" }))
    expectSaid(await get("https://a.test"), 301)
    expectSaid(await preflight("https://a.test"), 204)
    await put(cors({ ...some, "force-ssl-redirect": "true" }))
    expectSaid(await get("https://a.test"), 308)
    expectSaid(await preflight("https://a.test"), 204)
    await put(cors(some, "foo.test/app/ → app:80"))
    expectSaid(await get("https://a.test", "/app"), 301)
    expectSaid(await preflight("https://a.test", "/app"), 204)
  })

  test("403 for an address that a list keeps out; a preflight comes before", async () => {
    await put(cors({ ...some, "allowlist-source-range": "192.0.2.0/24" }))
    expectSaid(await get("https://a.test"), 403)
    expectSaid(await preflight("https://a.test"), 204)
    const answer = await site.get("/", { method: "OPTIONS", ...from("https://b.test") })
    expect([answer.status, said(answer)]).toEqual([403, {}])
  })

  test("none where the path is denied", async () => {
    await put(cors({ "auth-type": "basic" }))
    for (const answer of [await get("https://a.test"), await preflight("https://a.test")])
      expect([answer.status, said(answer)]).toEqual([503, {}])
  })

  test("paths that are patterns and are rewritten", async () => {
    await put(cors({ ...some, "rewrite-target": "/$1" }, "foo.test/app/(.*) ~→ app:80"))
    expectSaid(await get("https://a.test", "/app/x"), 200)
    expect(app.last.url).toBe("/x")
    expectSaid(await preflight("https://a.test", "/app/x"), 204)
  })
})

test("HTTP/2 has the same", async () => {
  const own = withTls(cors({ "cors-allow-origin": "https://a.test" }), "foo.test=tls")
  await put(own, secret("demo/tls", tlsData))
  await using client = await TlsClient.connect(site.wick.httpsPort, {
    servername: "foo.test",
    protocol: "h2",
  })
  const ask = (method: string, origin: string) => client.ask({ method, host: "foo.test", ...from(origin) })
  const before = app.asked.length
  const answers = [await ask("OPTIONS", "https://a.test"), await ask("GET", "https://a.test")]
  expect(answers.map(({ status }) => status)).toEqual([204, 200])
  for (const answer of answers) {
    expect(said(answer)).toEqual({ "allow-origin": "https://a.test", ...defaults })
    expect(answer.headers.vary).toBe("Origin")
  }
  expect(app.asked).toHaveLength(before + 1)
  expect(said(await ask("OPTIONS", "https://b.test"))).toEqual({})
  expect(app.last.method).toBe("OPTIONS")
})

test("everything so far took a post each, and nothing of it is in nginx.conf", async () => {
  await put(cors({ "cors-allow-origin": "https://needle.test", "cors-allow-headers": "X-Needle" }))
  expect(said(await get("https://needle.test"))["allow-headers"]).toBe("X-Needle")
  expect(site.wick.conf()).not.toMatch(/needle|access-control/i)
  await put(ingress("demo/foo", "foo.test/ → app:80"))
  expect(said(await get("https://needle.test"))).toEqual({})
  await site.expectOnlyPosts()
})

// Locations with error pages come by a reload.
test("error pages have the same", async () => {
  const pages = {
    "cors-allow-origin": "https://a.test",
    "custom-http-errors": "404",
    "default-backend": "pages",
  }
  await put(cors(pages), ...serviceOn("demo/pages", [app.port]))
  const isPage = ({ headers }: Asked) => headers["x-code"] === "404"
  app.answer = (asked) => ({ status: 404, body: isPage(asked) ? "page" : "app" })
  const page = async (origin: string) => {
    const answer = await get(origin)
    expect([answer.status, answer.headers.vary]).toEqual([404, "Origin"])
    return { body: answer.body, said: said(answer)["allow-origin"] }
  }
  await until("the error page", async () => (await get("https://a.test")).body === "page")
  expect(await page("https://a.test")).toEqual({ body: "page", said: "https://a.test" })
  expect(await page("https://b.test")).toEqual({ body: "page", said: undefined })
  expect((await preflight("https://a.test")).status).toBe(204)
})
