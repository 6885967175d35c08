// Response headers of the configuration (`ingress_set_header`, `ingress_clear_header`) and of routes, whoever made the
// response and whatever its status is.
import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:http2"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import tls from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask, keptMs } from "../../../harness/http.ts"
import { answering, confOf, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { checkConf } from "../../../harness/nginx.ts"
import { cert, key } from "../../../harness/tls.ts"
import { until } from "../../../harness/until.ts"
import { rawRequest } from "./support/raw.ts"

const tlsConf = `ssl_certificate "data:${cert}"; ssl_certificate_key "data:${key}";`

let answerSlowly: (() => void) | undefined
const backend = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
  if (request.url === "/slow") {
    answerSlowly = () => response.end("slow")
    return
  }
  if (request.url === "/encoded") response.setHeader("content-encoding", "br")
  response.setHeader("set-cookie", ["a=1", "b=2"])
  response.setHeader("x-twice", ["1", "2"])
  response.setHeader("server", "backend")
  response.setHeader("cache-control", "private")
  response.setHeader("content-type", "text/plain")
  if (request.url === "/away") response.writeHead(302, { location: "http://elsewhere/" })
  response.end("proxied")
})

let ingress: Ingress
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve))
  ingress = await startIngress({
    locations: `${answering("plain", "plain")}
      location @files { root .; rewrite ^/(dateless|rangeless) /nginx.conf break; }
      location @proxied { add_header X-Added location always; proxy_pass http://127.0.0.1:${(backend.address() as AddressInfo).port}; }
      location @compressed { gzip on; gzip_min_length 1; gzip_types text/plain; default_type text/html; return 200 "aaaaaaaaaaaaaaaaaaaa"; }
      location @page { error_page 503 @error; return 503; }
      location @error { return 200 "page"; }`,
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  backend.closeAllConnections()
  backend.close()
})

type Headers = readonly (readonly [string, string])[]

/** Status line and header lines, in small letters, sorted, of a route with these headers. */
async function head(headers: Headers, location = "plain", path = "/", more = ""): Promise<string[]> {
  await ingress.route("_", [{ location, headers }])
  return linesOf(ingress, path, more)
}

