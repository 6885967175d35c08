// What HTTPRoutes say of requests beyond where they go: all of it is posted.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Asked, Echo } from "../../../harness/echo.ts"
import { ask } from "../../../harness/http.ts"
import { type Json, manifest, serviceOn } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const api = "gateway.networking.k8s.io/v1"
const address = "127.0.0.1"
let wick: Wick
let port = 0
const echoes: Echo[] = []
let version = 0

beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) echoes.push(await new Echo().start())
  const [free = 0] = await freePorts(1)
  port = free
  const gatewayClass = { apiVersion: api, kind: "GatewayClass", metadata: { name: "wick" } }
  const gateway = { apiVersion: api, kind: "Gateway", metadata: { name: "edge", namespace: "demo" } }
  const listeners = [{ name: "web", port, protocol: "HTTP" }]
  const base = manifest(
    { ...gatewayClass, spec: { controllerName: "wick.dev/gateway" } },
    { ...gateway, spec: { gatewayClassName: "wick", listeners } },
    ...["app", "copy", "other"].flatMap((name, at) => serviceOn(`demo/${name}`, [echo(at).port])),
  )
  wick = await startWick({ manifests: { "base.yaml": base }, flags: [`--gateway-addresses=${address}`] })
})
afterAll(async () => {
  await wick[Symbol.asyncDispose]()
  for (const echo of echoes) await echo[Symbol.asyncDispose]()
})

function echo(at: number): Echo {
  const found = echoes[at]
  if (found === undefined) throw new Error(`There is no backend ${at}`)
  return found
}

const to = (name: string, more: Json = {}) => ({ name, port: 80, ...more })
const set = (name: string, value: string) => ({
  type: "RequestHeaderModifier",
  requestHeaderModifier: { set: [{ name, value }] },
})

/** Serves everything by a rule, and waits until it is in force. */
async function serve(rule: Json): Promise<void> {
  version += 1
  const probe = {
    matches: [{ path: { type: "Exact", value: `/version-${version}` } }],
    filters: [{ type: "RequestRedirect", requestRedirect: { statusCode: 307 } }],
  }
  const route = { apiVersion: api, kind: "HTTPRoute", metadata: { name: "all", namespace: "demo" } }
  const spec = { parentRefs: [{ name: "edge" }], rules: [probe, rule] }
  wick.write("route.yaml", manifest({ ...route, spec }))
  await until("the route", async () => (await get(`/version-${version}`)).status === 307)
}

function get(path: string, more: object = {}) {
  return ask({ host: address, port }, { path, host: "gateway.test", ...more })
}

async function asked(path: string): Promise<Asked> {
  return (await get(path)).json() as Asked
}

test("nothing that a rule may do is a reload, but for the first that names numbers", async () => {
  await serve({ backendRefs: [to("app")] })
  expect((await asked("/")).url).toBe("/")
  const before = await wick.metric("nginx_ingress_controller_success")
  const replaced = { type: "ReplacePrefixMatch", replacePrefixMatch: "/new" }

  await serve({ filters: [set("X-A", "$host")], backendRefs: [to("app")] })
  expect((await asked("/")).headers).toMatchObject({ "x-a": "$host" })

  const rewrite = { type: "URLRewrite", urlRewrite: { hostname: "own.test", path: replaced } }
  await serve({ backendRefs: [to("app", { filters: [rewrite, set("X-A", "b")] })] })
  expect(await asked("/x%2Fy")).toMatchObject({
    url: "/new/x%2Fy",
    headers: { "x-a": "b", host: "own.test", "x-forwarded-host": "gateway.test" },
  })

  await serve({
    filters: [{ type: "RequestRedirect", requestRedirect: { path: replaced, statusCode: 308 } }],
  })
  const led = await get("/x?y")
  expect([led.status, led.headers.location]).toEqual([308, `http://gateway.test:${port}/new/x?y`])

  const copied = ["copy", "other"].map((name) => ({
    type: "RequestMirror",
    requestMirror: { backendRef: to(name) },
  }))
  await serve({ filters: copied, backendRefs: [to("app")] })
  expect((await asked("/copied")).url).toBe("/copied")
  for (const at of [1, 2]) await until("the copy", () => echo(at).asked.some(({ url }) => url === "/copied"))

  await serve({ timeouts: { request: "100ms" }, backendRefs: [to("app")] })
  echo(0).answer = () => ({ until: () => false })
  expect((await get("/late")).status).toBe(504)

  echo(0).answer = () => ({})
  await serve({ retry: { codes: [501, 503], attempts: 2 }, backendRefs: [to("app")] })
  let times = 0
  echo(0).answer = ({ body }) => {
    times += 1
    return { status: [501, 503][times - 1] ?? 200, body: `${times} ${body}` }
  }
  expect((await get("/", { method: "POST", body: "again" })).body).toBe("3 again")
  echo(0).answer = () => ({})

  const allowOrigins = ["https://*.shop.test"]
  await serve({ filters: [{ type: "CORS", cors: { allowOrigins } }], backendRefs: [to("app")] })
  const preflight = { origin: "https://a.b.shop.test", "access-control-request-method": "GET" }
  const allowed = await get("/", { method: "OPTIONS", headers: preflight })
  expect([allowed.status, allowed.headers["access-control-allow-origin"]]).toEqual([204, preflight.origin])

  await serve({ backendRefs: [to("app", { weight: 1 }), to("nobody", { weight: 1 })] })
  const statuses: number[] = []
  for (let n = 0; n < 20; n += 1) statuses.push((await get("/")).status)
  expect(new Set(statuses)).toEqual(new Set([200, 500]))

  expect(await wick.metric("nginx_ingress_controller_success")).toBe(before)
})
