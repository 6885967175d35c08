// What those are answered who are not admitted: error pages, and subjects that the host does not serve.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { ask as askPlain } from "../../../harness/http.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import type { Identity } from "../../../harness/pki.ts"
import { type Asking, type ClientsSite, startClients } from "./support/clients.ts"

// Compiled ahead of the tests, which have little time.
await zoneWriter()

const host = "shop.test"
let site: ClientsSite
beforeAll(async () => {
  site = await startClients({
    locations: `
      location @status { return 200 "$request_method $uri?$args of $request_uri, $service_name"; }
      location @failing { error_page 503 /page; return 503; }
      location @explain { return 200 explained; }
      location /explained { client_max_body_size 0; ingress_route routes explain=explain; }`,
  })
})
afterAll(() => site[Symbol.asyncDispose]())
beforeEach(() => {
  site.backend.answer = () => ({})
  site.backend.asked.length = 0
})

test.each(["h1", "h2"] as const)("a URL, %s", async (protocol) => {
  await site.host(host, { errorPage: "https://login.test/who?a=b" })
  const answer = await site.ask({ host, path: "/any", method: "POST", body: "x" }, { protocol })
  expect(answer).toMatchObject({ status: 302, headers: { location: "https://login.test/who?a=b" } })
  const other = await site.otherCa.issue({ cn: "other" })
  expect(await site.ask({ host }, { protocol, identity: other })).toMatchObject({ status: 302 })
  expect((await site.ask({ host }, { protocol, identity: site.good })).status).toBe(200)
  expect(site.backend.asked).toHaveLength(1)
})

test.each([
  "h1",
  "h2",
] as const)("a path of the same host, which nobody is asked for, %s", async (protocol) => {
  await site.host(host, { errorPage: "/login/?from=tls" }, [
    { path: "/login", location: "status", service_name: "login" },
    { path: "/", location: "status", service_name: "shop" },
  ])
  const question = { host, path: "/cart?client=1", method: "POST", body: "x".repeat(100) }
  const { status, body } = await site.ask(question, { protocol })
  expect([status, body]).toEqual([200, "GET /login/?from=tls of /cart?client=1, login"])
  const known = await site.ask(question, { protocol, identity: site.good })
  expect(known.body).toBe("POST /cart?client=1 of /cart?client=1, shop")
})

test("a HEAD stays one, and the connection is closed behind the page", async () => {
  await site.host(host, { errorPage: "/login" }, [{ location: "status" }])
  const answer = await site.ask({ host, method: "HEAD" })
  expect([answer.status, answer.body]).toEqual([200, ""])
  expect(answer.headers.connection).toBe("close")
  await using client = await site.connect({ servername: host, identity: site.good })
  expect((await client.ask({ host })).headers.connection).toBe("keep-alive")
})

test("the page's own status, redirect and absence are the answer", async () => {
  await site.host(host, { errorPage: "/login" }, [{ path: "/login", status: 503 }])
  expect((await site.ask({ host })).status).toBe(503)
  await site.host(host, { errorPage: "/login" }, [
    { path: "/login", redirect: { code: 307, to: "https://$host/there" } },
  ])
  expect(await site.ask({ host })).toMatchObject({
    status: 307,
    headers: { location: "https://shop.test/there" },
  })
  await site.host(host, { errorPage: "/login" }, [{ path: "/cart" }])
  expect((await site.ask({ host, path: "/cart" })).status).toBe(404)
})

test("the page's backend is told that there is no good certificate, and may lead elsewhere", async () => {
  const expired = await site.ca.issue({ cn: "expired", until: new Date(Date.now() - 3_600_000) })
  await site.host(host, { errorPage: "/login" }, [{ path: "/login" }, { path: "/static" }])
  const verify = async (identity?: Identity) => {
    const { url, headers } = await site.seen({ host, path: "/cart" }, { identity })
    return [url, headers["ssl-client-verify"]]
  }
  expect(await verify()).toEqual(["/login", "NONE"])
  expect(await verify(expired)).toEqual(["/login", "FAILED:certificate has expired"])
  site.backend.answer = ({ url }) =>
    url === "/login" ? { headers: { "x-accel-redirect": "/static/page" } } : {}
  expect(await verify()).toEqual(["/static/page", "NONE"])
})

