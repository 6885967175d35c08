// Bodies before the firewall: limits of requests, and responses that are held until they are judged.
import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { writeRules } from "../../../harness/ingress/waf.ts"
import { until } from "../../../harness/until.ts"
import { rawRequest } from "./support/raw.ts"

const host = "a.test"
let backend: Echo
let ingress: Ingress
let directory: string
let turn = 0
beforeAll(async () => {
  backend = await new Echo().start()
  const to = `proxy_http_version 1.1; proxy_pass http://127.0.0.1:${backend.port};`
  ingress = await startIngress({
    http: ({ dir }) => `ingress_modsecurity ${dir}/modsecurity; proxy_intercept_errors on;`,
    locations: `
      location @app { ${to} }
      location @streaming { proxy_buffering off; proxy_request_buffering off; ${to} }
      location @page { error_page 403 = @sorry; ${to} }
      ${answering("sorry", "sorry")}`,
  })
  directory = join(ingress.nginx.dir, "modsecurity")
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
})
beforeEach(() => {
  backend.asked.length = 0
})

async function protect(text: string, location = "app"): Promise<void> {
  turn += 1
  const rules = writeRules(directory, [{ text: `SecAuditEngine Off\n${text}` }])
  await ingress.route(host, [{ path: "/", location, waf: { owner: `demo/${turn}`, rules } }])
}
const html = (body: string, status = 200) => {
  backend.answer = () => ({ status, headers: { "content-type": "text/html" }, body })
}
const get = () => ingress.nginx.get("/", { host })
const post = (body: string) =>
  ingress.nginx.get("/", { host, method: "POST", body, headers: { "content-type": "text/plain" } })

describe("a request's body that is larger than the limit", () => {
  const limit = "SecRuleEngine On\nSecRequestBodyAccess On\nSecRequestBodyLimit 1000\n"
  test("is refused where that is wanted", async () => {
    html("welcome")
    await protect(`${limit}SecRequestBodyLimitAction Reject`)
    expect((await post("x".repeat(2000))).status).toBe(403)
    expect((await post("x".repeat(900))).status).toBe(200)
    expect(backend.asked).toHaveLength(1)
  })

  test("passes as a whole where only its beginning is to be looked at", async () => {
    html("welcome")
    await protect(`${limit}SecRequestBodyLimitAction ProcessPartial
      SecAction "id:1,phase:1,pass,nolog,ctl:forceRequestBodyVariable=On"
      SecRule REQUEST_BODY "@contains attack" "id:2,phase:2,deny,status:403"`)
    const behind = `${"x".repeat(200_000)}attack`
    expect((await post(behind)).status).toBe(200)
    expect(backend.last.body).toBe(behind)
    expect((await post(`attack${behind}`)).status).toBe(403)
  })
})

describe("a response", () => {
  const rules = `SecRuleEngine On\nSecResponseBodyAccess On\nSecResponseBodyMimeType text/html
    SecResponseBodyLimit 100000\nSecResponseBodyLimitAction ProcessPartial
    SecRule RESPONSE_BODY "@contains secret" "id:4,phase:4,log,deny,status:403"
    SecRule RESPONSE_HEADERS:X-Leak "@streq yes" "id:3,phase:3,log,deny,status:418"\n`

  test.each(["app", "streaming"])("is not sent before it is judged (%s)", async (location) => {
    await protect(rules, location)
    html(`${"x".repeat(50_000)}secret`)
    const { status, body } = await get()
    expect([status, body.includes("xxx")]).toEqual([403, false])
    html("x".repeat(50_000))
    expect(await get()).toMatchObject({ status: 200, body: "x".repeat(50_000) })
  })

  test("is stopped by its head", async () => {
    await protect(rules)
    backend.answer = () => ({ headers: { "x-leak": "yes" }, body: "hello" })
    expect((await get()).status).toBe(418)
  })

  test("becomes the location's error page", async () => {
    await protect(rules, "page")
    html("a secret")
    expect((await get()).body).toBe("sorry")
    html("welcome")
    expect((await get()).body).toBe("welcome")
  })

  test("is judged by its beginning where it is long, and comes whole", async () => {
    await protect(rules)
    const long = `${"x".repeat(150_000)}secret${"y".repeat(150_000)}`
    html(long)
    expect((await get()).body).toBe(long)
    html(`secret${long}`)
    expect((await get()).status).toBe(403)
  })

  test("of a type that is not looked at streams", async () => {
    await protect(rules, "streaming")
    let isDone = false
    backend.answer = () => ({
      headers: { "content-type": "text/event-stream" },
      body: "secret",
      until: () => isDone,
    })
    const waiting = get()
    isDone = true
    expect((await waiting).body).toBe("secret")
  })

  test("without a body, and to HEAD, is none to wait for", async () => {
    await protect(rules)
    html("", 204)
    expect((await get()).status).toBe(204)
    html("secret")
    expect((await ingress.nginx.get("/", { host, method: "HEAD" })).status).toBe(200)
    html("")
    expect(await get()).toMatchObject({ status: 200, body: "" })
  })

  test("is led away by a rule for bodies", async () => {
    await protect(`SecRuleEngine On\nSecResponseBodyAccess On
      SecRule RESPONSE_BODY "@contains secret" "id:4,phase:4,redirect:'https://b.test/',status:302"`)
    html("secret")
    const { status, headers } = await get()
    expect([status, headers.location]).toEqual([302, "https://b.test/"])
  })

  test("is not cut where an upgrade is answered", async () => {
    await protect(rules)
    const head = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    html("hello")
    expect(await rawRequest(ingress.port, head)).toContain("hello")
  })
})

test("an upload to a route without a firewall streams", async () => {
  html("welcome")
  const rules = writeRules(directory, [{ text: "SecRuleEngine On\nSecRequestBodyAccess On" }])
  await ingress.route(host, [
    { path: "/", location: "streaming" },
    { path: "/protected", location: "streaming", waf: { owner: "demo/upload", rules } },
  ])
  const before = backend.connections
  const begun = async (path: string) => {
    const socket = connect(ingress.port, "127.0.0.1")
    await once(socket, "connect")
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 10\r\n\r\nhello`)
    return socket
  }
  const held = await begun("/protected")
  const streams = await begun("/")
  await until("the beginning of the upload to arrive", () => backend.connections === before + 1)
  held.write("hello")
  await until(
    "the protected one, when it is whole",
    () => backend.connections >= before + 1 && backend.asked.length > 0,
  )
  expect(backend.last.url).toBe("/protected")
  held.destroy()
  streams.destroy()
})
