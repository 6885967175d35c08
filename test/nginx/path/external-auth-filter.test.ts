// The filter ExternalAuth of an HTTPRoute: what the service is asked, and what comes of its answer.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ask, type Question } from "../../../harness/http.ts"
import { type Json, manifest, serviceOn } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { gateway, gatewayClass, route } from "../../support/gateway-objects.ts"

const address = "127.0.0.1"
const app = new Echo()
const service = new Echo()
let wick: Wick
let port = 0
let version = 0

beforeAll(async () => {
  await Promise.all([app.start(), service.start()])
  const [free = 0, silent = 0] = await freePorts(2)
  port = free
  const base = manifest(
    ...[gatewayClass, gateway("demo/edge", [{ port, protocol: "HTTP" }])],
    ...serviceOn("demo/app", [app.port]),
    ...serviceOn("demo/auth", [service.port]),
    ...serviceOn("demo/silent", [silent]),
  )
  wick = await startWick({ manifests: { "base.yaml": base }, flags: [`--gateway-addresses=${address}`] })
})
afterAll(async () => {
  await wick[Symbol.asyncDispose]()
  await Promise.all([app[Symbol.asyncDispose](), service[Symbol.asyncDispose]()])
})
beforeEach(() => {
  service.answer = () => ({})
  service.asked.length = 0
  app.asked.length = 0
})

const filter = (http: Json = {}, name = "auth") => ({
  type: "ExternalAuth",
  externalAuth: { protocol: "HTTP", backendRef: { name, port: 80 }, http },
})

/** Serves everything by a rule with these filters, and waits until it is in force. */
async function serve(filters: readonly Json[], annotations: Json = {}): Promise<void> {
  version += 1
  const probe = {
    matches: [{ path: { type: "Exact", value: `/version-${version}` } }],
    filters: [{ type: "RequestRedirect", requestRedirect: { statusCode: 307 } }],
  }
  const isRedirected = filters.some(({ type }) => type === "RequestRedirect")
  const rule = { filters, ...(!isRedirected && { backendRefs: [{ name: "app", port: 80 }] }) }
  const of = route("HTTPRoute", "demo/all", "demo/edge", { rules: [probe, rule] })
  wick.write("route.yaml", manifest({ ...of, metadata: { ...(of.metadata as Json), annotations } }))
  await until("the route", async () => (await get(`/version-${version}`)).status === 307)
  for (const { asked } of [app, service]) asked.length = 0
}

const get = (path: string, more: Question = {}) =>
  ask({ host: address, port }, { path, host: "shop.test", ...more })

describe("the question", () => {
  test("has the client's method and path behind the prefix, Host, no body, and Authorization alone of its headers", async () => {
    await serve([filter({ path: "/check/$x/" })])
    const headers = {
      authorization: "Bearer a",
      cookie: "a=b",
      "x-tenant": "t",
      "x-forwarded-for": "1.2.3.4",
    }
    const { status } = await get("/a%2Fb?c=d", { method: "POST", headers, body: "hello" })
    expect(status).toBe(200)
    expect(service.asked).toEqual([
      {
        ...{ method: "POST", url: "/check/$x/a%2Fb?c=d", httpVersion: "1.1", body: "" },
        headers: { host: "shop.test", authorization: "Bearer a", "content-length": "0" },
      },
    ])
    expect(app.last).toMatchObject({
      method: "POST",
      url: "/a%2Fb?c=d",
      body: "hello",
      headers: { cookie: "a=b" },
    })
  })

  test.each(["GET", "HEAD", "DELETE", "OPTIONS", "PROPFIND"])("has method %s", async (method) => {
    await serve([filter()])
    expect((await get("/x", { method })).status).toBe(200)
    expect(service.last).toMatchObject({ method, url: "/x" })
    expect(app.last.method).toBe(method)
  })

  test("has the headers that are allowed, in that spelling, and none that frames a message", async () => {
    const allowedHeaders = ["Cookie", "X-Tenant", "Content-Length", "Transfer-Encoding", "Connection"]
    await serve([filter({ allowedHeaders })])
    const headers = { cookie: "a=b", "x-tenant": ["t", "u"], x_tenant: "forged", "x-other": "o" }
    await get("/", { method: "POST", headers, body: "hello" })
    expect(service.last.headers).toEqual({
      ...{ host: "shop.test", "content-length": "0", cookie: "a=b" },
      "x-tenant": "t, u",
    })
  })
})

