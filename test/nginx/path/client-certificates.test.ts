// Certificates of clients on a real nginx, from YAML to answer. Numbers are those of ingress-nginx's black-box cases. Nothing here reloads.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { Answer, Question } from "../../../harness/http.ts"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority, selfSignedIdentity } from "../../../harness/pki.ts"
import { TlsClient, type TlsClientOptions } from "../../../harness/tls-client.ts"
import { hostile } from "../../support/hostile.ts"
import { Site } from "./site.ts"

let site: Site
let ca: Authority
let otherCa: Authority
let alice: Identity
let mallory: Identity

beforeAll(async () => {
  ;[ca, otherCa] = await Promise.all([rootAuthority({ cn: "ca" }), rootAuthority({ cn: "other ca" })])
  alice = await ca.issue({ cn: "alice", organization: "shop" })
  mallory = await otherCa.issue({ cn: "mallory" })
  site = await Site.start(["a", "b"])
})
afterAll(() => site[Symbol.asyncDispose]())
afterEach(() => site.expectOnlyPosts())

const clients = (data: Readonly<Record<string, string>> = { "ca.crt": ca.pem }) =>
  secret("demo/clients", data)
const asking = { "auth-tls-secret": "demo/clients" }
const own = (annotations: Readonly<Record<string, string>> = {}) =>
  ingress("demo/own", "foo.test/ → a:80", { ...asking, ...annotations }, 1)

const put = (...objects: readonly Json[]) =>
  site.put(...["a", "b"].flatMap((name) => site.service(name, name)), ...objects)

const connect = (options: TlsClientOptions = {}) =>
  TlsClient.connect(site.wick.httpsPort, { servername: "foo.test", ...options })

/** One request on a connection of its own; host and server name are one unless the question says otherwise. */
const ask = (identity?: Identity, question: Question = {}) => askBy(identity ? { identity } : {}, question)

async function askBy(hello: TlsClientOptions, question: Question): Promise<Answer> {
  const host = question.host ?? "foo.test"
  await using client = await connect({ servername: host, ...hello })
  return await client.ask({ host, ...question })
}

const status = async (identity?: Identity, question?: Question) => (await ask(identity, question)).status
const seen = () => site.backend("a").lastHeaders

describe("181: clients have to show a certificate of the authority", () => {
  test("none and others get 400", async () => {
    await put(own(), clients())
    const none = await ask()
    expect([none.status, none.body]).toEqual([
      400,
      expect.stringContaining("No required SSL certificate was sent"),
    ])
    const expired = await ca.issue({ cn: "late", from: new Date(0), until: new Date(86_400_000) })
    for (const stranger of [mallory, expired, await selfSignedIdentity({ cn: "alice" })]) {
      const answer = await ask(stranger)
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.stringContaining("The SSL certificate error"),
      ])
    }
  })

  test("a good one gets through, and the backend is told whose it is", async () => {
    await put(own(), clients())
    expect(await ask(alice)).toMatchObject({ status: 200, body: "a" })
    expect(seen()).toMatchObject({
      "ssl-client-verify": "SUCCESS",
      "ssl-client-subject-dn": "CN=alice,O=shop",
      "ssl-client-issuer-dn": "CN=ca",
    })
    expect(seen()).not.toHaveProperty("ssl-client-cert")
  })

  test("on every path, also where there is none", async () => {
    await put(ingress("demo/own", "foo.test/app → a:80", asking), clients())
    expect([await status(undefined, { path: "/app" }), await status(undefined, { path: "/none" })]).toEqual([
      400, 400,
    ])
    expect([await status(alice, { path: "/app" }), await status(alice, { path: "/none" })]).toEqual([
      200, 404,
    ])
  })

  test("a Secret with a key pair besides is as good", async () => {
    const server = await otherCa.issue({ names: ["foo.test"] })
    await put(own(), clients({ ...server.tlsData(), "ca.crt": ca.pem }))
    expect([await status(), await status(alice)]).toEqual([400, 200])
  })

  test("aliases and the www name are as the host", async () => {
    await put(own({ "server-alias": "bar.test", "from-to-www-redirect": "true" }), clients())
    for (const [host, good] of [
      ["bar.test", 200],
      ["www.foo.test", 308],
    ] as const) {
      expect([host, await status(undefined, { host }), await status(alice, { host })]).toEqual([
        host,
        400,
        good,
      ])
    }
  })

  test("a host with a wildcard, and every other host", async () => {
    const rules = ["*.foo.test/ → a:80", "/ → a:80"]
    await put(ingress("demo/own", rules, asking), ingress("demo/free", "free.foo.test/ → b:80"), clients())
    for (const host of ["x.foo.test", "elsewhere.test"])
      expect([await status(undefined, { host }), await status(alice, { host })]).toEqual([400, 200])
    expect(await ask(undefined, { host: "free.foo.test" })).toMatchObject({ status: 200, body: "b" })
  })
})

