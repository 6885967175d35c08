// A request is for one host, which everything goes by that depends on one, and which the backend is told: with a target in absolute form that is
// the target's (RFC 9112, 3.2.2), whatever the Host header says.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { tlsData } from "../../../harness/certificates.ts"
import { Echo } from "../../../harness/echo.ts"
import type { Answer, Question } from "../../../harness/http.ts"
import { ingress, type Json, secret, serviceOn } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { cert, key } from "../../../harness/tls.ts"
import { TlsClient, type TlsClientOptions } from "../../../harness/tls-client.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-one-host-"))
const logFile = join(dir, "access.log")

let site: Site
let ca: Authority
let alice: Identity
beforeAll(async () => {
  ca = await rootAuthority({ cn: "ca" })
  alice = await ca.issue({ cn: "alice" })
  site = await Site.start(["a", "b", "canary"])
  await site.reconfigure({
    "access-log-path": logFile,
    "log-format-upstream": "$request_uri $host $http_host",
  })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

const put = (...objects: readonly Json[]) =>
  site.put(...["a", "b", "canary"].flatMap((name) => site.service(name, name)), ...objects)

/** A target in absolute form beside a Host header; `a.test` and `b.test` unless the case is about others. */
const absolute = (host = "a.test", header = "b.test", path = "/"): Question => ({
  path: `http://${host}${path}`,
  host: header,
})

const get = (question: Question): Promise<Answer> => site.get("/", question)
const location = async (question: Question) => (await get(question)).headers.location

describe("clients' certificates", () => {
  const hosts = () => [
    ingress("demo/mtls", "mtls.test/ → a:80", { "auth-tls-secret": "demo/clients" }),
    ingress("demo/open", "open.test/ → b:80"),
    secret("demo/clients", { "ca.crt": ca.pem }),
  ]

  async function ask(servername: string, question: Question, options: TlsClientOptions = {}) {
    await using client = await TlsClient.connect(site.wick.httpsPort, { servername, ...options })
    return (await client.ask(question)).status
  }

  test("nobody without one names the host that asks for it to another backend", async () => {
    await put(...hosts())
    expect(await ask("open.test", absolute("open.test", "mtls.test", "/admin"))).toBe(200)
    expect(site.backend("b").lastUrl).toBe("/admin")
    expect(site.backend("b").lastHeaders).toMatchObject({
      host: "open.test",
      "x-forwarded-host": "open.test",
    })
  })

  test("nobody without one reaches the host that asks for it", async () => {
    await put(...hosts())
    const before = site.backend("a").requests
    expect(await ask("open.test", absolute("mtls.test", "open.test"))).toBe(421)
    expect(await ask("mtls.test", absolute("mtls.test", "open.test"))).toBe(400)
    expect(await ask("mtls.test", absolute("MTLS.test.:443", "open.test"))).toBe(400)
    expect(site.backend("a").requests).toBe(before)
  })

  test("somebody with one does", async () => {
    await put(...hosts())
    const identity = { identity: alice }
    expect(await ask("mtls.test", absolute("mtls.test", "open.test"), identity)).toBe(200)
    expect(site.backend("a").lastHeaders).toMatchObject({
      host: "mtls.test",
      "ssl-client-verify": "SUCCESS",
    })
    expect(await ask("mtls.test", absolute("open.test", "mtls.test"), identity)).toBe(200)
    expect(site.backend("b").lastHeaders).not.toHaveProperty("ssl-client-verify")
  })

  test("with HTTP/2 there is one host, or no answer but 400", async () => {
    await put(...hosts())
    const h2 = { protocol: "h2" } as const
    for (const [host, header] of [
      ["open.test", "mtls.test"],
      ["mtls.test", "open.test"],
    ] as const)
      expect(await ask("open.test", { host, headers: { host: header } }, h2)).toBe(400)
    expect(await ask("open.test", { headers: { host: "mtls.test" } }, h2)).toBe(421)
  })
})

describe("backends", () => {
  test("are told the host that led to them, as the client wrote it", async () => {
    await put(ingress("demo/a", "a.test/ → a:80"), ingress("demo/b", "b.test/ → b:80"))
    for (const host of ["a.test", "a.test:8080", "A.Test", "a.test.", "a.test.:8080"]) {
      expect((await get(absolute(host))).body).toBe("a")
      expect(site.backend("a").lastHeaders).toMatchObject({ host, "x-forwarded-host": host })
    }
  })

  test("of every other host are not told of one with rules", async () => {
    await put(ingress("demo/any", "/ → a:80"), ingress("demo/b", "b.test/ → b:80"))
    expect((await get(absolute("unknown.test"))).body).toBe("a")
    expect(site.backend("a").lastHeaders.host).toBe("unknown.test")
    const before = site.backend("a").requests
    for (const host of ["user@b.test", "x:@b.test", "b.test:80@b.test", "unknown.test#b.test"])
      expect((await get({ host })).status).toBe(400)
    expect(site.backend("a").requests).toBe(before)
  })

  test("over TLS see its name, where it stands in a value", async () => {
    await using app = await new Echo({ cert, key }).start()
    const tls = {
      "proxy-ssl-secret": "demo/tls",
      "proxy-ssl-server-name": "on",
      "proxy-ssl-name": "$http_host",
    }
    await site.put(
      ingress("demo/a", "a.test/ → tls:80", { "backend-protocol": "HTTPS", ...tls }),
      secret("demo/tls", tlsData),
      ...serviceOn("demo/tls", [app.port]),
    )
    await until("the backend", async () => (await get({ host: "a.test" })).status === 200)
    expect((await get(absolute())).status).toBe(200)
    expect(app.last.tls?.serverName).toBe("a.test")
  })

  test("of a canary are those of its host", async () => {
    await put(
      ingress("demo/a", "a.test/ → a:80", {}, 1),
      ingress("demo/canary", "a.test/ → canary:80", { canary: "true", "canary-weight": "100" }, 2),
      ingress("demo/b", "b.test/ → b:80"),
    )
    expect((await get(absolute())).body).toBe("canary")
    expect(site.backend("canary").lastHeaders.host).toBe("a.test")
    expect((await get(absolute("b.test", "a.test"))).body).toBe("b")
  })

  test("are chosen by its hash", async () => {
    const names = ["a", "b", "canary"]
    const hashed = { "upstream-hash-by": "$http_host" }
    await site.put(ingress("demo/all", "/ → all:80", hashed), ...site.service("all", ...names))
    for (let n = 0; n < 12; n += 1) {
      const host = `h${n}.test`
      const direct = (await get({ host })).body
      for (let other = 0; other < 4; other += 1)
        expect((await get(absolute(host, `other-${other}.test`))).body).toBe(direct)
    }
  })
})

test("values have it", async () => {
  const prefix = { "x-forwarded-prefix": "/$host/$http_host/$best_http_host" }
  await put(ingress("demo/a", "a.test/ → a:80", { ...prefix, "rewrite-target": "/$best_http_host" }))
  expect((await get(absolute("a.test:81"))).body).toBe("a")
  expect(site.backend("a").lastHeaders["x-forwarded-prefix"]).toBe("/a.test/a.test:81/a.test:81")
  expect(site.backend("a").lastUrl).toBe("/a.test:81")
})

describe("redirects lead to it", () => {
  const redirected = (annotations: Readonly<Record<string, string>>) =>
    put(ingress("demo/a", "a.test/ → a:80", annotations), ingress("demo/b", "b.test/ → b:80"))

  test("to HTTPS", async () => {
    await redirected({ "force-ssl-redirect": "true" })
    expect(await location(absolute("a.test:81", "b.test", "/x"))).toBe("https://a.test/x")
  })

  test("to the root of the application", async () => {
    await redirected({ "app-root": "/app" })
    expect(await location(absolute())).toBe("http://a.test/app")
  })

  test("from the other name", async () => {
    await redirected({ "from-to-www-redirect": "true" })
    expect(await location(absolute("www.a.test", "b.test", "/x"))).toBe(`http://a.test:${site.wick.port}/x`)
  })

  test.each(["$host", "$http_host", "$best_http_host"])("with %s", async (variable) => {
    await redirected({ "app-root": `/${variable}` })
    expect(await location(absolute())).toBe("http://a.test/a.test")
  })
})

test("the log has it", async () => {
  await put(ingress("demo/a", "a.test/ → a:80"))
  await get(absolute("a.test:81", "b.test", "/logged"))
  const line = () => /^\/logged .*/m.exec(readFileSync(logFile, "utf8"))?.[0]
  await until("the line", () => line() !== undefined)
  expect(line()).toBe("/logged a.test a.test:81")
})
