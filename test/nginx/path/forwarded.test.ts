// Who the client is and what it asked for, as backends are told: by nginx itself, or by a proxy in front of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
  await site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one"))
})
afterAll(() => site[Symbol.asyncDispose]())

/** The headers with which a request reaches the backend. */
async function seen(headers: Readonly<Record<string, string>> = {}, path = "/") {
  expect((await site.get(path, { headers })).body).toBe("one")
  return site.backend("one").lastHeaders
}

const told = {
  "x-forwarded-for": "1.2.3.4",
  "x-forwarded-proto": "myproto",
  "x-forwarded-port": "1234",
  "x-forwarded-host": "myhost.test",
  "x-forwarded-scheme": "other",
  "x-scheme": "other",
  "x-real-ip": "9.9.9.9",
}

describe("by default", () => {
  beforeAll(() => site.reconfigure({ "keep-alive": "74" }))

  test("329: nothing that the client says is believed, and the backend sees it under other names", async () => {
    const port = String(site.wick.port)
    expect(await seen(told)).toMatchObject({
      host: "foo.test",
      "x-forwarded-for": "127.0.0.1",
      "x-real-ip": "127.0.0.1",
      "x-forwarded-proto": "http",
      "x-forwarded-scheme": "http",
      "x-scheme": "http",
      "x-forwarded-port": port,
      "x-forwarded-host": "foo.test",
      "x-original-forwarded-for": "1.2.3.4",
      "x-original-forwarded-host": "myhost.test",
    })
  })

  test("329: what the client did not send is not there", async () => {
    const headers = await seen()
    expect(headers["x-original-forwarded-for"]).toBeUndefined()
    expect(headers["x-original-forwarded-host"]).toBeUndefined()
    expect(headers["x-original-uri"]).toBeUndefined()
  })

  test("334: a client's request id is kept, another one is made", async () => {
    expect((await seen({ "x-request-id": "of-the-client" }))["x-request-id"]).toBe("of-the-client")
    const made = (await seen())["x-request-id"]
    expect(made).toMatch(/^[0-9a-f]{32}$/)
    expect((await seen())["x-request-id"]).not.toBe(made)
  })

  test("a Proxy header does not reach the backend", async () => {
    expect((await seen({ proxy: "http://evil.test" })).proxy).toBeUndefined()
  })
})

describe("with use-forwarded-headers", () => {
  beforeAll(() => site.reconfigure({ "use-forwarded-headers": "true" }))

  test("what the client says is believed", async () => {
    expect(await seen(told)).toMatchObject({
      host: "myhost.test",
      "x-forwarded-for": "1.2.3.4",
      "x-real-ip": "1.2.3.4",
      "x-forwarded-proto": "myproto",
      "x-forwarded-scheme": "myproto",
      "x-scheme": "myproto",
      "x-forwarded-port": "1234",
      "x-forwarded-host": "myhost.test",
    })
  })

  test("331: of several forwarded hosts the first counts", async () => {
    const headers = await seen({ "x-forwarded-host": "myhost.test, another.test" })
    expect(headers).toMatchObject({ host: "myhost.test", "x-forwarded-host": "myhost.test" })
  })

  test("what the client does not say is as nginx sees it", async () => {
    expect(await seen()).toMatchObject({
      host: "foo.test",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "http",
      "x-forwarded-port": String(site.wick.port),
    })
  })
})

describe("with use-forwarded-headers, behind a balancer that ends TLS and names no port", () => {
  const ended = { "x-forwarded-proto": "https" }

  beforeAll(async () => {
    await site.reconfigure({ "use-forwarded-headers": "true" })
    const redirects = { "from-to-www-redirect": "true", "app-root": "/app" }
    await site.put(
      ingress("demo/app", "foo.test/ → app:80"),
      ingress("demo/redirects", "r.test/ → app:80", redirects),
      ...site.service("app", "one"),
    )
  })

  const location = async (host: string, headers: Readonly<Record<string, string>>) =>
    (await site.get("/", { host, headers })).headers.location

  test("the port is that of the scheme", async () => {
    expect(await seen(ended)).toMatchObject({ "x-forwarded-port": "443", "x-forwarded-proto": "https" })
    expect(await seen({ ...ended, "x-forwarded-port": "8443" })).toMatchObject({ "x-forwarded-port": "8443" })
  })

  test("redirects have scheme and port of what the client asked, and never the port of the other scheme", async () => {
    expect(await location("r.test", ended)).toBe("https://r.test/app")
    expect(await location("www.r.test", ended)).toBe("https://r.test:443")
    expect(await location("www.r.test", { ...ended, "x-forwarded-port": "80" })).toBe("https://r.test:443")
    expect(await location("www.r.test", { ...ended, "x-forwarded-port": "8443" })).toBe("https://r.test:8443")
    expect(await location("www.r.test", {})).toBe(`http://r.test:${site.wick.port}`)
  })
})

