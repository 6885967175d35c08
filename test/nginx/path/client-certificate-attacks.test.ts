// How somebody could come in to a host without the certificate that it asks for: by what another host, or an earlier state of this one, has
// verified. Each way is tried with both versions of TLS, both ways to resume, and both versions of HTTP.
import { connect as connectTcp } from "node:net"
import { text as textOf } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Question } from "../../../harness/http.ts"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { TlsClient, type TlsClientOptions } from "../../../harness/tls-client.ts"
import { Site } from "./site.ts"

let site: Site
let ca: Authority
let otherCa: Authority
let alice: Identity
let mallory: Identity

beforeAll(async () => {
  ;[ca, otherCa] = await Promise.all([rootAuthority({ cn: "ca" }), rootAuthority({ cn: "other ca" })])
  alice = await ca.issue({ cn: "alice" })
  mallory = await otherCa.issue({ cn: "mallory" })
  site = await Site.start(["a", "b", "c"])
})
afterAll(() => site[Symbol.asyncDispose]())

/** `a.test` asks for a certificate of one authority, `b.test` of another, `may.test` lets come whoever has none, `c.test` asks for nothing; `twin.test` is as `a.test`. */
const hosts = (a: Readonly<Record<string, string>> = {}): Json[] => [
  ingress("demo/a", ["a.test/ → a:80", "*.a.test/ → a:80"], { "auth-tls-secret": "demo/one", ...a }),
  ingress("demo/twin", "twin.test/ → b:80", { "auth-tls-secret": "demo/one" }),
  ingress("demo/b", "b.test/ → b:80", { "auth-tls-secret": "demo/other" }),
  ingress("demo/may", "may.test/ → b:80", {
    "auth-tls-secret": "demo/one",
    "auth-tls-verify-client": "optional",
  }),
  ingress("demo/off", "off.test/ → b:80", { "auth-tls-secret": "demo/one", "auth-tls-verify-client": "off" }),
  ingress("demo/c", ["c.test/ → c:80", "free.a.test/ → c:80"]),
]

const authorities = (one: Readonly<Record<string, string>> = { "ca.crt": ca.pem }): Json[] => [
  secret("demo/one", one),
  secret("demo/other", { "ca.crt": otherCa.pem }),
]

const put = (...objects: readonly Json[]) =>
  site.put(...["a", "b", "c"].flatMap((name) => site.service(name, name)), ...objects)

const countReloads = () => site.wick.metric("nginx_ingress_controller_success")

const connect = (servername: string | undefined, options: TlsClientOptions) =>
  TlsClient.connect(site.wick.httpsPort, { ...(servername !== undefined && { servername }), ...options })

/** One connection: whether it was resumed, and how each request for one of these hosts was answered. */
async function visit(
  servername: string | undefined,
  options: TlsClientOptions,
  ...asked: (string | Question)[]
) {
  await using client = await connect(servername, options)
  const statuses: number[] = []
  for (const question of asked)
    statuses.push((await client.ask(typeof question === "string" ? { host: question } : question)).status)
  return { isResumed: client.isResumed, statuses }
}

/** What a connection may be resumed with after a request that was answered with this. */
async function sessionOf(host: string, options: TlsClientOptions, expected = 200): Promise<Buffer> {
  await using client = await connect(host, options)
  expect((await client.ask({ host })).status).toBe(expected)
  return await client.session()
}

const fresh = (statuses: readonly number[]) => ({ isResumed: false, statuses })
const resumed = (statuses: readonly number[]) => ({ isResumed: true, statuses })

const versions = ["TLSv1.2", "TLSv1.3"] as const
const protocols = ["h1", "h2"] as const

const kinds = [
  ["tickets", { "ssl-session-tickets": "true", "ssl-session-cache": "false" }],
  ["the cache", { "ssl-session-tickets": "false", "ssl-session-cache": "true" }],
] as const

