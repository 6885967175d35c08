// Headers of all responses and of all requests to backends.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
  await site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one"))
})
afterAll(() => site[Symbol.asyncDispose]())

const putHeaders = (data: Readonly<Record<string, string>>) =>
  site.wick.write("headers.yaml", manifest(settings("demo/headers", data)))

const headersOf = async (path = "/", host = "foo.test") => (await site.get(path, { host })).headers

test("327: no response has a Server header", async () => {
  expect((await headersOf()).server).toBeUndefined()
  expect((await headersOf("/", "unknown.test")).server).toBeUndefined()
})

test("server-tokens shows nginx and its version", async () => {
  await site.reconfigure({ "server-tokens": "true" })
  expect((await headersOf()).server).toMatch(/^nginx\/\d/)
})

test("allow-backend-server-header shows the backend's instead", async () => {
  await site.reconfigure({ "server-tokens": "true", "allow-backend-server-header": "true" })
  expect((await headersOf()).server).toBe("node")
  expect((await headersOf("/", "unknown.test")).server).toMatch(/^nginx\/\d/)
})

test("and none in the place of a backend that has none", async () => {
  await using echo = await new Echo().start()
  const one = ingress("demo/app", "foo.test/ → app:80")
  const echoed = ingress("demo/echo", "echo.test/ → echo:80")
  await site.put(one, ...site.service("app", "one"), echoed, ...serviceOn("demo/echo", [echo.port]))
  expect((await headersOf("/", "echo.test")).server).toBeUndefined()
})

describe("326: add-headers", () => {
  beforeAll(async () => {
    putHeaders({ "X-Everywhere": "yes", "X-Scheme-Was": "$scheme of $host", "Bad Name": "1" })
    await site.reconfigure({ "add-headers": "demo/headers" })
  })

  test("are on every response, whoever made it, with their variables", async () => {
    const wanted = { "x-everywhere": "yes", "x-scheme-was": "http of foo.test" }
    expect(await headersOf()).toMatchObject(wanted)
    expect(await headersOf("/", "unknown.test")).toMatchObject({ "x-everywhere": "yes" })
  })

  test("one that cannot be a header is left out with a Problem", async () => {
    await site.untilSaid('header "Bad Name" is left out')
  })

  test("a change of their ConfigMap is in force at once", async () => {
    const reloads = () => site.wick.metric("nginx_ingress_controller_success")
    const before = await reloads()
    putHeaders({ "X-Everywhere": "again" })
    await until("the reload", async () => (await reloads()) > before)
    expect((await headersOf())["x-everywhere"]).toBe("again")
    expect((await headersOf())["x-scheme-was"]).toBeUndefined()
  })

  test("a variable that does not exist costs nothing but a Problem", async () => {
    putHeaders({ "X-Everywhere": "$no_such_variable" })
    await until("the Problem", () => Promise.resolve(site.wick.log().includes("no_such_variable")))
    expect((await headersOf())["x-everywhere"]).toBe("again")
    await site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one"))
    expect((await site.get("/")).body).toBe("one")
  })
})

test("proxy-set-headers go to backends, in the place of ours and of the client's", async () => {
  putHeaders({ "X-Gateway": "wick for $host", "X-Forwarded-Proto": "https", "X-Gone": "" })
  await site.reconfigure({ "proxy-set-headers": "demo/headers" })
  const headers = { "x-gateway": "client", "x-gone": "client" }
  expect((await site.get("/", { headers })).body).toBe("one")
  const seen = site.backend("one").lastHeaders
  expect(seen).toMatchObject({ "x-gateway": "wick for foo.test", "x-forwarded-proto": "https" })
  expect(seen["x-gone"]).toBeUndefined()
})

test("a ConfigMap that is not there costs nothing but a Problem", async () => {
  await site.reconfigure({ "add-headers": "demo/nowhere", "keep-alive": "73" })
  await site.untilSaid(`there is no ConfigMap "demo/nowhere"`)
  expect((await site.get("/")).body).toBe("one")
})

test("hide-headers keeps a backend's header from clients", async () => {
  expect((await headersOf())["x-backend"]).toBe("one")
  await site.reconfigure({ "hide-headers": "X-Powered-By,X-Backend" })
  expect((await headersOf())["x-backend"]).toBeUndefined()
})

test("underscores in names of headers are for those who ask for them", async () => {
  const headers = { with_underscore: "1" }
  await site.get("/", { headers })
  expect(site.backend("one").lastHeaders.with_underscore).toBeUndefined()
  await site.reconfigure({ "enable-underscores-in-headers": "true" })
  await site.get("/", { headers })
  expect(site.backend("one").lastHeaders.with_underscore).toBe("1")
})

describe("who is turned away", () => {
  beforeAll(() =>
    site.reconfigure({
      "block-user-agents": "~*bad-?bot,Exactly This,include",
      "block-referers": "~^https?://spam\\.test/",
      "block-cidrs": "192.0.2.0/24",
    }),
  )

  test("hosts that no rule knows are no exception", async () => {
    const headers = { "user-agent": "badbot" }
    expect((await site.get("/", { host: "nobody.test", headers })).status).toBe(403)
    expect((await site.get("/", { host: "nobody.test" })).status).toBe(404)
  })

  test.each([
    ["user-agent", "Some BadBot/1.0", 403],
    ["user-agent", "exactly this", 403],
    ["user-agent", "exactly this one", 200],
    ["user-agent", "include", 403],
    ["referer", "https://spam.test/x", 403],
    ["referer", "https://other.test/?https://spam.test/", 200],
  ])("%s: %s is answered %i", async (name, value, status) => {
    expect((await site.get("/", { headers: { [name]: value } })).status).toBe(status)
  })

  test("179: a part of a user agent by a pattern, or all of it", async () => {
    await site.reconfigure({
      "block-user-agents": "~*chrome\\/68\\.0\\.3440\\.106\\ safari\\/537\\.36,AlphaBot",
    })
    const statusOf = async (agent: string) =>
      (await site.get("/", { headers: { "user-agent": agent } })).status
    const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/68.0.3440.106 Safari/537.36"
    const safari =
      "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/11.1 Safari/605.1.15"
    expect([await statusOf("AlphaBot"), await statusOf(chrome), await statusOf(safari)]).toEqual([
      403, 403, 200,
    ])
  })

  test("by address", async () => {
    await site.reconfigure({ "block-cidrs": "127.0.0.0/8" })
    expect((await site.get("/")).status).toBe(403)
    expect((await site.get("/", { host: "nobody.test" })).status).toBe(403)
    // nginx's own figures are not.
    expect(await site.wick.metric("nginx_ingress_controller_nginx_process_requests_total")).toBeGreaterThan(0)
  })
})