describe("with use-forwarded-headers, from a peer that is not among the trusted", () => {
  const spellings = [
    "X-Forwarded-For",
    "x-forwarded-host",
    "X-FORWARDED-PROTO",
    "X-Forwarded-Port",
    "X-Forwarded-Scheme",
  ]
  const more = [
    "Forwarded",
    "X-Forwarded-Prefix",
    "X-Forwarded-Server",
    "X-Original-URL",
    "X-Real-IP",
    "X-Scheme",
  ]

  beforeAll(() =>
    site.reconfigure({
      "use-forwarded-headers": "true",
      "compute-full-forwarded-for": "true",
      "proxy-real-ip-cidr": "10.0.0.0/8, 2001:db8::/32",
    }),
  )

  test("nothing of the family is believed or passed on", async () => {
    const all = Object.fromEntries([...spellings, ...more].map((name) => [name, "evil.test"]))
    const headers = await seen(all)
    const port = String(site.wick.port)
    expect(headers).toMatchObject({
      host: "foo.test",
      "x-forwarded-for": "127.0.0.1",
      "x-real-ip": "127.0.0.1",
      "x-forwarded-proto": "http",
      "x-forwarded-scheme": "http",
      "x-scheme": "http",
      "x-forwarded-port": port,
      "x-forwarded-host": "foo.test",
      "x-original-forwarded-for": "evil.test",
      "x-original-forwarded-host": "evil.test",
    })
    const told = Object.entries(headers).filter(([, value]) => value === "evil.test")
    expect(told.map(([name]) => name).sort()).toEqual([
      "x-original-forwarded-for",
      "x-original-forwarded-host",
    ])
  })

  test("the host that it names chooses no route, its scheme no redirect", async () => {
    await site.put(
      ingress("demo/app", "foo.test/ → app:80", { "force-ssl-redirect": "true" }),
      ingress("demo/other", "other.test/ → app:80"),
      ...site.service("app", "one"),
    )
    const get = (headers: Readonly<Record<string, string>>) => site.get("/", { headers })
    expect((await get({ "x-forwarded-host": "other.test" })).status).toBe(308)
    expect((await get({ "x-forwarded-proto": "https" })).status).toBe(308)
    await site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one"))
  })
})

test("a peer that is trusted is believed about all of it", async () => {
  await site.reconfigure({ "use-forwarded-headers": "true", "proxy-real-ip-cidr": "10.0.0.0/8,127.0.0.0/8" })
  expect(await seen({ ...told, forwarded: "for=1.2.3.4", "x-forwarded-prefix": "/p" })).toMatchObject({
    host: "myhost.test",
    "x-forwarded-for": "1.2.3.4",
    "x-forwarded-proto": "myproto",
    "x-forwarded-port": "1234",
    "x-forwarded-host": "myhost.test",
    "x-forwarded-prefix": "/p",
    forwarded: "for=1.2.3.4",
  })
})

test("that everybody is trusted is a Problem", async () => {
  await site.untilProblem("forwarded-headers-open")
})

test("with compute-full-forwarded-for, the chain goes on with the peer", async () => {
  await site.reconfigure({
    "use-forwarded-headers": "true",
    "compute-full-forwarded-for": "true",
    "forwarded-for-header": "X-Forwarded-For",
  })
  expect((await seen({ "x-forwarded-for": "1.2.3.4, 1.2.3.5" }))["x-forwarded-for"]).toBe(
    "1.2.3.4, 1.2.3.5, 127.0.0.1",
  )
  expect((await seen())["x-forwarded-for"]).toBe("127.0.0.1")
})

test("332: with enable-real-ip only the address is believed", async () => {
  await site.reconfigure({ "enable-real-ip": "true" })
  expect(await seen(told)).toMatchObject({
    host: "foo.test",
    "x-forwarded-for": "1.2.3.4",
    "x-forwarded-proto": "http",
    "x-forwarded-port": String(site.wick.port),
    "x-forwarded-host": "foo.test",
  })
})

test("a proxy that is not trusted is not believed about the address", async () => {
  await site.reconfigure({ "enable-real-ip": "true", "proxy-real-ip-cidr": "10.0.0.0/8, 192.168.0.0/16" })
  expect((await seen({ "x-forwarded-for": "1.2.3.4" }))["x-real-ip"]).toBe("127.0.0.1")
})

test("the headers have other names where keys say so", async () => {
  await site.reconfigure({
    "enable-real-ip": "true",
    "forwarded-for-header": "X-Client-Address",
    "forwarded-host-header": "X-Asked-Host",
    "proxy-add-original-uri-header": "true",
    "generate-request-id": "false",
  })
  const headers = await seen({ "x-client-address": "1.2.3.4", "x-asked-host": "asked.test" }, "/a?b=c")
  expect(headers).toMatchObject({
    "x-forwarded-for": "1.2.3.4",
    "x-original-forwarded-for": "1.2.3.4",
    "x-original-forwarded-host": "asked.test",
    "x-original-uri": "/a?b=c",
  })
  expect(headers["x-request-id"]).toBeUndefined()
})
