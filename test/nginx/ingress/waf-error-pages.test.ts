// A response that rules stop, and an error page that comes from a backend in its place: the client gets an answer, and the connection goes on.
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { type Answer, keptMs } from "../../../harness/http.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { writeRules } from "../../../harness/ingress/waf.ts"
import { TlsClient } from "../../../harness/tls-client.ts"
import { until } from "../../../harness/until.ts"
import { letPass } from "../../support/clock.ts"

const host = "a.test"
const page = `a page ${"p".repeat(100_000)}`
let pages: Echo
let backend: Server
let streaming = 0
let ingress: Ingress
beforeAll(async () => {
  pages = await new Echo().start()
  pages.answer = () => ({ status: 403, body: page })
  backend = await startBackend()
  const to = (server: { port: number }) =>
    `proxy_http_version 1.1; proxy_pass http://127.0.0.1:${server.port};`
  ingress = await startIngress({
    http: ({ dir }) => `ingress_modsecurity ${dir}/modsecurity; proxy_intercept_errors on;`,
    tls: "ssl_session_cache off;",
    locations: `
      location @named { error_page 403 = @page; ${to(backend.address() as AddressInfo)} }
      location @unbuffered { proxy_buffering off; error_page 403 = @page; ${to(backend.address() as AddressInfo)} }
      location @led { error_page 403 /page; ${to(backend.address() as AddressInfo)} }
      location @broken { proxy_pass http://127.0.0.1:1; }
      location @page { proxy_intercept_errors off; ${to(pages)} }`,
  })
  await protect()
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  backend.close()
  backend.closeAllConnections()
  await pages[Symbol.asyncDispose]()
})

/** `/head` and `/body` have something that rules stop, `/endless` has it before its end, which does not come. */
async function startBackend(): Promise<Server> {
  const server = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://a")
    response.setHeader("Content-Type", "text/html")
    response.setHeader("X-Backend", "yes")
    if (pathname.endsWith("/head")) response.setHeader("X-Leak", "yes")
    if (!pathname.endsWith("/endless")) return void response.end("a secret")
    streaming += 1
    const timer = setInterval(() => response.write("x".repeat(50_000)), 1)
    response.once("close", () => {
      clearInterval(timer)
      streaming -= 1
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}

async function protect(): Promise<void> {
  const text = `SecRuleEngine On\nSecAuditEngine Off\nSecResponseBodyAccess On\nSecResponseBodyMimeType text/html
    SecResponseBodyLimit 200000\nSecResponseBodyLimitAction Reject
    SecRule RESPONSE_BODY "@contains secret" "id:4,phase:4,log,deny,status:403"
    SecRule RESPONSE_HEADERS:X-Leak "@streq yes" "id:3,phase:3,log,deny,status:403"
    SecRule RESPONSE_STATUS "@streq 502" "id:5,phase:3,log,deny,status:403"`
  const waf = { owner: "demo/a", rules: writeRules(join(ingress.nginx.dir, "modsecurity"), [{ text }]) }
  await ingress.route(host, [
    ...["named", "unbuffered", "led", "broken"].map((location) => ({ path: `/${location}`, location, waf })),
    { path: "/page", location: "page" },
  ])
}

const seen = ({ status, body, headers }: Answer) => ({
  status,
  isPage: body === page,
  leaks: headers["x-backend"] ?? headers["x-leak"],
})
const answered = { status: 403, isPage: true, leaks: undefined }
const waysOf = (location: string) => ["head", "body", "endless"].map((way) => `/${location}/${way}`)

describe.each(["h1", "h2"] as const)("over %s", (protocol) => {
  test.each([
    ...waysOf("named"),
    ...waysOf("unbuffered"),
    ...waysOf("led"),
  ])("%s is answered with the page, twice on one connection", async (path) => {
    await using client = await TlsClient.connect(ingress.tlsPort, { servername: host, protocol })
    const ask = async () => seen(await client.ask({ host, path }))
    expect([await ask(), await ask()]).toEqual([answered, answered])
    expect(client.isClosed).toBe(false)
    await until("the backend to be left", () => streaming === 0)
  })

  test("an answer of nginx's own that is stopped has nginx's page for the refusal", async () => {
    await using client = await TlsClient.connect(ingress.tlsPort, { servername: host, protocol })
    const { status, body } = await client.ask({ host, path: "/broken" })
    expect([status, body.match(/<h1>.*?<\/h1>/g)]).toEqual([403, ["<h1>403 Forbidden</h1>"]])
  })
})

test("a client that leaves while its response is stopped leaves nothing behind", async () => {
  const left = Array.from({ length: 20 }, async (_, n) => {
    const client = await TlsClient.connect(ingress.tlsPort, { servername: host, protocol: "h2" })
    client.ask({ host, path: "/named/endless" }).catch(() => {})
    await letPass(n, "a moment in the response, each client another one")
    await client[Symbol.asyncDispose]()
  })
  await Promise.all(left)
  await until("the backend to be left", () => streaming === 0)
  expect((await ingress.nginx.get("/named/body", { host })).body).toBe(page)
  expect(ingress.nginx.errorLog()).not.toMatch(/\[(alert|crit|emerg)\]/)
})