test("an error page of a location inside an error page", async () => {
  await site.host(host, { errorPage: "/login" }, [
    { path: "/login", location: "failing" },
    { path: "/page", location: "status" },
  ])
  expect((await site.ask({ host })).body).toBe("GET /page? of /, ")
})

test("a location is not entered by its name", async () => {
  await site.host(host, { errorPage: "@status" })
  const { status, body } = await site.ask({ host })
  expect(status).toBe(400)
  expect(body).toContain("No required SSL certificate was sent")
})

test("misdirected requests see no page", async () => {
  await site.host(host, { errorPage: "/login" }, [{ location: "status" }])
  expect((await site.ask({ host }, { servername: "nobody.test" })).status).toBe(421)
})

test("plain HTTP is not asked, unless for a name", async () => {
  await site.host(host, { errorPage: "/login" }, [{ location: "status" }])
  expect((await site.ingress.nginx.get("/cart", { host })).body).toBe("GET /cart? of /cart, ")
  await site.host(host, { matchCn: "CN=good" }, [{ location: "status" }])
  const refused = await site.ingress.nginx.get("/cart", { host })
  expect([refused.status, refused.body]).toEqual([403, "client certificate unauthorized"])
  await site.host(host, { matchCn: "^$" }, [{ location: "status" }])
  expect((await site.ingress.nginx.get("/cart", { host })).status).toBe(200)
})

test.each([
  ["CN=good", 200],
  ["CN=go", 200],
  ["O=Shop", 200],
  ["^CN=good,O=Shop$", 200],
  ["CN=(a|b|good)", 200],
  ["CN=(?i:GOOD)", 200],
  ["CN=notgonnamatch", 403],
  ["cn=good", 403],
  ["^O=Shop", 403],
  ["CN=$", 403],
  ["CN=(good", 403],
  ["CN=(.*)*(.*)*(.*)*(.*)*[^a-zA-Z=,]", 403],
])("subjects that match %s: %i", async (matchCn, status) => {
  await site.host(host, { matchCn })
  const answer = await site.ask({ host }, { identity: site.good })
  expect(answer.status).toBe(status)
  if (status === 403) expect(answer.body).toBe("client certificate unauthorized")
  expect((await site.ask({ host })).status).toBe(400)
})

test("subjects where certificates are optional, or not asked for", async () => {
  const status = async (asking: Asking, identity?: Identity) => {
    await site.host(host, asking)
    return (await site.ask({ host }, { identity })).status
  }
  expect(await status({ verify: "optional", matchCn: "CN=good" })).toBe(403)
  expect(await status({ verify: "optional", matchCn: "^$|CN=good" })).toBe(200)
  expect(await status({ verify: "optional", matchCn: "CN=good" }, site.good)).toBe(200)
  expect(await status({ verify: "off", matchCn: "CN=good" }, site.good)).toBe(403)
  const stranger = await site.otherCa.issue({ cn: "good" })
  expect(await status({ verify: "optional_no_ca", matchCn: "CN=good" }, stranger)).toBe(200)
})

test("the log says why a pattern keeps everybody out", () => {
  const log = site.ingress.nginx.errorLog()
  expect(log).toContain(
    'Cannot match the pattern "CN=(good" of clients, which keeps all of them from the host "shop.test"',
  )
  expect(log).toContain("of its clients takes too many steps, or their name is too long")
})

test("who explains routes has no certificate and needs none", async () => {
  await site.host(host, { matchCn: "CN=nobody", errorPage: "/login" }, [
    { path: "/explained", location: "status" },
  ])
  const { status, headers, body } = await askPlain(
    { port: site.ingress.port },
    { host, path: "/explained/x" },
  )
  expect([status, headers["x-wick-route"], body]).toEqual([200, "0 shop.test /explained/x", "explained"])
  const overTls = await site.ask({ host, path: "/explained/x" })
  expect(overTls.headers["x-wick-route"]).toBe("0 shop.test /explained/x")
})
