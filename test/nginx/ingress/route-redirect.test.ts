// Redirects of a route: always, or for requests without TLS.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import type { Route } from "../../../harness/ingress/records.ts"
import { rawRequest } from "./support/raw.ts"

const locations = `
  location @relative { absolute_redirect off; return 200 "$uri"; }
  location @absolute { port_in_redirect off; return 200 "$uri"; }
  location @page { error_page 302 =200 @moved; return 200 "$uri"; }
  location @moved { return 200 "moved $service_name $sent_http_location"; }
  location @small { client_max_body_size 1; return 200 "$uri"; }`

let ingress: Ingress
let fronted: Ingress
beforeAll(async () => {
  ingress = await startIngress({ locations })
  fronted = await startIngress({
    locations,
    parameters: "scheme=$http_x_forwarded_proto host=$http_x_forwarded_host",
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await fronted[Symbol.asyncDispose]()
})

const redirect = (code: number, to: string): Route => ({ location: "relative", redirect: { code, to } })
const toHttps: Route = {
  location: "relative",
  httpsRedirect: { code: 308, to: "https://$redirect_host$redirect_uri" },
}

type Headers = Readonly<Record<string, string>>
async function answer(from: Ingress, host: string, path = "/", headers: Headers = {}) {
  const { status, headers: got, body } = await from.nginx.get(path, { host, headers })
  return [status, got.location ?? body]
}

test.each([300, 301, 302, 303, 304, 305, 306, 307, 308])("code %i comes with a Location", async (code) => {
  await ingress.route("code.test", [redirect(code, "https://www.test/new?a=b&c=d")])
  expect(await answer(ingress, "code.test", "/any")).toEqual([code, "https://www.test/new?a=b&c=d"])
})

test("a path becomes an address unless absolute_redirect is off", async () => {
  await ingress.route("path.test", [
    redirect(302, "/new"),
    { ...redirect(302, "/abs"), path: "/abs", location: "absolute" },
  ])
  expect(await answer(ingress, "path.test", "/x")).toEqual([302, "/new"])
  expect(await answer(ingress, "path.test", "/abs")).toEqual([302, "http://path.test/abs"])
})

test("variables and groups are put in", async () => {
  await ingress.route("fill.test", [
    {
      ...redirect(302, "https://$host/$2?from=$1$$&q=$args&none=$nothing"),
      path: "/(old)/(.*)",
      match: "regex",
    },
  ])
  expect(await answer(ingress, "fill.test", "/old/page?x=y")).toEqual([
    302,
    "https://fill.test/page?from=old$&q=x=y&none=",
  ])
})

test("bytes that no header may have are escaped", async () => {
  await ingress.route("escape.test", [{ ...redirect(302, "/$1"), path: "/x/([\\s\\S]*)", match: "regex" }])
  const raw = await rawRequest(
    ingress.port,
    "GET /x/a%0D%0ASet-Cookie:%20a=b%7F%09z HTTP/1.0\r\nHost: escape.test\r\n\r\n",
  )
  expect(raw).toContain("\r\nLocation: /a%0D%0ASet-Cookie: a=b%7F%09z\r\n")
  expect(raw).not.toMatch(/^Set-Cookie/m)
})

test("plain HTTP is led to HTTPS, without one slash at the end", async () => {
  await ingress.route("plain.test", [toHttps])
  const table = { "/": "", "/a": "/a", "/a/": "/a", "/a//": "/a/", "/%2F/?b=/": "/%2F/?b=" }
  for (const [path, location] of Object.entries(table))
    expect(await answer(ingress, "plain.test:8080", path)).toEqual([308, `https://plain.test${location}`])
})

test("scheme= and host= say what the client sees", async () => {
  await fronted.route("inner.test", [toHttps])
  const sent = (scheme: string, host: string) =>
    answer(fronted, "inner.test", "/a", { "x-forwarded-proto": scheme, "x-forwarded-host": host })
  expect(await sent("http", "shop.test")).toEqual([308, "https://shop.test/a"])
  expect(await sent("http", "Shop.test:8080")).toEqual([308, "https://Shop.test/a"])
  expect(await sent("http", "[::1]:80")).toEqual([308, "https://[::1]/a"])
  expect(await sent("https", "shop.test")).toEqual([200, "/a"])
  expect(await sent("HTTP", "shop.test")).toEqual([200, "/a"])
})

test("comes before the redirect to HTTPS, and both before a status", async () => {
  await ingress.route("first.test", [
    { ...toHttps, ...redirect(301, "/new"), status: 503 },
    { ...toHttps, path: "/https", status: 503 },
    { location: "relative", path: "/status", status: 503 },
  ])
  expect(await answer(ingress, "first.test", "/")).toEqual([301, "/new"])
  expect(await answer(ingress, "first.test", "/https")).toEqual([308, "https://first.test/https"])
  expect((await answer(ingress, "first.test", "/status"))[0]).toBe(503)
})

test("is the location's answer: its error pages and its limit of bodies apply", async () => {
  await ingress.route("page.test", [{ ...redirect(302, "/new"), location: "page", service_name: "shop" }])
  expect(await ingress.ask("page.test")).toBe("moved shop /new")
  await ingress.route("small.test", [{ ...redirect(302, "/new"), location: "small" }])
  const { status } = await ask({ port: ingress.port }, { host: "small.test", method: "POST", body: "long" })
  expect(status).toBe(413)
})

test("a route that the configuration has no location for redirects nobody", async () => {
  await ingress.route("unknown.test", [{ ...redirect(302, "/new"), location: "unknown" }])
  expect(await ingress.ask("unknown.test")).toBe("503")
})

test("an address of more than 64 KiB is an error", async () => {
  await ingress.route("large.test", [redirect(302, "$request_uri".repeat(300))])
  expect(await ingress.ask("large.test", `/${"x".repeat(500)}`)).toBe("500")
})

test("a change is in force at once", async () => {
  for (const to of ["/one", "/two", "https://three.test/"]) {
    await ingress.route("change.test", [redirect(307, to)])
    expect(await answer(ingress, "change.test")).toEqual([307, to])
  }
})
