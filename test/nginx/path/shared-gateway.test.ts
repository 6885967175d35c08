// A Gateway on the ports of Ingresses: HTTP and HTTPS are listeners of their own there, as they are on ports of a Gateway's own.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Json, secret } from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { Site } from "./site.ts"

let site: Site
let certificate: Json

beforeAll(async () => {
  const authority = await rootAuthority()
  const identity = await authority.issue({ cn: "shop.test", names: ["shop.test"] })
  certificate = secret("demo/cert", identity.tlsData())
  site = await Site.start(["a", "b"])
})
afterAll(() => site[Symbol.asyncDispose]())

const object = (kind: string, name: string, spec: Json): Json => ({
  ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
  metadata: { name, ...(kind !== "GatewayClass" && { namespace: "demo" }) },
})

const http = { name: "http", port: 80, protocol: "HTTP" }
const https = (hostname: string) => ({
  ...{ name: "https", port: 443, protocol: "HTTPS", hostname },
  tls: { certificateRefs: [{ name: "cert" }] },
})

function route(name: string, listener: string, rule: Json): Json {
  return object("HTTPRoute", name, {
    parentRefs: [{ name: "edge", ...(listener !== "" && { sectionName: listener }) }],
    hostnames: ["shop.test"],
    rules: [rule],
  })
}

const to = (name: string, more: Json = {}): Json => ({ backendRefs: [{ name, port: 80 }], ...more })
const toHttps = {
  filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https", statusCode: 301 } }],
}

async function serve(...routes: readonly Json[]): Promise<void> {
  const listeners = [http, https("shop.test")]
  await site.put(
    ...[object("GatewayClass", "wick", { controllerName: "wick.dev/gateway" }), certificate],
    object("Gateway", "edge", { gatewayClassName: "wick", listeners }),
    ...[...site.service("a", "a"), ...site.service("b", "b"), ...routes],
  )
}

const byHttp = (path = "/") => site.get(path, { host: "shop.test" })

async function byHttps(path = "/") {
  await using client = await TlsClient.connect(site.wick.httpsPort, { servername: "shop.test" })
  return await client.ask({ host: "shop.test", path })
}

test("what HTTPS serves is led to from HTTP", async () => {
  await serve(route("app", "https", to("a")), route("to-https", "http", toHttps))
  expect(await byHttp("/cart")).toMatchObject({
    status: 301,
    headers: { location: "https://shop.test/cart" },
  })
  expect(await byHttps("/cart")).toMatchObject({ status: 200, body: "a" })
})

test("a route of one of them is not there for the other", async () => {
  await serve(route("app", "https", to("a")))
  expect([await byHttp(), await byHttps()]).toMatchObject([{ status: 404 }, { status: 200, body: "a" }])
  await serve(route("app", "http", to("a")))
  expect([await byHttp(), await byHttps()]).toMatchObject([{ status: 200, body: "a" }, { status: 404 }])
})

test("a route of both serves both, beside one of one of them", async () => {
  const path = [{ path: { type: "PathPrefix", value: "/b" } }]
  await serve(route("app", "", to("a")), route("own", "https", to("b", { matches: path })))
  expect([await byHttp("/b"), await byHttps("/b"), await byHttps("/")]).toMatchObject([
    { status: 200, body: "a" },
    { status: 200, body: "b" },
    { status: 200, body: "a" },
  ])
})
