// HTTP/3 beside what shares its port or its keys: TLS that is passed through, IPv6, the PROXY protocol, early data.
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isAtLeast } from "../../../controller/output/nginx/version.ts"
import { Http3Clients } from "../../../harness/http3.ts"
import { ingress, type Json, serviceOn } from "../../../harness/manifests.ts"
import { selfSignedIdentity } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { handshake } from "../../support/agents.ts"
import { Site } from "../path/site.ts"
import { hasHttp3, version } from "./nginx.ts"

const settings = { "use-http3": "true" }

/** CRYPTO_ERROR with the alert (RFC 9001, 4.8; RFC 8446, 6). */
const unrecognizedName = `"code": ${0x100 + 112}`

const object = (kind: string, name: string, spec: Json): Json => ({
  ...{ apiVersion: "gateway.networking.k8s.io/v1", kind, spec },
  metadata: { name, ...(kind !== "GatewayClass" && { namespace: "demo" }) },
})

/** On the ports of Ingresses. */
const gateway = [
  object("GatewayClass", "wick", { controllerName: "wick.dev/gateway" }),
  object("Gateway", "edge", {
    gatewayClassName: "wick",
    listeners: [{ name: "tls", port: 443, protocol: "TLS", tls: { mode: "Passthrough" } }],
  }),
  object("TLSRoute", "db", {
    parentRefs: [{ name: "edge" }],
    hostnames: ["route.test"],
    rules: [{ backendRefs: [{ name: "db", port: 80 }] }],
  }),
]

let site: Site
let clients: Http3Clients
let database: Server

beforeAll(async () => {
  if (!hasHttp3) return
  clients = new Http3Clients()
  const { chainPem, keyPem } = await selfSignedIdentity({ names: ["own.internal"] })
  database = createServer({ cert: chainPem, key: keyPem })
  await new Promise<void>((resolve) => database.listen(0, "127.0.0.1", resolve))
  site = await Site.start(["one"], { flags: ["--enable-ssl-passthrough"] })
  await site.reconfigure(settings)
  await put()
})
afterAll(async () => {
  if (!hasHttp3) return
  database.close()
  clients[Symbol.dispose]()
  await site[Symbol.asyncDispose]()
})

const put = (...more: readonly Json[]) =>
  site.put(
    ...site.service("app", "one"),
    ...serviceOn("demo/db", [(database.address() as AddressInfo).port]),
    ingress("demo/app", "foo.test/ → app:80"),
    ingress("demo/db", "db.test/ → db:80", { "ssl-passthrough": "true" }),
    ...more,
  )

const port = () => site.wick.httpsPort

const untilPassedThrough = async (servername: string) => {
  const seen = async () => (await handshake(port(), { servername })).certificate.subject.CN
  await until(`${servername} to be passed through`, async () => (await seen()) === "own.internal")
}

describe.skipIf(!hasHttp3)("HTTP/3", () => {
  test("is served at a port of which TLS connections are passed through, which are TCP's", async () => {
    expect((await clients.ask({ port: port() })).body.toString()).toBe("one")
    await untilPassedThrough("db.test")
  })

  // Nobody passes QUIC through.
  test("refuses the name of a host that is passed through, which clients ask by TCP then", async () => {
    for (const serverName of ["db.test", "DB.test."])
      await expect(clients.connect({ port: port(), serverName })).rejects.toThrow(unrecognizedName)
    expect((await clients.ask({ port: port() })).body.toString()).toBe("one")
    await put(...gateway)
    await untilPassedThrough("route.test")
    const refused = clients.connect({ port: port(), serverName: "route.test" })
    await expect(refused).rejects.toThrow(unrecognizedName)
    await put()
  })

  test("is at IPv6 addresses, too", async () => {
    const answer = await clients.ask({ port: port(), host: "::1" })
    expect(answer.body.toString()).toBe("one")
    expect(site.backend("one").lastHeaders).toMatchObject({ "x-real-ip": "::1" })
  })

  test.skipIf(isAtLeast(version, [1, 29]))("takes no early data, whatever ssl-early-data says", async () => {
    await site.reconfigure({ ...settings, "ssl-early-data": "true" })
    const connection = await clients.connect({ port: port() })
    await connection.ask()
    await until("a session ticket", async () => (await connection.earlyDataBytes()).length > 0)
    expect(new Set(await connection.earlyDataBytes())).toEqual(new Set([0]))
    await connection.close()
  })

  test("is not there behind a PROXY protocol, which QUIC has none of: a Problem", async () => {
    await site.reconfigure({ ...settings, "use-proxy-protocol": "true" })
    await site.untilProblem("value-corrected")
    expect(site.wick.conf()).not.toMatch(/listen .* quic|Alt-Svc/)
    await expect(clients.connect({ port: port(), timeoutMs: 2000 })).rejects.toThrow()
    await site.reconfigure(settings)
  })
})
