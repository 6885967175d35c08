// Rewriting of paths with escapes, by what the backend gets: RabbitMQ's `/api/queues/%2F/orders` names the virtual host `/`.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { type Answer, ask } from "../../../harness/http.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { Site } from "./site.ts"

let site: Site
let echo: Echo
beforeAll(async () => {
  echo = await new Echo().start()
  site = await Site.start([])
  const to = { "rewrite-target": "/$2" }
  const raw = { ...to, "wick.dev/rewrite-raw": "true" }
  const rule = (host: string) => `${host}/rmq(/|$)(.*) ~→ echo:80`
  await site.put(
    ...serviceOn("demo/echo", [echo.port]),
    ingress("demo/usual", rule("usual.test"), to),
    ingress("demo/raw", rule("raw.test"), raw),
    ingress("demo/variable", rule("variable.test"), { ...raw, "rewrite-target": "/$http_x_tenant/$2" }),
    ingress("demo/found", rule("found.test"), {
      ...raw,
      "configuration-snippet": "proxy_intercept_errors on; error_page 404 = '/rmq/file of/x';",
    }),
    ingress("demo/guarded", rule("guarded.test"), {
      ...raw,
      "configuration-snippet":
        "set $args checked=1; if ($http_x_role != admin) { rewrite ^/rmq/admin /rmq/denied; }",
    }),
  )
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await echo[Symbol.asyncDispose]()
})

async function seen(host: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer: Answer = await ask({ port: site.wick.port }, { path, host, headers })
  return answer.status === 200 ? echo.last.url : answer.status
}

test("as the reference does it the path is decoded, and slashes are merged", async () => {
  expect(await seen("usual.test", "/rmq/api/queues/%2F/orders")).toBe("/api/queues/orders")
})

test("raw, it goes on as the client wrote it, with its arguments", async () => {
  expect(await seen("raw.test", "/rmq/api/queues/%2F/orders?a=%2F")).toBe("/api/queues/%2F/orders?a=%2F")
  expect(await seen("raw.test", "/rmq/a%3Fb//c%20d%25")).toBe("/a%3Fb//c%20d%25")
  expect(await seen("raw.test", "/rmq")).toBe("/")
})

test("what the pattern finds only in the decoded path is rewritten as without", async () => {
  expect(await seen("raw.test", "/%72mq/api/%2F/x")).toBe("/api/x")
})

test("no dots are left, written in whatever way", async () => {
  for (const path of ["/rmq/..%2fx", "/rmq/%2e%2e/x", "/rmq/a/%2e%2e%2f..%2fx"]) {
    expect(String(await seen("raw.test", path)), path).not.toMatch(/\.\.|%2e/i)
  }
})

test("what a script or an error page has led to another path goes on as that one, not as the client's", async () => {
  const role = (name: string) => ({ "x-role": name })
  expect(await seen("guarded.test", "/rmq/admin/%2Fx", role("admin"))).toBe("/admin/%2Fx?checked=1")
  expect(await seen("guarded.test", "/rmq/admin/%2Fx", role("guest"))).toBe("/denied?checked=1")
  echo.answer = ({ url }) => (url === "/ask/x" ? { status: 404 } : {})
  expect(await seen("found.test", "/rmq/ask/x")).toBe("/file%20of/x")
  echo.answer = () => ({})
})

test("a variable in it begins no arguments, and ends no line", async () => {
  expect(await seen("variable.test", "/rmq/x", { "x-tenant": "a?b c#d" })).toBe("/a%3Fb%20c%23d/x")
})