describe.each(kinds)("sessions by %s", (_kind, settings) => {
  let reloads = 0
  beforeAll(async () => {
    await site.reconfigure(settings)
    reloads = await countReloads()
  })

  describe.each(versions)("%s", (version) => {
    describe.each(protocols)("%s", (protocol) => {
      const options = { version, protocol } as const

      beforeAll(() => put(...hosts(), ...authorities()))

      test("are resumed at their own host, without the certificate", async () => {
        const session = await sessionOf("a.test", { ...options, identity: alice })
        expect(await visit("a.test", { ...options, session }, "a.test")).toEqual(resumed([200]))
        expect(site.backend("a").lastHeaders["ssl-client-verify"]).toBe("SUCCESS")
        const plain = await sessionOf("c.test", options)
        expect(await visit("c.test", { ...options, session: plain }, "c.test")).toEqual(resumed([200]))
      })

      test("of a host with one authority are none at a host with another", async () => {
        const session = await sessionOf("a.test", { ...options, identity: alice })
        expect(await visit("b.test", { ...options, session }, "b.test")).toEqual(fresh([400]))
        const other = await sessionOf("b.test", { ...options, identity: mallory })
        expect(await visit("a.test", { ...options, session: other }, "a.test")).toEqual(fresh([400]))
      })

      test("of a host with the same authority are none either", async () => {
        const session = await sessionOf("a.test", { ...options, identity: alice })
        expect(await visit("twin.test", { ...options, session }, "twin.test")).toEqual(fresh([400]))
        expect(await visit("may.test", { ...options, session }, "may.test")).toEqual(fresh([200]))
        expect(site.backend("b").lastHeaders["ssl-client-verify"]).toBe("NONE")
      })

      test("of a host that asks for nothing are none at one that asks, and the other way round", async () => {
        const plain = await sessionOf("c.test", options)
        expect(await visit("a.test", { ...options, session: plain }, "a.test")).toEqual(fresh([400]))
        const session = await sessionOf("a.test", { ...options, identity: alice })
        expect(await visit("c.test", { ...options, session }, "c.test")).toEqual(fresh([200]))
      })

      test("without server name are none at a host that asks", async () => {
        const plain = await sessionOf("unknown.test", options, 404)
        expect(await visit("a.test", { ...options, session: plain }, "a.test")).toEqual(fresh([400]))
        const session = await sessionOf("a.test", { ...options, identity: alice })
        expect(await visit(undefined, { ...options, session }, "a.test")).toEqual(fresh([400]))
      })

      describe("from before a change are none", () => {
        const changes: readonly [string, () => Json[] | Promise<Json[]>][] = [
          ["the authority", () => [...hosts(), ...authorities({ "ca.crt": otherCa.pem })]],
          ["one more authority", () => [...hosts(), ...authorities({ "ca.crt": `${ca.pem}${otherCa.pem}` })]],
          [
            "a list of what was revoked",
            async () => [
              ...hosts(),
              ...authorities({ "ca.crt": ca.pem, "ca.crl": await ca.crl({ revoked: [alice] }) }),
            ],
          ],
          ["the depth", () => [...hosts({ "auth-tls-verify-depth": "2" }), ...authorities()]],
        ]

        test.each(changes)("%s", async (_what, change) => {
          await put(...hosts(), ...authorities())
          const session = await sessionOf("a.test", { ...options, identity: alice })
          await put(...(await change()))
          expect(await visit("a.test", { ...options, session }, "a.test")).toEqual(fresh([400]))
        })

        test("from optional to on", async () => {
          await put(...hosts({ "auth-tls-verify-client": "optional" }), ...authorities())
          const session = await sessionOf("a.test", options)
          await put(...hosts(), ...authorities())
          expect(await visit("a.test", { ...options, session }, "a.test")).toEqual(fresh([400]))
        })

        test("from nothing to on", async () => {
          await put(ingress("demo/a", "a.test/ → a:80"), ...authorities())
          const session = await sessionOf("a.test", options)
          await put(...hosts(), ...authorities())
          expect(await visit("a.test", { ...options, session }, "a.test")).toEqual(fresh([400]))
        })
      })
    })
  })

  test("changes of what is asked need no reload", async () => expect(await countReloads()).toBe(reloads))
})

