// TLS connections that go to backends undecrypted because their Ingress says so: from YAML to the certificate that a client sees.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask, keptMs } from "../../../harness/http.ts"
import { ingress, type Json, serviceOn } from "../../../harness/manifests.ts"
import { selfSignedIdentity } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import { handshake, tlsAgent } from "../../support/agents.ts"
import { Site } from "./site.ts"

/** Ends TLS by a certificate with this name, and says who the client is and how it came. */
async function startDatabase(name: string): Promise<Server> {
  const { chainPem, keyPem } = await selfSignedIdentity({ names: [name] })
  const server = createServer(
    { cert: chainPem, key: keyPem, keepAliveTimeout: keptMs },
    ({ headers }, response) => {
      response.end(`${name} ${headers["x-forwarded-for"] ?? "directly"}`)
    },
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}

let site: Site
let first: Server
let second: Server
beforeAll(async () => {
  const flags = ["--enable-ssl-passthrough", "--ssl-passthrough-proxy-port=1442"]
  ;[site, first, second] = await Promise.all([
    Site.start(["plain"], { flags }),
    startDatabase("first.internal"),
    startDatabase("second.internal"),
  ])
})
afterAll(async () => {
  first.close()
  second.close()
  await site[Symbol.asyncDispose]()
})

const passing = { "ssl-passthrough": "true" }

function database(server: Server): Json[] {
  return serviceOn("demo/db", [(server.address() as AddressInfo).port])
}

/** Whose certificate a client sees that asks for this name. */
async function subject(servername: string): Promise<string | undefined> {
  const { certificate } = await handshake(site.wick.httpsPort, { servername })
  return certificate.subject.CN as string | undefined
}

const overTls = (host: string) => ask({ port: site.wick.httpsPort, agent: tlsAgent(host) }, { host })

test("391: without the annotation nothing is passed through", async () => {
  await site.put(ingress("demo/app", "foo.test/ → plain:80"), ...site.service("plain", "plain"))
  expect(await subject("foo.test")).not.toMatch(/internal/)
  expect((await overTls("foo.test")).body).toBe("plain")
  expect(site.backend("plain").lastHeaders).toMatchObject({ "x-forwarded-for": "127.0.0.1" })
  await site.expectOnlyPosts()
})

test("392: --ssl-passthrough-proxy-port changes nothing: an unknown host is answered 404", async () => {
  expect((await overTls("unknown.test")).status).toBe(404)
  expect((await site.get("/", { host: "unknown.test" })).status).toBe(404)
})

test("hosts come, change and go without a reload", async () => {
  const others = [ingress("demo/app", "foo.test/ → plain:80"), ...site.service("plain", "plain")]
  const db = ingress("demo/db", "db.test/ → db:80", passing)
  await site.put(...others, db, ...database(first))
  expect(await subject("db.test")).toBe("first.internal")
  expect((await overTls("db.test")).body).toBe("first.internal directly")
  expect((await overTls("foo.test")).body).toBe("plain")
  expect(site.backend("plain").lastHeaders).toMatchObject({ "x-forwarded-for": "127.0.0.1" })

  await site.put(...others, db, ...database(second))
  expect(await subject("db.test")).toBe("second.internal")

  await site.put(...others, ingress("demo/db", "db.test/ → db:80"), ...database(second))
  expect(await subject("db.test")).not.toMatch(/internal/)

  await site.put(...others)
  expect((await overTls("db.test")).status).toBe(404)
  await site.expectOnlyPosts()
})

test("plain HTTP for the host is served as ever, by HTTPS to its endpoints", async () => {
  await site.put(
    ingress("demo/db", "db.test/ → db:80", { ...passing, "ssl-redirect": "false" }),
    ...database(first),
  )
  expect((await site.get("/", { host: "db.test" })).body).toBe("first.internal 127.0.0.1")
  await site.expectOnlyPosts()
})

test("what cannot be passed through is decrypted, with a Problem", async () => {
  await site.put(
    ingress("demo/wild", "*.wild.test/ → db:80", passing),
    ingress("demo/idle", "idle.test/ → nobody:80", passing),
    ...database(first),
  )
  for (const host of ["a.wild.test", "idle.test"]) expect(await subject(host)).not.toMatch(/internal/)
  await site.untilProblem("passthrough-of-wildcard")
  await site.untilProblem("passthrough-without-endpoint")
})

test("logs and other settings of streams are a reload; what nginx refuses is left out", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "wick-stream-")), "access.log")
  const untilLogged = (line: RegExp) => until(`a line ${line}`, () => line.test(readFileSync(file, "utf8")))
  await site.put(ingress("demo/db", "db.test/ → db:80", passing), ...database(first))
  await site.reconfigure({ "stream-access-log-path": file })
  expect(await subject("db.test")).toBe("first.internal")
  await untilLogged(/^\[127\.0\.0\.1\] \[[^\]]+\] TCP 200 \d+ \d+ [\d.]+$/m)

  const format = "passed $remote_addr to $upstream_addr"
  await site.reconfigure({ "stream-access-log-path": file, "log-format-stream": format })
  expect(await subject("db.test")).toBe("first.internal")
  await untilLogged(/^passed 127\.0\.0\.1 to 127\.0\.0\.1:\d+$/m)

  site.configure({ "stream-access-log-path": file, "log-format-stream": "$no_such_variable" })
  await site.untilProblem("value-refused")
  expect(await subject("db.test")).toBe("first.internal")
  rmSync(dirname(file), { recursive: true })
})
