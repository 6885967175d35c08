// Annotations about single requests, from YAML to what the backend and the client see. All of them are data but the switches that rewrite
// responses.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { tookAtLeast } from "../../support/clock.ts"
import { Site } from "./site.ts"

let site: Site
let echo: Echo
beforeAll(async () => {
  echo = await new Echo().start()
  site = await Site.start([])
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})

/** Asks until what was put last is in force, which a header of the case's own tells. */
let round = 0
async function serve(annotations: Record<string, string>): Promise<void> {
  round += 1
  echo.answer = () => ({})
  const own = ingress("demo/foo", [`foo.test/ → foo:80`, `round-${round}.test/ → foo:80`], annotations)
  await site.put(own, ...serviceOn("demo/foo", [echo.port]))
  const isServed = async () => (await site.get("/", { host: `round-${round}.test` })).status === 200
  await until("the Ingress to be served", isServed)
}

const reloads = () => site.wick.metric("nginx_ingress_controller_success")

describe("what is the route's needs no reload", () => {
  test("302: connection-proxy-header", async () => {
    const before = await reloads()
    await serve({ "connection-proxy-header": "keep-alive" })
    await site.get("/")
    expect(echo.last.headers.connection).toBe("keep-alive")
    expect(await reloads()).toBe(before)
  })

  test("upstream-vhost, with variables; X-Forwarded-Host stays", async () => {
    const before = await reloads()
    await serve({ "upstream-vhost": `$service_name.internal` })
    await site.get("/")
    expect(echo.last.headers).toMatchObject({ host: "foo.internal", "x-forwarded-host": "foo.test" })
    await serve({})
    await site.get("/")
    expect(echo.last.headers.host).toBe("foo.test")
    expect(await reloads()).toBe(before)
  })

  test("X-Forwarded-Prefix is the route's, never the client's", async () => {
    await serve({})
    await site.get("/", { headers: { "x-forwarded-prefix": "/theirs" } })
    expect(echo.last.headers).not.toHaveProperty("x-forwarded-prefix")
    await serve({ "rewrite-target": "/$1", "x-forwarded-prefix": "/ours" })
    await site.get("/", { headers: { "x-forwarded-prefix": "/theirs" } })
    expect(echo.last.headers["x-forwarded-prefix"]).toBe("/ours")
  })

  test("304: proxy-body-size; what is no size leaves the default of 1m", async () => {
    const before = await reloads()
    const send = async (bytes: number) =>
      (await site.get("/", { method: "POST", body: Buffer.alloc(bytes) })).status
    await serve({ "proxy-body-size": "8m" })
    expect([await send(7 * 1024 ** 2), await send(9 * 1024 ** 2)]).toEqual([200, 413])
    await serve({ "proxy-body-size": "15r" })
    expect([await send(1024), await send(2 * 1024 ** 2)]).toEqual([200, 413])
    await site.untilProblem("annotation-refused")
    expect(await reloads()).toBe(before)
  })

  test("306: proxy-connect-timeout 50k is refused with a hint, and the Ingress is served", async () => {
    await serve({ "proxy-connect-timeout": "50k" })
    expect((await site.get("/")).status).toBe(200)
    await site.untilSaid("write whole seconds without a unit")
  })

  test("276: proxy-next-upstream-tries 1 is no retry: 502", async () => {
    const before = await reloads()
    await serve({ "proxy-next-upstream": "error http_502", "proxy-next-upstream-tries": "1" })
    echo.answer = () => ({ status: 502 })
    const asked = echo.asked.length
    expect((await site.get("/")).status).toBe(502)
    expect(echo.asked.length).toBe(asked + 1)
    await serve({ "proxy-next-upstream": "error http_502", "proxy-next-upstream-tries": "2" })
    echo.answer = () => ({ status: 502 })
    const again = echo.asked.length
    expect((await site.get("/")).status).toBe(502)
    expect(echo.asked.length).toBe(again + 2)
    expect(await reloads()).toBe(before)
  })

  const get = async (kilobytes: number, annotations: Record<string, string>, minMs = 0) => {
    await serve({ "proxy-buffering": "on", ...annotations })
    echo.answer = () => ({ body: "x".repeat(kilobytes * 1024) })
    const { body } = await tookAtLeast(minMs, () => site.get("/"))
    expect(body).toHaveLength(kilobytes * 1024)
  }

  test("349: limit-rate 1 with proxy-buffering on is one kilobyte per second", async () => {
    await get(4, { "limit-rate": "1" }, 2000)
  })

  test("limit-rate and limit-rate-after; as in nginx, of responses that are buffered", async () => {
    const before = await reloads()
    // nginx counts whole seconds: what it takes three of is there after two, of which the first may be short.
    await get(60, { "limit-rate": "20" }, 1000)
    // At this rate they would take longer than a test may.
    await get(600, { "limit-rate": "1", "limit-rate-after": "700" })
    await get(600, { "limit-rate": "0" })
    await get(600, { "limit-rate": "1", "proxy-buffering": "off" })
    expect(await reloads()).toBe(before)
  })

  test("enable-access-log false: the request is in no log", async () => {
    await serve({ "enable-access-log": "false" })
    expect((await site.get("/unlogged")).status).toBe(200)
    expect(site.wick.log()).not.toContain("/unlogged")
  })
})

