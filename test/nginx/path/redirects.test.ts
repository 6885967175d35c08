// Redirects on a real nginx, from YAML to Location. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { ask, type Question } from "../../../harness/http.ts"
import { ingress, type Json, service } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { tlsAgent } from "../../support/agents.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["a"])
})
afterAll(() => site[Symbol.asyncDispose]())
afterEach(() => site.expectOnlyPosts())

const put = (...ingresses: readonly Json[]) => site.put(...site.service("a", "a"), ...ingresses)
const one = (annotations: Readonly<Record<string, string>>, rules: string | string[] = "foo.test/ → a:80") =>
  ingress("demo/one", rules, annotations)

/** Status and Location. */
async function answer(path = "/", question: Question = {}): Promise<string> {
  const { status, headers } = await site.get(path, question)
  return `${status} ${headers.location ?? ""}`.trim()
}

describe("to HTTPS", () => {
  const forced = { "force-ssl-redirect": "true" }

  test("91: without the slash at the end", async () => {
    await put(one(forced))
    expect(await answer("/path/")).toBe("308 https://foo.test/path")
    expect(await answer("/", { host: "foo.test:8080" })).toBe("308 https://foo.test")
    expect(await answer("/a?b=c/", { method: "POST", body: "x" })).toMatch(/^308 https:\/\/foo\.test\/a\?b=c/)
  })

  test("92: or with it", async () => {
    await put(one({ ...forced, "preserve-trailing-slash": "true" }))
    expect(await answer("/")).toBe("308 https://foo.test/")
  })

  test("97: with the port of the HTTPS listener", async () => {
    await put(one({ ...forced, "use-port-in-redirects": "true" }))
    expect(await answer("/x")).toBe(`308 https://foo.test:${site.wick.httpsPort}/x`)
  })

  test("101: not from the path of ACME's challenges, if an Ingress has it", async () => {
    await put(one(forced, ["foo.test/ → a:80", "foo.test/.well-known/acme-challenge → a:80"]))
    expect(await answer("/.well-known/acme-challenge/x")).toBe("200")
    expect(await answer("/x")).toBe("308 https://foo.test/x")
  })

  test("what nobody asks for is not redirected", async () => {
    await put(one(forced))
    expect(await answer("/", { host: "unknown.test" })).toBe("404")
  })
})

describe("by the ConfigMap", () => {
  afterEach(() => site.configure({}))

  /** Sets keys and waits until they show. */
  async function configure(
    data: Readonly<Record<string, string>>,
    shows: () => Promise<boolean>,
  ): Promise<void> {
    site.configure(data)
    await until("the ConfigMap to be in force", shows)
  }

  test("94: hosts without certificate are redirected by force only", async () => {
    await put(one({ "force-ssl-redirect": "false" }), ingress("demo/two", "bar.test/ → a:80"))
    const bar = () => answer("/", { host: "bar.test" })
    await configure(
      { "ssl-redirect": "false", "force-ssl-redirect": "true" },
      async () => (await bar()) !== "200",
    )
    expect(await bar()).toBe("308 https://bar.test")
    expect(await answer()).toBe("200")
    await configure({ "ssl-redirect": "false" }, async () => (await bar()) === "200")
  })

  test("96: another code, and one that cannot be", async () => {
    await put(one({ "force-ssl-redirect": "true" }))
    await configure({ "http-redirect-code": "301" }, async () => (await answer()).startsWith("301"))
    site.configure({})
    await until("the default code", async () => (await answer()).startsWith("308"))
    await configure({ "http-redirect-code": "999" }, async () => site.hasProblem("value-refused"))
    expect(await answer()).toBe("308 https://foo.test")
  })

  test("102: paths of Ingresses that are exempt", async () => {
    await put(one({ "force-ssl-redirect": "true" }, ["foo.test/ → a:80", "foo.test/check-no-tls → a:80"]))
    const exempt = () => answer("/check-no-tls/x")
    await configure({ "no-tls-redirect-locations": "/check-no-tls" }, async () => (await exempt()) === "200")
    expect(await answer("/x")).toBe("308 https://foo.test/x")
  })
})