async function linesOf(from: Ingress, path: string, more = ""): Promise<string[]> {
  const text = await rawRequest(
    from.port,
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`,
  )
  return (text.split("\r\n\r\n")[0] ?? "").toLowerCase().split("\r\n").sort()
}

const named = (lines: readonly string[], name: string) => lines.filter((line) => line.startsWith(`${name}: `))

test("a header of the route is added, to a response of nginx and of a backend", async () => {
  for (const location of ["plain", "proxied"])
    expect(named(await head([["X-Frame-Options", "DENY"]], location), "x-frame-options")).toEqual([
      "x-frame-options: deny",
    ])
})

test("a header of the route takes the place of all of its name", async () => {
  const lines = await head(
    [
      ["x-twice", "once"],
      ["Set-Cookie", "c=3"],
      ["X-Added", "route"],
      ["Cache-Control", "no-store"],
    ],
    "proxied",
  )
  expect(named(lines, "x-twice")).toEqual(["x-twice: once"])
  expect(named(lines, "set-cookie")).toEqual(["set-cookie: c=3"])
  expect(named(lines, "x-added")).toEqual(["x-added: route"])
  expect(named(lines, "cache-control")).toEqual(["cache-control: no-store"])
})

test("an empty value removes, those headers too that nginx prints by itself", async () => {
  const names = ["server", "date", "set-cookie", "x-twice", "content-type", "x-added"]
  const lines = await head(
    names.map((name) => [name, ""]),
    "proxied",
  )
  for (const name of names) expect(named(lines, name)).toEqual([])
  expect(lines).toContain("cache-control: private")
})

test("nginx's own headers get the route's value", async () => {
  const lines = await head([
    ["Server", "shop"],
    ["Date", "today"],
    ["Content-Type", "image/x-shop"],
  ])
  expect(named(lines, "server")).toEqual(["server: shop"])
  expect(named(lines, "date")).toEqual(["date: today"])
  expect(named(lines, "content-type")).toEqual(["content-type: image/x-shop"])
})

test("a location goes out as it is", async () => {
  expect(named(await head([["Location", "/there"]], "proxied", "/away"), "location")).toEqual([
    "location: /there",
  ])
  expect(named(await head([["Location", ""]], "proxied", "/away"), "location")).toEqual([])
})

test("what frames a message is nginx's", async () => {
  const lines = await head(
    [
      ["Content-Length", "1"],
      ["Transfer-Encoding", "chunked"],
      ["Connection", "keep-alive"],
    ],
    "plain",
  )
  expect(named(lines, "content-length")).toEqual(["content-length: 5"])
  expect(named(lines, "transfer-encoding")).toEqual([])
  expect(named(lines, "connection")).toEqual(["connection: close"])
})

test("compression looks at the new type, without its parameters, and at the new encoding", async () => {
  const gzip = "Accept-Encoding: gzip\r\n"
  const encoding = async (headers: Headers, location = "compressed", path = "/") =>
    named(await head(headers, location, path, gzip), "content-encoding")
  expect(await encoding([["Content-Type", "text/plain; charset=utf-8"]])).toEqual(["content-encoding: gzip"])
  expect(await encoding([["Content-Type", "image/x-shop"]])).toEqual([])
  expect(await encoding([["Content-Encoding", "identity"]])).toEqual(["content-encoding: identity"])
  expect(await encoding([["Content-Encoding", ""]], "proxied", "/encoded")).toEqual([])
})

test("the answer of a route itself has them, that of another location does not", async () => {
  await ingress.route("_", [
    { path: "/status", status: 503, headers: [["X-A", "route"]] },
    { path: "/slash/", headers: [["X-A", "route"]] },
    { path: "/page", location: "page", headers: [["X-A", "route"]] },
    { path: "/large", clientMaxBodyBytes: 1, headers: [["X-A", "route"]] },
  ])
  expect(named(await linesOf(ingress, "/status"), "x-a")).toEqual(["x-a: route"])
  expect(named(await linesOf(ingress, "/slash"), "x-a")).toEqual(["x-a: route"])
  expect(named(await linesOf(ingress, "/page"), "x-a")).toEqual([])
  const large = await ingress.nginx.get("/large", { method: "POST", body: "xx" })
  expect([large.status, large.headers["x-a"]]).toEqual([413, "route"])
})

test("of two of one name the later counts", async () => {
  const both: Headers = [
    ["X-A", "1"],
    ["x-a", "2"],
  ]
  expect(named(await head(both), "x-a")).toEqual(["x-a: 2"])
})

test("a request keeps the headers that it began with", async () => {
  const route = (value: string) =>
    ({ path: "/slow", location: "proxied", headers: [["X-A", value]] }) as const
  await ingress.route("_", [route("old".repeat(1000)), { path: "/" }])
  const answer = ingress.nginx.get("/slow")
  await until("the request to be with the backend", () => answerSlowly !== undefined)
  for (let n = 0; n < 20; n += 1) {
    await ingress.route("_", [route(`new${n}`.repeat(1000)), { path: "/" }])
    expect(await ingress.ask("a")).toBe("plain")
  }
  answerSlowly?.()
  expect((await answer).headers["x-a"]).toBe("old".repeat(1000))
})

test("a file that has not changed, and one without its date", async () => {
  await ingress.route("_", [
    { path: "/nginx.conf", location: "files", headers: [["X-A", "route"]] },
    { path: "/dateless", location: "files", headers: [["Last-Modified", ""]] },
    { path: "/rangeless", location: "files", headers: [["Accept-Ranges", "none"]] },
  ])
  const { headers } = await ingress.nginx.get("/nginx.conf")
  const lines = await linesOf(ingress, "/nginx.conf", `If-Modified-Since: ${headers["last-modified"]}\r\n`)
  expect(lines).toContain("http/1.1 304 not modified")
  expect(named(lines, "x-a")).toEqual(["x-a: route"])
  expect(named(await linesOf(ingress, "/dateless"), "last-modified")).toEqual([])
  expect(named(await linesOf(ingress, "/rangeless"), "accept-ranges")).toEqual(["accept-ranges: none"])
})

test("HTTP/2", async () => {
  await using http2 = await startIngress({ listen: "http2", http: "ingress_clear_header Server;" })
  const headers: Headers = [
    ["X-Frame-Options", "DENY"],
    ["Date", ""],
  ]
  await http2.route("_", [{ headers }])
  const session = connect(`http://127.0.0.1:${http2.port}`)
  const [answer] = await once(session.request({ ":authority": "a" }).end(), "response")
  session.destroy()
  expect(answer).toMatchObject({ ":status": 200, "x-frame-options": "DENY" })
  expect(Object.keys(answer)).not.toContain("server")
  expect(Object.keys(answer)).not.toContain("date")
})

