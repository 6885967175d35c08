// What becomes of addresses and cookies in a backend's response, by a level (docs/wire.md, LEVEL), beside nginx with the same directives as text.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import {
  addHeader,
  cookieDomain,
  cookieFlags,
  cookiePath,
  redirect,
  type Setting,
} from "../../../harness/ingress/levels.ts"
import { BesideText, type Case } from "./support/beside-text.ts"

/** Answers with the headers that it is asked for. */
const backend = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
  const query = new URL(request.url ?? "/", "http://a").searchParams
  const headers = [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const)
  response.writeHead(200, Object.fromEntries(headers))
  response.end("answer")
})

const location = "port_in_redirect off; proxy_pass http://backends;"
const kept = mkdtempSync(join(tmpdir(), "wick-kept-"))

const addresses = [
  "http://backends/a",
  "http://inner.test/x/y?z=1",
  "HTTP://inner.test/x",
  "http://inner.test:8080/old/a/b",
  "/old/c",
  "/OLD/c",
  "https://other.test/",
  "x",
  "",
]

const cookies = [
  "a=b",
  "a=b; Path=/app/x; Domain=inner.test",
  "a=b;path=/APP;domain=.INNER.test;Secure",
  "one = 1 2 ; PATH = /app ;; HttpOnly; samesite=LAX",
  "two=2; SameSite=None; secure; secure; Path; Domain=",
  "two=2; SameSite=Strict; SameSite=Lax; httponly=1",
  "one; Path=/app",
  "=x; Path=/app",
  "ONE=x; Domain=inner.test.; Path=/app/",
  "",
]

/** Of all replacements; each case has what it says. */
const settings: readonly (readonly Setting[])[] = [
  [redirect("http://inner.test/", "https://$host/"), redirect("/old/", "/new/")],
  [redirect("~^(http://[^/]+)/old/(?<rest>.*)$", "$1/new/$rest?$2"), redirect("~*^/old", "/$arg_to")],
  [redirect("http://inner.test/", "/"), redirect("http://inner.test/x", "/never")],
  [redirect("", "http://all.test/")],
  [redirect("http://inner$arg_port", "")],
  [redirect("~x", "x$1"), redirect("~y", "$upstream_http_x_where")],
  [cookiePath("/app", "/"), cookieDomain("inner.test", "$host")],
  [cookiePath("~^/app(/.*)?$", "/shop$1"), cookieDomain("~^\\.?INNER(?<end>.*)$", "outer$end")],
  [cookiePath("~*^/app", "$arg_to"), cookieDomain("$arg_domain", "x")],
  [
    cookieFlags("one", "secure httponly samesite=strict", {
      secure: true,
      httpOnly: true,
      sameSite: "strict",
    }),
  ],
  [
    cookieFlags("~^t", "nosecure nohttponly nosamesite", { secure: false, httpOnly: false, sameSite: "off" }),
    cookieFlags("~.", "secure", { secure: true }),
  ],
  [
    cookieFlags("$arg_cookie", "samesite=lax", { sameSite: "lax" }),
    cookieFlags("two", "samesite=none nosecure", { sameSite: "none", secure: false }),
    cookiePath("/app", "/much/longer"),
    redirect("http://inner.test/", "/"),
    addHeader("X-Where", "$sent_http_location $sent_http_set_cookie"),
  ],
  [addHeader("X-Where", "$sent_http_location")],
]

const cases: readonly Case[] = [
  ...settings.map((settings) => ({ location, settings })),
  { location: `absolute_redirect off; ${location}`, settings: [redirect("http://inner.test/", "/")] },
  {
    location: `${location} proxy_cache kept; proxy_cache_key $server_port$request_uri; proxy_cache_valid 1m;
      proxy_ignore_headers Set-Cookie; add_header X-Kept $upstream_cache_status;`,
    settings: [redirect("http://inner.test/", "/"), cookiePath("/app", "/")],
  },
]

let beside: BesideText
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve))
  const { port } = backend.address() as AddressInfo
  const http = `upstream backends { server 127.0.0.1:${port}; } proxy_cache_path ${kept} keys_zone=kept:1m;`
  beside = await BesideText.start({ http, cases })
})
afterAll(async () => {
  await beside?.[Symbol.asyncDispose]()
  backend.close()
  rmSync(kept, { recursive: true, force: true })
})

/** The query that has the backend answer so. */
const says = (headers: readonly (readonly [string, string])[]) =>
  `?${headers.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`

const answered = [
  ...addresses.map((address) => says([["location", address]])),
  ...addresses.flatMap((address) => [
    says([["refresh", `3; url=${address}`]]),
    says([["refresh", `3;URL=${address}`]]),
  ]),
  says([["refresh", "3"]]),
  ...cookies.map((cookie) => says([["set-cookie", cookie]])),
  says([...cookies.map((cookie) => ["set-cookie", cookie] as const), ["location", "http://inner.test/x"]]),
  `${says([["location", "/old/x"]])}&to=there&port=.test&x-where=y`,
  `${says([["location", "http://inner.test/y"]])}&port=.test&x-where=over`,
  `${says(cookies.map((cookie) => ["set-cookie", cookie] as const))}&to=/x&domain=INNER.test&cookie=one`,
]

test.each(
  cases.map((one, at) => [one.settings.map(({ text }) => text).join(" "), at] as const),
)("as nginx does it: %s", async (_, at) => {
  for (const query of answered) {
    const [ours, nginxs] = await beside.ask(at, `/${query}`)
    expect([query, ...ours]).toEqual([query, ...nginxs])
  }
})

test("addresses and cookies of kept answers are replaced, too", async () => {
  const query = `/kept${says([
    ["location", "http://inner.test/a"],
    ["set-cookie", "a=b; Path=/app/x"],
  ])}`
  const at = cases.length - 1
  await beside.ask(at, query)
  const [ours, nginxs] = await beside.ask(at, query)
  expect(ours).toEqual(nginxs)
  expect(ours).toEqual(expect.arrayContaining(["x-kept: HIT", "set-cookie: a=b; Path=//x"]))
})