describe("from and to www", () => {
  const rule = (host: string) => one({ "from-to-www-redirect": "true" }, `${host}/ → a:80`)

  test("111: the other name leads to the host, with the port", async () => {
    await put(rule("www.d.test"))
    const { port } = site.wick
    expect(await answer("/", { host: "d.test" })).toBe(`308 http://www.d.test:${port}`)
    expect(await answer("/x/?y", { host: "d.test" })).toMatch(`308 http://www.d.test:${port}/x/?y`)
    expect(await answer("/", { host: "www.d.test" })).toBe("200")
  })

  test("112: by HTTPS with the port of that", async () => {
    await put(rule("d.test"))
    const agent = tlsAgent("www.d.test")
    const port = site.wick.httpsPort
    const asked = await ask({ port, agent }, { path: "/", host: "www.d.test" })
    expect([asked.status, asked.headers.location]).toEqual([308, `https://d.test:${port}`])
    expect((await ask({ port, agent }, { path: "/", host: "d.test" })).status).toBe(200)
  })

  test("the other way round, until an Ingress has that name", async () => {
    await put(rule("d.test"))
    expect(await answer("/x", { host: "www.d.test" })).toBe(`308 http://d.test:${site.wick.port}/x`)
    await put(rule("d.test"), ingress("demo/two", "www.d.test/ → a:80"))
    expect(await answer("/x", { host: "www.d.test" })).toBe("200")
  })
})

describe("by annotation", () => {
  const permanent = { "permanent-redirect": "http://redirect.example.com" }

  test("114: every method and path of the rule", async () => {
    await put(one(permanent))
    for (const method of ["GET", "POST", "DELETE"])
      expect(await answer("/any?x", { method })).toBe("301 http://redirect.example.com")
  })

  test("116: temporal ones, with a code of their own up to 307", async () => {
    const temporal = (host: string, code: string) =>
      ingress(`demo/code-${code}`, `${host}/ → a:80`, {
        "temporal-redirect": "http://redirect.example.com",
        ...(code !== "none" && { "temporal-redirect-code": code }),
      })
    await put(temporal("foo.test", "none"), temporal("bar.test", "307"), temporal("baz.test", "308"))
    expect(await answer()).toBe("302 http://redirect.example.com")
    expect(await answer("/", { host: "bar.test" })).toBe("307 http://redirect.example.com")
    expect(await answer("/", { host: "baz.test" })).toBe("302 http://redirect.example.com")
  })

  test("117: the temporal one comes first", async () => {
    await put(one({ ...permanent, "temporal-redirect": "http://temporal.example.com" }))
    expect(await answer()).toBe("302 http://temporal.example.com")
  })

  test("119: a path becomes a URL, unless redirects are relative", async () => {
    await put(one({ "permanent-redirect": "/new-location", "relative-redirects": "false" }))
    expect(await answer()).toBe("301 http://foo.test/new-location")
    await put(one({ "permanent-redirect": "/new-location", "relative-redirects": "true" }))
    expect(await answer()).toBe("301 /new-location")
  })

  test("121: it comes before the redirect to HTTPS", async () => {
    await put(one({ ...permanent, "force-ssl-redirect": "true" }))
    expect(await answer()).toBe("301 http://redirect.example.com")
  })

  test("122: it needs no endpoints", async () => {
    await site.put(service("demo/empty"), one(permanent, "foo.test/ → empty:80"))
    expect(await answer()).toBe("301 http://redirect.example.com")
    await site.put(service("demo/empty"), one({}, "foo.test/ → empty:80"))
    expect(await answer()).toBe("503")
  })

  test("a redirect that is changed is in force at once", async () => {
    for (const to of ["http://one.example.com", "http://two.example.com"]) {
      await put(one({ "permanent-redirect": to }))
      expect(await answer()).toBe(`301 ${to}`)
    }
  })
})
