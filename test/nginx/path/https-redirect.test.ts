// Redirects to HTTPS of hosts that have a certificate, on a real nginx. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, type Question } from "../../../harness/http.ts"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { type Identity, selfSignedIdentity } from "../../../harness/pki.ts"
import { tlsAgent } from "../../support/agents.ts"
import { Site } from "./site.ts"

let site: Site
let identity: Identity
beforeAll(async () => {
  identity = await selfSignedIdentity({ names: ["foo.test", "*.foo.test"] })
  site = await Site.start(["a"])
})
afterAll(() => site[Symbol.asyncDispose]())

type Texts = Readonly<Record<string, string>>

/** An Ingress of foo.test, which has a certificate. */
function certified(annotations: Texts = {}, rules: string | readonly string[] = "foo.test/ → a:80"): Json {
  const { spec, ...rest } = ingress("demo/one", rules, annotations) as { spec: object }
  return { ...rest, spec: { ...spec, tls: [{ hosts: ["foo.test"], secretName: "foo" }] } }
}

const put = (...objects: readonly Json[]) =>
  site.put(...site.service("a", "a"), secret("demo/foo", identity.tlsData()), ...objects)

/** Status and Location. */
async function answer(path = "/", question: Question = {}): Promise<string> {
  const { status, headers } = await site.get(path, question)
  return `${status} ${headers.location ?? ""}`.trim()
}

/** The same by HTTPS. */
async function answerByTls(path = "/"): Promise<string> {
  const target = { port: site.wick.httpsPort, agent: tlsAgent("foo.test") }
  const { status, headers } = await ask(target, { path, host: "foo.test" })
  return `${status} ${headers.location ?? ""}`.trim()
}

describe("without reloads", () => {
  afterAll(() => site.expectOnlyPosts())

  test("91: the host with a certificate, without the slash at the end; not by HTTPS", async () => {
    await put(certified(), ingress("demo/two", "bar.test/ → a:80"))
    expect(await answer("/path/")).toBe("308 https://foo.test/path")
    expect(await answer("/", { host: "foo.test:8080" })).toBe("308 https://foo.test")
    expect(await answer("/", { method: "POST", body: "x" })).toBe("308 https://foo.test")
    expect(await answer("/", { host: "bar.test" })).toBe("200")
    expect(await answerByTls("/path/")).toBe("200")
  })

  test("92: or with the slash", async () => {
    await put(certified({ "preserve-trailing-slash": "true" }))
    expect(await answer("/")).toBe("308 https://foo.test/")
    expect(await answer("/path/?a=b/")).toBe("308 https://foo.test/path/?a=b/")
  })

  test("an Ingress may be left out of it", async () => {
    await put(certified({ "ssl-redirect": "false" }))
    expect(await answer("/")).toBe("200")
  })

  test("the certificate comes and goes, and the redirect with it", async () => {
    await put(ingress("demo/one", "foo.test/ → a:80"))
    expect(await answer("/")).toBe("200")
    await put(certified())
    expect(await answer("/")).toBe("308 https://foo.test")
    await put(ingress("demo/one", "foo.test/ → a:80"))
    expect(await answer("/")).toBe("200")
  })
})

describe("the path of ACME's challenges", () => {
  const [path, at] = ["foo.test/.well-known/acme-challenge/token → a:80", "/.well-known/acme-challenge/token"]
  const both = ["foo.test/ → a:80", path]

  test("101: is answered by HTTP if an Ingress has it", async () => {
    await put(certified({}, both))
    expect(await answer(at)).toBe("200")
    expect(await answer("/x")).toBe("308 https://foo.test/x")
    await put(certified())
    expect(await answer(at)).toBe(`308 https://foo.test${at}`)
  })

  test.each<[string, Texts, string]>([
    ["app-root", { "app-root": "/app" }, "302 http://foo.test/app"],
    ["force-ssl-redirect", { "force-ssl-redirect": "true" }, "308 https://foo.test"],
    ["permanent-redirect", { "permanent-redirect": "http://other.test" }, "301 http://other.test"],
    ["temporal-redirect", { "temporal-redirect": "http://other.test" }, "302 http://other.test"],
  ])("also if the host's own Ingress has %s", async (_, annotations, otherwise) => {
    await put(certified(annotations), ingress("demo/solver", path))
    expect(await answer(at)).toBe("200")
    expect(await answer("/")).toBe(otherwise)
  })

  test("under the name that is redirected it leads to the other name by HTTP, where it is answered", async () => {
    await put(certified({ "from-to-www-redirect": "true" }, both))
    const leading = await answer(at, { host: "www.foo.test" })
    expect(leading).toBe(`308 http://foo.test:${site.wick.port}${at}`)
    expect(await answer(at)).toBe("200")
  })
})

describe("by the ConfigMap", () => {
  afterAll(() => site.reconfigure({}))

  test("97: with the port of the HTTPS listener", async () => {
    await put(certified())
    await site.reconfigure({ "use-port-in-redirects": "true" })
    expect(await answer("/x")).toBe(`308 https://foo.test:${site.wick.httpsPort}/x`)
  })

  test("99: to the host that a proxy in front was asked for, without its port", async () => {
    await site.reconfigure({ "use-forwarded-headers": "true" })
    const asked = (proto: string) => ({
      headers: { "x-forwarded-host": "example.com:80", "x-forwarded-proto": proto },
    })
    expect(await answer("/", asked("http"))).toBe("308 https://example.com")
    expect(await answer("/", asked("https"))).toBe("200")
  })

  test("102: paths of Ingresses that are exempt", async () => {
    await put(certified({}, ["foo.test/ → a:80", "foo.test/check-no-tls → a:80"]))
    await site.reconfigure({ "no-tls-redirect-locations": "/check-no-tls" })
    expect(await answer("/check-no-tls/x")).toBe("200")
    expect(await answer("/x")).toBe("308 https://foo.test/x")
  })
})