describe("the answer", () => {
  test.each([
    [200, 200],
    [201, 403],
    [204, 403],
    [302, 403],
    [401, 401],
    [403, 403],
    [404, 403],
    [500, 403],
    [503, 403],
  ])("%i is %i for the client", async (status, expected) => {
    await serve([filter()])
    service.answer = () => ({ status, headers: { "www-authenticate": "Bearer", "set-cookie": "s=1" } })
    const answer = await get("/")
    expect(answer.status).toBe(expected)
    expect(app.asked).toHaveLength(status === 200 ? 1 : 0)
    expect(answer.headers["set-cookie"]).toBeUndefined()
    expect(answer.headers["www-authenticate"]).toBe(expected === 401 ? "Bearer" : undefined)
  })

  test("brings the backend those of its headers that are named, in the place of the client's", async () => {
    await serve([filter({ allowedResponseHeaders: ["X-User", "X-Absent"] })])
    service.answer = () => ({ headers: { "x-user": "ann", "x-other": "o" } })
    await get("/", { headers: { "x-user": "forged", x_user: "forged", "x-absent": "forged" } })
    expect(app.last.headers).toMatchObject({ "x-user": "ann" })
    for (const name of ["x_user", "x-absent", "x-other"]) expect(app.last.headers[name]).toBeUndefined()
  })

  test("brings all without a list, but for those of its body and connection", async () => {
    await serve([filter()])
    const own = { "x-user": "ann", authorization: "Bearer own", host: "evil.test", "content-type": "text/x" }
    service.answer = () => ({ headers: { ...own, connection: "x-user" }, body: "granted" })
    const headers = { "x-user": "forged", x_user: "forged", authorization: "Bearer a", "content-type": "a/b" }
    await get("/", { method: "POST", headers, body: "hello" })
    expect(app.last).toMatchObject({
      body: "hello",
      headers: {
        ...{ host: "shop.test", "x-user": "ann", authorization: "Bearer own", "content-type": "a/b" },
        "content-length": "5",
      },
    })
    expect(app.last.headers.x_user).toBeUndefined()
  })
})

describe("nobody gets in", () => {
  test.each<[string, ...Json[]]>([
    ["of a service that does not listen", filter({}, "silent")],
    ["of one that is not there", filter({}, "nowhere")],
    [
      "by protocol GRPC",
      { type: "ExternalAuth", externalAuth: { protocol: "GRPC", backendRef: { name: "auth", port: 80 } } },
    ],
    [
      "with a body",
      {
        type: "ExternalAuth",
        externalAuth: {
          protocol: "HTTP",
          backendRef: { name: "auth", port: 80 },
          forwardBody: { maxSize: 1 },
        },
      },
    ],
    ["beside a redirect", filter(), { type: "RequestRedirect", requestRedirect: { hostname: "to.test" } }],
    ["under a path with dots", filter({ path: "/a/%2e%2E/b" })],
  ])("%s", async (_, ...filters) => {
    await serve(filters)
    expect((await get("/")).status).toBe(500)
    expect(app.asked).toEqual([])
  })

  test("when it breaks off in the middle of its answer", async () => {
    await serve([filter()])
    service.answer = () => {
      queueMicrotask(() => service.reset())
      return { delayMs: 60_000 }
    }
    expect((await get("/")).status).toBe(500)
    expect(app.asked).toEqual([])
  })
})

test("an address that annotations let in is asked about, too", async () => {
  service.answer = () => ({ status: 403 })
  const own = "nginx.ingress.kubernetes.io"
  await serve([filter()], { [`${own}/allowlist-source-range`]: "127.0.0.0/8", [`${own}/satisfy`]: "any" })
  expect((await get("/")).status).toBe(403)
  expect(app.asked).toEqual([])
})