test("limit-rate 0 lifts that of the ConfigMap", async () => {
  await serve({ "limit-rate": "0", "proxy-buffering": "on" })
  await site.reconfigure({ "limit-rate": "1" })
  echo.answer = () => ({ body: "x".repeat(600 * 1024) })
  expect((await site.get("/")).body).toHaveLength(600 * 1024)
  await site.reconfigure({})
})

test("309: proxy-http-version 1.0", async () => {
  await serve({ "proxy-http-version": "1.0" })
  await site.get("/")
  expect(echo.last.httpVersion).toBe("1.0")
  await serve({ "proxy-http-version": "1.1" })
  await site.get("/")
  expect(echo.last.httpVersion).toBe("1.1")
})

describe("rewritten responses", () => {
  const cookie = "a=1; Domain=localhost; Path=/one/x"

  async function cookieBack(annotations: Record<string, string>): Promise<string | undefined> {
    await serve(annotations)
    echo.answer = () => ({ headers: { "set-cookie": cookie } })
    return (await site.get("/")).headers["set-cookie"]?.[0]
  }

  test("307: proxy-cookie-domain; one word alone is ignored", async () => {
    expect(await cookieBack({ "proxy-cookie-domain": "localhost example.org" })).toBe(
      "a=1; Domain=example.org; Path=/one/x",
    )
    expect(await cookieBack({ "proxy-cookie-domain": "foo" })).toBe(cookie)
    expect(await cookieBack({ "proxy-cookie-domain": "off" })).toBe(cookie)
  })

  test("proxy-cookie-path; the texts are the route's", async () => {
    await serve({})
    const before = await reloads()
    expect(await cookieBack({ "proxy-cookie-path": "/one/ /" })).toBe("a=1; Domain=localhost; Path=/x")
    expect(await cookieBack({ "proxy-cookie-path": "/one/ /two/" })).toBe(
      "a=1; Domain=localhost; Path=/two/x",
    )
    expect(await reloads()).toBe(before)
  })

  test("proxy-redirect", async () => {
    const locationBack = async (annotations: Record<string, string>) => {
      await serve(annotations)
      echo.answer = () => ({ status: 302, headers: { location: "http://inside.test/x?y=1" } })
      return (await site.get("/")).headers.location
    }
    const from = { "proxy-redirect-from": "http://inside.test/" }
    expect(await locationBack({ ...from, "proxy-redirect-to": "https://outside.test/" })).toBe(
      "https://outside.test/x?y=1",
    )
    expect(await locationBack(from)).toBe("http://inside.test/x?y=1")
    expect(await locationBack({})).toBe("http://inside.test/x?y=1")
  })
})

test("321: error pages without any default backend are nginx's own 404", async () => {
  await serve({ "custom-http-errors": "418" })
  echo.answer = () => ({ status: 418 })
  await until("the page", async () => (await site.get("/")).status === 404)
  expect((await site.get("/")).body).toContain("404 Not Found")
})