describe.each(versions)("%s", (version) => {
  describe.each(protocols)("%s", (protocol) => {
    const options = { version, protocol } as const
    const asAlice = () => ({ ...options, identity: alice })

    beforeAll(() => put(...hosts(), ...authorities()))

    test("a host is asked for on the connection of another", async () => {
      expect(await visit("c.test", options, "a.test")).toEqual(fresh([421]))
      expect(await visit("c.test", asAlice(), "a.test")).toEqual(fresh([421]))
      expect(await visit("a.test", asAlice(), "b.test")).toEqual(fresh([421]))
      expect(await visit("unknown.test", asAlice(), "a.test")).toEqual(fresh([421]))
      expect(await visit("may.test", asAlice(), "a.test")).toEqual(fresh([421]))
    })

    test("a certificate for one host is not shown to the backend of another", async () => {
      expect(await visit("a.test", asAlice(), "may.test")).toEqual(fresh([421]))
      expect(await visit("a.test", asAlice(), "off.test")).toEqual(fresh([421]))
      expect(await visit("c.test", options, "off.test")).toEqual(fresh([200]))
    })

    test("one that asks for nothing may be asked for on any connection", async () => {
      expect(await visit("a.test", asAlice(), "c.test")).toEqual(fresh([200]))
      expect(site.backend("c").lastHeaders).not.toHaveProperty("ssl-client-verify")
    })

    test("later requests of a connection are looked at as the first one", async () => {
      expect(await visit("a.test", asAlice(), "a.test", "b.test", "a.test")).toEqual(fresh([200, 421, 200]))
      expect(await visit("c.test", options, "c.test", "a.test", "c.test")).toEqual(fresh([200, 421, 200]))
    })

    test("without a server name nobody was asked for a certificate, so nobody has shown one", async () => {
      expect(await visit(undefined, asAlice(), "a.test")).toEqual(fresh([400]))
      expect(await visit(undefined, asAlice(), "may.test")).toEqual(fresh([200]))
      expect(site.backend("b").lastHeaders).toMatchObject({ "ssl-client-verify": "NONE" })
      expect(await visit(undefined, options, "c.test")).toEqual(fresh([200]))
    })

    test("names are compared as names", async () => {
      for (const servername of ["A.TEST", "a.test."])
        expect(await visit(servername, asAlice(), "a.test")).toEqual(fresh([200]))
      for (const servername of ["A.TEST", "a.test."])
        expect(await visit(servername, options, "a.test")).toEqual(fresh([400]))
      for (const host of ["A.TEST", "a.test:443", "a.test."])
        expect(await visit("c.test", options, host)).toEqual(fresh([421]))
      for (const host of ["A.TEST", "a.test:443", "a.test."])
        expect(await visit("a.test", asAlice(), host)).toEqual(fresh([200]))
    })

    test("hosts of one wildcard are hosts of their own", async () => {
      expect(await visit("x.a.test", asAlice(), "x.a.test")).toEqual(fresh([200]))
      expect(await visit("x.a.test", asAlice(), "y.a.test")).toEqual(fresh([421]))
      expect(await visit("x.a.test", asAlice(), "a.test")).toEqual(fresh([421]))
      expect(await visit("free.a.test", options, "x.a.test")).toEqual(fresh([421]))
      expect(await visit("free.a.test", options, "free.a.test")).toEqual(fresh([200]))
    })

    test("what a client says about itself is not passed on", async () => {
      const forged = {
        "ssl-client-verify": "SUCCESS",
        "SSL-Client-Subject-DN": "CN=root",
        ssl_client_verify: "SUCCESS",
      }
      const question = { host: "may.test", headers: forged }
      expect(await visit("may.test", options, question)).toEqual(fresh([200]))
      const { lastHeaders } = site.backend("b")
      expect(lastHeaders["ssl-client-verify"]).toBe("NONE")
      expect(Object.values(lastHeaders)).not.toContain("SUCCESS")
      expect(Object.values(lastHeaders)).not.toContain("CN=root")
    })

    test("a connection from before a change is not taken for a later one", async () => {
      await using client = await connect("a.test", asAlice())
      expect((await client.ask({ host: "a.test" })).status).toBe(200)
      const revoked = { "ca.crt": ca.pem, "ca.crl": await ca.crl({ revoked: [alice] }) }
      await put(...hosts(), ...authorities(revoked))
      expect((await client.ask({ host: "a.test" })).status).toBe(421)
      expect(await visit("a.test", asAlice(), "a.test")).toEqual(fresh([400]))
      await put(...hosts(), ...authorities())
    })

    test("a connection without certificate is not taken for one with it", async () => {
      await put(...hosts({ "auth-tls-verify-client": "optional" }), ...authorities())
      await using client = await connect("a.test", options)
      expect((await client.ask({ host: "a.test" })).status).toBe(200)
      await put(...hosts(), ...authorities())
      expect((await client.ask({ host: "a.test" })).status).toBe(400)
    })
  })

  test("the host of the request line counts, not the header", async () => {
    await put(...hosts(), ...authorities())
    const question = { path: "http://b.test/", host: "a.test" }
    expect(await visit("a.test", { version, identity: alice }, question)).toEqual(fresh([421]))
    const other = { path: "http://a.test/", host: "c.test" }
    expect(await visit("c.test", { version }, other)).toEqual(fresh([421]))
  })
})

test("renegotiation does not change who somebody is", async () => {
  await put(...hosts(), ...authorities())
  await using client = await connect("may.test", { version: "TLSv1.2" })
  expect((await client.ask({ host: "may.test" })).status).toBe(200)
  const outcome = await new Promise<string>((resolve) => {
    client.socket.once("close", () => resolve("closed"))
    const isStarted = client.socket.renegotiate({}, (error) => resolve(error === null ? "done" : "refused"))
    if (isStarted === false) resolve("refused")
    setTimeout(() => resolve("unanswered"), 2000).unref()
  })
  expect(outcome).not.toBe("done")
})

test("plain HTTP on the port for TLS is no way in", async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connectTcp(site.wick.httpsPort, "127.0.0.1", () => {
      socket.write("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
    })
    let text = ""
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part
    })
    socket.on("error", reject).on("close", () => resolve(text))
  })
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain("plain HTTP request was sent to HTTPS port")
})

test("a request without headers, of HTTP/0.9, harms nobody", async () => {
  await put(...hosts(), ...authorities())
  const workers = site.wick.workers()
  await using client = await connect("off.test", {})
  client.socket.write("GET https://off.test/\r\n")
  expect(await textOf(client.socket)).toBe("b")
  expect(site.backend("b").lastHeaders).toMatchObject({ host: "off.test", "ssl-client-verify": "NONE" })
  expect(site.wick.workers()).toEqual(workers)
})
