// A Gateway at an address of its own, with a listener at the port that Ingresses have for HTTPS: what comes there is the Gateway's, and everywhere else
// Ingresses have every connection by TLS that they had before, whatever name it is for.
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createServer, type Server } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json, secret, serviceOn, withTls } from "../../../harness/manifests.ts"
import { rootAuthority } from "../../../harness/pki.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { until } from "../../../harness/until.ts"
import { gateway, gatewayClass, route } from "../../support/gateway-objects.ts"
import { Site } from "./site.ts"

const own = "127.0.0.2"
/** Of the pool, and of no Gateway; and of nobody's. */
const others = ["127.0.0.3", "127.0.0.1"]
const names = ["shop.test", "other.test"]

let site: Site
let passed: Server
let certificates: Json[]

beforeAll(async () => {
  const authority = await rootAuthority()
  const [ofIngress, ofGateway, ofBackend] = await Promise.all(
    ["ingress", "gateway", "passed"].map((cn) => authority.issue({ cn, names })),
  )
  certificates = [
    secret("demo/ingress", ofIngress?.tlsData() ?? {}),
    secret("tenant/cert", ofGateway?.tlsData() ?? {}),
  ]
  const pair = { cert: ofBackend?.chainPem ?? "", key: ofBackend?.keyPem ?? "" }
  passed = createServer(pair, (socket) => {
    socket.on("error", () => {})
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npassed")
  })
  passed.listen(0, "127.0.0.1")
  await once(passed, "listening")
  site = await Site.start(["shop", "tenant"], { flags: [`--gateway-addresses=${own},${others[0]}`] })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  passed.close()
})

/** Whose certificate is shown, and who answers; undefined: nobody. */
async function met(host: string, servername: string): Promise<string | undefined> {
  try {
    await using client = await TlsClient.connect(site.wick.httpsPort, { host, servername })
    const { CN } = client.socket.getPeerCertificate().subject ?? {}
    return `${String(CN)}: ${(await client.ask({ host: servername })).body}`
  } catch {
    return undefined
  }
}

const atOthers = () => Promise.all(others.flatMap((host) => names.map((servername) => met(host, servername))))
const cert = { certificateRefs: [{ name: "cert" }] }
const passing = { protocol: "TLS", tls: { mode: "Passthrough" } }
const named = { hostname: "shop.test" }

test.each<[what: string, kind: string, listener: Json, answer: string]>([
  ["passes all on", "TLSRoute", passing, "passed: passed"],
  ["passes the name of an Ingress on", "TLSRoute", { ...passing, ...named }, "passed: passed"],
  ["ends TLS", "TLSRoute", { protocol: "TLS", tls: { mode: "Terminate", ...cert } }, "gateway: tenant"],
  ["has requests", "HTTPRoute", { protocol: "HTTPS", tls: cert }, "gateway: tenant"],
  ["has requests for the name", "HTTPRoute", { protocol: "HTTPS", tls: cert, ...named }, "gateway: tenant"],
])("one that %s", async (_, kind, listener, answer) => {
  const { port } = answer === "passed: passed" ? (passed.address() as AddressInfo) : site.backend("tenant")
  const rules = names.map((name) => `${name}/ → shop:80`)
  await site.put(
    ...[gatewayClass, ...certificates, ...site.service("shop", "shop")],
    withTls(ingress("demo/shop", rules), `${names.join(",")}=ingress`),
    gateway("tenant/edge", [{ port: site.wick.httpsPort, ...listener }]),
    ...serviceOn("tenant/web", [port]),
    route(kind, "tenant/web", "tenant/edge"),
  )
  await until("the Gateway's own answer", async () => (await met(own, "shop.test")) === answer)
  expect(await atOthers()).toEqual(Array(4).fill("ingress: shop"))
})
