// A route's path for the backend: the same bytes as nginx's own `rewrite` in a plain location.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { type Nginx, startNginx } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { type Echo, startEcho } from "./support/echo.ts"
import { rawRequest } from "./support/raw.ts"

/** Path and target of each pair of hosts, `0.test`, `1.test` and so on. */
const rewrites = [
  ["/something(/|$)(.*)", "/$2"],
  ["/x", "/"],
  ["/x", "/new/backend"],
  ["/x", "relative"],
  ["/x/(.*)", "$1"],
  ["/x(.*)", "/a$1$1/$3b"],
  ["/x/([^/]+)/(.*)", "/$2/$1"],
  ["/x(/(a)|/(b))?(.*)", "/$2-$3-$4"],
  ["/x(.*)", "/$uri$1"],
  ["/x(.*)", "/$arg_a/$http_x_name$1"],
  ["/(.*)\\.html$", "/$1.php"],
  ["/x|/y", "/alternative"],
] as const

const uris = [
  "/x",
  "/x/",
  "/X/y",
  "/x?",
  "/x?a=b&c=%2F",
  "/x/a%2Fb",
  "/x/a%3Fb?c",
  "/x/a%23b",
  "/x/a%25b",
  "/x/a%00b",
  "/x/a%0Ab",
  "/x/a%0D%0Ab",
  "/x/a%20b",
  "/x/a+b?d+e",
  "/x//y///z",
  "/%78/y",
  "/x/%E4",
  "/x/\xe4\xff",
  "/x/%C3%A4/ä",
  "/x/a/b.html?v=1",
  "/x/b.HTML",
  "/x/$1/$uri",
  '/x/"q"',
  "/x/a;b=c,d",
  "/x/%7Fz",
  "/x/a:b@c",
  "/something",
  "/something/",
  "/something/new%2Fpath?q=%20",
  "/SOMETHING/new",
  "/z/x",
  "/y",
  `/x/${"long/".repeat(600)}`,
]

let backend: Echo
let plain: Nginx
let ingress: Ingress
beforeAll(async () => {
  backend = await startEcho()
  const proxy = `proxy_http_version 1.0; proxy_pass http://127.0.0.1:${backend.port};`
  const server = (port: number, host: number, [path, to]: readonly [string, string]) => `
    server {
      listen 127.0.0.1:${port}; server_name ${host}.test;
      location ~* "^${path}" { rewrite "(?i)${path}" ${to} break; ${proxy} }
    }`
  plain = await startNginx((site) => ({
    http: rewrites.map((rewrite, n) => server(site.port, n, rewrite)).join(""),
  }))
  ingress = await startIngress({
    http: "error_log error.log notice;",
    locations: `location @plain { ${proxy} } location @see { return 200 "$uri $args $request_uri"; }`,
  })
  for (const [n, [path, rewrite]] of rewrites.entries())
    await ingress.route(`${n}.test`, [{ path, match: "regex", rewrite }])
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await plain.stop()
  await backend[Symbol.asyncDispose]()
})

/** Status and what the backend saw, without what differs between any two answers. */
async function seen(port: number, host: string, uri: string): Promise<string> {
  const head = `GET ${uri} HTTP/1.0\r\nHost: ${host}\r\nX-Name: the name\r\n\r\n`
  const answer = await rawRequest(port, Buffer.from(head, "latin1"))
  const status = answer.slice(0, answer.indexOf("\r\n"))
  return status.includes("200") ? answer.slice(answer.indexOf("\r\n\r\n") + 4) : status
}

test.each(
  rewrites.map((rewrite, n) => [...rewrite, n] as const),
)("%s to %s: what nginx sends", async (_path, _to, n) => {
  const answers = new Set<string>()
  for (const uri of uris) {
    const host = `${n}.test`
    const wanted = await seen(plain.port, host, uri)
    expect([uri, await seen(ingress.port, host, uri)]).toEqual([uri, wanted])
    answers.add(wanted.slice(0, wanted.indexOf("\r\n")))
  }
  // Some are rewritten, or the comparison would be of no use.
  expect([...answers].filter((line) => line.startsWith("GET ")).length).toBeGreaterThan(0)
})

test("an empty path is an error, as it is in nginx", async () => {
  await ingress.route("empty.test", [{ path: "/x(.*)", match: "regex", rewrite: "$1" }])
  expect(await ingress.ask("empty.test", "/x")).toBe("500")
  await until("the log line", () => ingress.nginx.errorLog().includes("the rewritten URI has a zero length"))
  expect(await ingress.ask("empty.test", "/x/y")).toMatch(/^GET \/y HTTP/)
})

test("$uri is the new path, $args and $request_uri are what they were", async () => {
  await ingress.route("see.test", [{ path: "/a", rewrite: "/b$$1$2", location: "see" }])
  expect(await ingress.ask("see.test", "/a/x?y=1")).toBe("/b$1 y=1 /a/x?y=1")
})

test("the error log notes it where the route says so", async () => {
  await ingress.route("log.test", [
    { path: "/noted", match: "regex", rewrite: "/", logRewrite: true, location: "see" },
    { path: "/silent", match: "regex", rewrite: "/other", location: "see" },
  ])
  expect(await ingress.ask("log.test", "/silent")).toBe("/other  /silent")
  expect(await ingress.ask("log.test", "/noted?a=b")).toBe("/ a=b /noted?a=b")
  await until("the log line", () => ingress.nginx.errorLog().includes('rewritten data: "/", args: "a=b"'))
  expect(ingress.nginx.errorLog()).not.toContain('rewritten data: "/other"')
})

test("a path of more than 64 KiB is an error", async () => {
  await ingress.route("large.test", [{ path: "/x(.*)", match: "regex", rewrite: "/$1".repeat(1000) }])
  expect(await ingress.ask("large.test", "/x/y")).toMatch(/^GET/)
  expect(await ingress.ask("large.test", `/x/${"y".repeat(100)}`)).toBe("500")
  await until("the log line", () => ingress.nginx.errorLog().includes("becomes longer than 65536 bytes"))
})
