// What the Gateway API says to keep requests out, and what keeps nobody out here, reaches no backend; sessions by cookie are kept.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ask } from "../../../harness/http.ts"
import { type Json, manifest, serviceOn } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const address = "127.0.0.1"
const backendRefs = [{ name: "app", port: 80 }]
const asked = [
  { type: "ExternalAuth", externalAuth: { protocol: "GRPC", backendRef: { name: "app", port: 80 } } },
]
const echoes: Echo[] = []
let wick: Wick
let port = 0

const object = (kind: string, name: string, spec: Json): Json => ({
  ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
  metadata: { name, namespace: "demo" },
})

function route(name: string, hostnames: readonly string[], rules: readonly Json[]): Json {
  return object("HTTPRoute", name, { parentRefs: [{ name: "edge" }], hostnames, rules })
}

function prefix(value: string, more: Json): Json {
  return { matches: [{ path: { value } }], backendRefs, ...more }
}

beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) echoes.push(await new Echo().start())
  const [free = 0] = await freePorts(1)
  port = free
  const listeners = [
    { name: "open", port, protocol: "HTTP" },
    { name: "asked", port, protocol: "HTTP", hostname: "*.asked.test", filters: { requests: asked } },
  ]
  const cookie = { name: "kept", path: "/kept", lifetimeType: "Permanent" }
  const objects = manifest(
    { ...object("GatewayClass", "wick", { controllerName: "wick.dev/gateway" }), metadata: { name: "wick" } },
    object("Gateway", "edge", { gatewayClassName: "wick", listeners }),
    ...serviceOn(
      "demo/app",
      echoes.map((echo) => echo.port),
    ),
    route("open", ["open.test", "cart.asked.test", "*.test"], [{ backendRefs }]),
    route("admin", ["open.test"], [prefix("/admin", { filters: asked })]),
    route(
      "mixed",
      ["mixed.test"],
      [
        prefix("/", {}),
        prefix("/admin", { filters: asked }),
        prefix("/kept", { sessionPersistence: { absoluteTimeout: "1h", cookie } }),
        prefix("/usual", { sessionPersistence: {} }),
        prefix("/header", { sessionPersistence: { type: "Header", header: { name: "x-session" } } }),
      ],
    ),
  )
  wick = await startWick({ manifests: { "all.yaml": objects }, flags: [`--gateway-addresses=${address}`] })
  await until("the routes", async () => (await get("mixed.test", "/")).status === 200)
})
afterAll(async () => {
  await wick[Symbol.asyncDispose]()
  for (const echo of echoes) await echo[Symbol.asyncDispose]()
})

function get(host: string, path: string, cookie?: string) {
  return ask({ host: address, port }, { path, host, ...(cookie && { headers: { cookie } }) })
}

function total(): number {
  return echoes.reduce((sum, echo) => sum + echo.asked.length, 0)
}

test.each([
  ["cart.asked.test", "/", 404],
  ["other.asked.test", "/", 404],
  ["open.test", "/admin", 500],
  ["open.test", "/admin/users", 500],
  ["mixed.test", "/admin", 500],
  ["mixed.test", "/header", 500],
])("%s%s is answered %d, and no backend is asked", async (host, path, status) => {
  const before = total()
  expect((await get(host, path)).status).toBe(status)
  expect(total()).toBe(before)
})

test.each([
  ["open.test", "/"],
  ["open.test", "/administrators"],
  ["any.test", "/admin"],
  ["mixed.test", "/other"],
])("%s%s is served beside them", async (host, path) => {
  expect((await get(host, path)).status).toBe(200)
})

/** Who has had a request that comes now. */
async function servedBy(path: string, cookie?: string) {
  const before = echoes.map((echo) => echo.asked.length)
  const answer = await get("mixed.test", path, cookie)
  const [set = ""] = answer.headers["set-cookie"] ?? []
  return { at: echoes.findIndex((echo, at) => echo.asked.length > (before[at] ?? 0)), set }
}

test.each([
  ["/kept", /^kept=[^;]+; .*Max-Age=3600.*Path=\/kept(;|$)/i],
  ["/usual", /^wick-[0-9a-f]{8}=[^;]+;.* Path=\/(;|$)/i],
])("clients of %s stay with their endpoint", async (path, expected) => {
  const first = await servedBy(path)
  expect(first.set).toMatch(expected)
  const [cookie] = first.set.split(";")
  const others = []
  for (let n = 0; n < 9; n += 1) others.push((await servedBy(path, cookie)).at)
  expect(new Set(others)).toEqual(new Set([first.at]))
})