test("182: nobody is asked with off, whatever else it says", async () => {
  await put(own({ "auth-tls-verify-client": "off", "auth-tls-verify-depth": "2" }), clients())
  expect(await status(undefined, { headers: { "ssl-client-verify": "SUCCESS" } })).toBe(200)
  expect(seen()["ssl-client-verify"]).toBe("NONE")
})

describe("184: a certificate may be shown", () => {
  test("optional", async () => {
    await put(own({ "auth-tls-verify-client": "optional" }), clients())
    expect([await status(mallory), await status(alice), await status()]).toEqual([400, 200, 200])
    expect(seen()["ssl-client-verify"]).toBe("NONE")
    expect(seen()).not.toHaveProperty("ssl-client-subject-dn")
  })

  test("optional_no_ca", async () => {
    await put(own({ "auth-tls-verify-client": "optional_no_ca" }), clients())
    expect(await status(mallory)).toBe(200)
    expect(seen()["ssl-client-verify"]).toMatch(/^FAILED:unable to (verify|get)/)
    expect(seen()["ssl-client-subject-dn"]).toBe("CN=mallory")
    expect(await status()).toBe(200)
    expect(seen()["ssl-client-verify"]).toBe("NONE")
    expect(await status(alice)).toBe(200)
    expect(seen()["ssl-client-verify"]).toBe("SUCCESS")
  })
})

describe("depth", () => {
  test("counts what is between the client's certificate and the authority's", async () => {
    const deep = await (await ca.intermediate({ cn: "first" })).intermediate({ cn: "second" })
    const bob = await deep.issue({ cn: "bob" })
    await put(own(), clients())
    expect(await status(bob)).toBe(400)
    await put(own({ "auth-tls-verify-depth": "2" }), clients())
    expect(await status(bob)).toBe(200)
  })
})

test("186: the backend gets the certificate itself where that is asked for", async () => {
  const forged = {
    "ssl-client-cert": "forged",
    "ssl-client-verify": "SUCCESS",
    "ssl-client-subject-dn": "CN=root",
  }
  await put(own({ "auth-tls-pass-certificate-to-upstream": "true" }), clients())
  expect(await status(alice, { headers: forged })).toBe(200)
  expect(seen()["ssl-client-cert"]).toMatch(/^-----BEGIN%20CERTIFICATE-----%0A/)
  expect(decodeURIComponent(String(seen()["ssl-client-cert"]))).toBe(alice.pem)
  await put(own({ "auth-tls-verify-client": "optional" }), clients())
  expect(await status(undefined, { headers: forged })).toBe(200)
  expect(seen()).toMatchObject({ "ssl-client-verify": "NONE" })
  expect(Object.values(seen())).not.toContain("forged")
  expect(Object.values(seen())).not.toContain("CN=root")
})

describe("187: names of clients", () => {
  test.each([
    ["CN=notgonnamatch", 403],
    ["CN=alice", 200],
    ["CN=(a|b|alice)", 200],
    ["CN=Alice", 403],
    ["CN=alice$", 403],
    ["CN=alice,O=shop$", 200],
    ["CN=(", 403],
  ])("%s: %i", async (pattern, expected) => {
    await put(own({ "auth-tls-match-cn": pattern }), clients())
    const answer = await ask(alice)
    expect(answer.status).toBe(expected)
    if (expected === 403) expect(answer.body).toContain("client certificate unauthorized")
    expect(await status()).toBe(400)
  })

  test("whatever stands behind CN= is data, and at most closes its own host", async () => {
    const endings = hostile.filter((text) => text.isWellFormed())
    const others = endings.map((text, n) =>
      ingress(`demo/h${n}`, `h${n}.test/ → b:80`, { ...asking, "auth-tls-match-cn": `CN=z-q-x${text}` }),
    )
    await put(own(), ...others, clients())
    for (const n of endings.keys())
      expect([JSON.stringify(endings[n]), await status(alice, { host: `h${n}.test` })]).toEqual([
        JSON.stringify(endings[n]),
        403,
      ])
    expect(await status(alice)).toBe(200)
    // The marker has hyphens, as the random names of temporary directories, which stand there too, have none.
    expect(
      site.wick
        .conf()
        .split("\n")
        .filter((line) => line.includes("z-q-x")),
    ).toEqual([])
  })

  test("a pattern that does not compile is told", () => site.untilProblem("bad-pattern"))

  test("nobody's matches by plain HTTP, nor where nobody is asked", async () => {
    await put(own({ "auth-tls-match-cn": "CN=alice" }), clients())
    expect((await site.get("/")).status).toBe(403)
    await put(own({ "auth-tls-match-cn": "CN=alice", "auth-tls-verify-client": "off" }), clients())
    expect(await status(alice)).toBe(403)
  })
})