test("headers of the configuration are on every response, and a route's go over them", async () => {
  await using everywhere = await startIngress({
    http: `ingress_set_header X-Host "on $host";
      ingress_set_header X-A configuration;
      ingress_set_header X-Empty "$arg_nothing";
      ingress_set_header X-Bad "$uri";
      ingress_clear_header Server;
      ingress_clear_header X-Twice;`,
    locations: `location @proxied { add_header X-Added location; proxy_pass http://127.0.0.1:${(backend.address() as AddressInfo).port}; }
      location @broken { proxy_pass http://127.0.0.1:1; }`,
  })
  await everywhere.route("a", [
    { path: "/", location: "proxied" },
    { path: "/broken", location: "broken" },
    { path: "/denied", location: "proxied", status: 503 },
    { path: "/over", location: "proxied", headers: [["X-A", "route"]] },
    { path: "/back", location: "proxied", headers: [["Server", "shop"]] },
  ])
  for (const [path, status] of [
    ["/", "200"],
    ["/broken", "502"],
    ["/denied", "503"],
    ["/%zz", "400"],
  ] as const) {
    const lines = await linesOf(everywhere, path)
    expect(lines.some((line) => line.startsWith(`http/1.1 ${status}`))).toBe(true)
    expect(named(lines, "server")).toEqual([])
    expect(named(lines, "x-a")).toEqual(["x-a: configuration"])
    expect(named(lines, "x-twice")).toEqual([])
    expect(named(lines, "x-empty")).toEqual([])
  }
  const lines = await linesOf(everywhere, "/")
  expect(named(lines, "x-host")).toEqual(["x-host: on a"])
  expect(named(lines, "x-added")).toEqual(["x-added: location"])
  expect(named(await linesOf(everywhere, "/over"), "x-a")).toEqual(["x-a: route"])
  expect(named(await linesOf(everywhere, "/back"), "server")).toEqual(["server: shop"])
  const split = await linesOf(everywhere, "/a%0d%0aX-Injected:%201")
  expect(named(split, "x-injected")).toEqual([])
  expect(named(split, "x-bad")).toEqual([])
})

test("a header with `tls` is set and removed on connections with TLS only", async () => {
  const answering =
    "location / { add_header X-Own own; add_header X-Gone own; add_header X-Both own; return 200; }"
  await using ingress = await startIngress({
    http: ({ dir }) => `ingress_set_header X-Own "of $scheme" tls;
      ingress_set_header X-Gone "" tls;
      ingress_set_header X-Both both;
      server { listen unix:${dir}/plain.sock; ${answering} }
      server { listen unix:${dir}/tls.sock ssl http2; ${tlsConf} ${answering} }`,
  })
  const plain = await ask({ socketPath: join(ingress.nginx.dir, "plain.sock") }, { path: "/" })
  expect(plain.headers).toMatchObject({ "x-own": "own", "x-gone": "own", "x-both": "both" })
  const session = connect("https://a", {
    createConnection: () =>
      tls.connect({
        path: join(ingress.nginx.dir, "tls.sock"),
        ALPNProtocols: ["h2"],
        rejectUnauthorized: false,
      }),
  })
  const [answer] = await once(session.request().end(), "response")
  session.destroy()
  expect(answer).toMatchObject({ "x-own": "of https", "x-both": "both" })
  expect(answer).not.toHaveProperty("x-gone")
})

test.each([
  [`ingress_set_header "X A" 1;`, `invalid header name "X A" in "ingress_set_header"`],
  [`ingress_clear_header "";`, `invalid header name "" in "ingress_clear_header"`],
  [
    "ingress_set_header Content-Length 1;",
    `header that frames messages "Content-Length" in "ingress_set_header"`,
  ],
  ["ingress_clear_header connection;", `header that frames messages "connection" in "ingress_clear_header"`],
  ["ingress_set_header X-A $nothing_of_that_name;", `unknown "nothing_of_that_name" variable`],
  ["ingress_set_header X-A 1 TLS;", `invalid parameter "TLS" in "ingress_set_header"`],
  ["ingress_set_header X-A 1 tls tls;", `invalid number of arguments in "ingress_set_header" directive`],
  ["ingress_clear_header X-A tls;", `invalid number of arguments in "ingress_clear_header" directive`],
  ["ingress_set_header X-A;", `invalid number of arguments in "ingress_set_header" directive`],
])("%s is refused", async (http, message) => {
  const writer = await zoneWriter()
  const { ok, output } = await checkConf((site) => confOf(site, writer, { http }))
  expect(ok).toBe(false)
  expect(output).toContain(message)
})
