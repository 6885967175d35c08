// HTTP/3 beside what shares its port or its keys: TLS that is passed through, IPv6, the PROXY protocol, early data.
import { X509Certificate } from "node:crypto"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isAtLeast } from "../../../controller/output/nginx/version.ts"
import { Http3Clients } from "../../../harness/http3.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { selfSignedIdentity } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { handshake } from "../../support/agents.ts"
import { Site } from "../path/site.ts"
import { hasHttp3, version } from "./nginx.ts"

const settings = { "use-http3": "true" }

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
  await site.put(
    ...site.service("app", "one"),
    ...serviceOn("demo/db", [(database.address() as AddressInfo).port]),
    ingress("demo/app", "foo.test/ → app:80"),
    ingress("demo/db", "db.test/ → db:80", { "ssl-passthrough": "true" }),
  )
})
afterAll(async () => {
  if (!hasHttp3) return
  database.close()
  clients[Symbol.dispose]()
  await site[Symbol.asyncDispose]()
})

const port = () => site.wick.httpsPort

describe.skipIf(!hasHttp3)("HTTP/3", () => {
  test("is served at a port of which TLS connections are passed through, which are TCP's", async () => {
    expect((await clients.ask({ port: port() })).body.toString()).toBe("one")
    const seen = async () => (await handshake(port(), { servername: "db.test" })).certificate.subject.CN
    await until("the host to be passed through", async () => (await seen()) === "own.internal")
    // Nobody passes QUIC through: it ends here, by a certificate of ours.
    const connection = await clients.connect({ port: port(), serverName: "db.test" })
    expect(new X509Certificate(connection.certificate).subject).not.toContain("own.internal")
    await connection.close()
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