test("plain HTTP is not asked for certificates, and cannot pretend to one", async () => {
  await put(own(), clients())
  expect((await site.get("/", { headers: { "ssl-client-verify": "SUCCESS" } })).status).toBe(200)
  expect(seen()).not.toHaveProperty("ssl-client-verify")
})

/** Nothing of the host is served, to nobody. */
async function expectClosed(host = "foo.test", path = "/"): Promise<void> {
  const statuses = [await status(alice, { host, path }), await status(undefined, { host, path })]
  expect([...statuses, (await site.get(path, { host })).status]).toEqual([403, 403, 403])
}

const expectOpen = async (path = "/") =>
  expect([await status(undefined, { path }), await status(alice, { path })]).toEqual([400, 200])

describe("what cannot be used closes the host", () => {
  const free = ingress("demo/free", "foo.test/free → b:80", { "use-regex": "true", "app-root": "/free" }, 2)

  test("189: a match-cn without CN=", async () => {
    await put(own({ "auth-tls-match-cn": "alice" }), free, clients())
    await expectClosed()
    await expectClosed("foo.test", "/free")
    await site.untilProblem("annotation-refused")
  })

  test("191: a Secret without namespace", async () => {
    const others = { "server-alias": "bar.test", "from-to-www-redirect": "true" }
    await put(own({ "auth-tls-secret": "clients", ...others }), free, clients())
    for (const host of ["foo.test", "bar.test", "www.foo.test"]) await expectClosed(host)
    await expectClosed("foo.test", "/free")
  })

  test("a Secret that is missing, until it comes, and when it goes", async () => {
    await put(own(), free)
    await expectClosed("foo.test", "/free")
    await put(own(), free, clients())
    await expectOpen("/free")
    await put(own(), free)
    await expectClosed()
  })

  test("a Secret of another namespace", async () => {
    await put(own({ "auth-tls-secret": "other/clients" }), secret("other/clients", { "ca.crt": ca.pem }))
    await expectClosed()
    await site.untilProblem("reference-forbidden")
  })

  test.each([
    ["no certificate", { "ca.crt": "nothing" }],
    ["half a certificate", { "ca.crt": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n" }],
    ["no list of what was revoked", { "ca.crl": "nothing" }],
  ])("a Secret with %s", async (_what, data) => {
    await put()
    await put(own(), clients({ "ca.crt": ca.pem, ...data }))
    await expectClosed()
    await put(own(), clients())
    await expectOpen()
  })

  test("not when a good one went before it: that stays in force", async () => {
    await put(own(), clients())
    await put(own(), clients({ "ca.crt": "nothing" }))
    await expectOpen()
    await site.untilProblem("secret-stale")
  })
})

test("a Secret without ca.crt asks nobody, with a Problem", async () => {
  await put(own(), clients((await ca.issue({ names: ["foo.test"] })).tlsData()))
  expect(await status()).toBe(200)
  await site.untilProblem("no-client-authority")
})

test("192: on and off again takes effect at once", async () => {
  for (const [verify, expected] of [
    ["on", 400],
    ["off", 200],
    ["on", 400],
  ] as const) {
    await put(own({ "auth-tls-verify-client": verify }), clients())
    expect(await status()).toBe(expected)
  }
})

describe("194: one Ingress asks for all", () => {
  test("paths of others", async () => {
    await put(own(), ingress("demo/free", "foo.test/free → b:80", {}, 2), clients())
    expect(await status(undefined, { path: "/free" })).toBe(400)
    expect(await ask(alice, { path: "/free" })).toMatchObject({ status: 200, body: "b" })
  })

  test("the oldest decides, the others are told", async () => {
    const younger = { "auth-tls-secret": "demo/others" }
    await put(
      own(),
      ingress("demo/younger", "foo.test/free → b:80", younger, 2),
      clients(),
      secret("demo/others", { "ca.crt": otherCa.pem }),
    )
    expect([await status(alice, { path: "/free" }), await status(mallory, { path: "/free" })]).toEqual([
      200, 400,
    ])
    await site.untilProblem("client-certificates-taken")
  })
})

describe("error page", () => {
  test("a URL is where clients are sent", async () => {
    const errorPage = "https://help.test/no-certificate"
    await put(own({ "auth-tls-error-page": errorPage }), clients())
    for (const hello of [{}, { identity: mallory }, { servername: "", identity: alice }]) {
      const { status, headers } = await askBy(hello, { path: "/a?b=c" })
      expect([status, headers.location]).toEqual([302, errorPage])
    }
    expect(await status(alice)).toBe(200)
  })

  test("a path answers instead, and to nobody who asks for another", async () => {
    const page = ingress("demo/page", "foo.test/page → b:80", {}, 2)
    await put(own({ "auth-tls-error-page": "/page" }), page, clients())
    expect(await ask(undefined, { path: "/secret" })).toMatchObject({ body: "b" })
    expect(site.backend("b").lastHeaders["ssl-client-verify"]).toBe("NONE")
    expect(await ask(alice, { path: "/secret" })).toMatchObject({ status: 200, body: "a" })
  })
})

test("whom an error page answers gets nothing of the path that was asked for, where that is rewritten as it was written", async () => {
  const raw = { "rewrite-target": "/$2", "wick.dev/rewrite-raw": "true" }
  const page = { ...asking, ...raw, "auth-tls-error-page": "/app/denied" }
  await put(ingress("demo/own", "foo.test/app(/|$)(.*) ~→ a:80", page, 1), clients())
  for (const path of ["/app/admin/users", "/app//admin%2Fusers?a=b"]) {
    expect(await status(undefined, { path })).toBe(200)
    expect(site.backend("a").lastUrl).toBe("/denied")
    expect(await status(alice, { path })).toBe(200)
    expect(site.backend("a").lastUrl).toBe(path.slice("/app".length))
  }
})

describe("lists of what was revoked", () => {
  test("come, go and change", async () => {
    const bob = await ca.issue({ cn: "bob" })
    const statuses = async () => [await status(alice), await status(bob)]
    await put(own(), clients())
    expect(await statuses()).toEqual([200, 200])
    await put(own(), clients({ "ca.crt": ca.pem, "ca.crl": await ca.crl({ revoked: [alice] }) }))
    expect(await statuses()).toEqual([400, 200])
    await put(own(), clients({ "ca.crt": ca.pem, "ca.crl": await ca.crl({ revoked: [bob], number: 2 }) }))
    expect(await statuses()).toEqual([200, 400])
    await put(own(), clients())
    expect(await statuses()).toEqual([200, 200])
  })

  test("keep everybody out who is not on one that holds", async () => {
    const late = await ca.crl({ from: new Date(0), until: new Date(86_400_000) })
    await put(own(), clients({ "ca.crt": ca.pem, "ca.crl": late }))
    expect(await status(alice)).toBe(400)
  })
})

describe("another authority", () => {
  test("is what counts from then on, on connections that are there too", async () => {
    await put(own(), clients())
    await using before = await connect({ identity: alice })
    expect((await before.ask({ host: "foo.test" })).status).toBe(200)
    await put(own(), clients({ "ca.crt": otherCa.pem }))
    expect((await before.ask({ host: "foo.test" })).status).toBe(421)
    expect([await status(alice), await status(mallory)]).toEqual([400, 200])
  })

  test("beside the one before: clients of both come in", async () => {
    await put(own(), clients({ "ca.crt": `${ca.pem}${otherCa.pem}` }))
    expect([await status(alice), await status(mallory)]).toEqual([200, 200])
  })
})

test("a host with a certificate of its own shows it, and asks all the same", async () => {
  const server = await otherCa.issue({ names: ["foo.test"] })
  const one = own()
  const tls = [{ hosts: ["foo.test"], secretName: "server" }]
  await put(
    { ...one, spec: { ...(one.spec as object), tls } },
    clients(),
    secret("demo/server", server.tlsData()),
  )
  await expectOpen()
  await using client = await connect({ identity: alice })
  expect(client.socket.getPeerCertificate().raw).toEqual(server.der)
})
