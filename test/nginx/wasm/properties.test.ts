import { expect, test } from "vitest"
import { location, startHost } from "./support/host.ts"

test("tell about request, connection, plugin and nginx's variables", async () => {
  const paths: [string, RegExp][] = [
    ["request.path", /^\/p\?a=1$/],
    ["request.url_path", /^\/p$/],
    ["request.host", /^a\.test$/],
    ["request.scheme", /^http$/],
    ["request.method", /^GET$/],
    ["request.useragent", /^tester$/],
    ["request.protocol", /^HTTP\/1\.1$/],
    ["request.query", /^a=1$/],
    ["request.id", /^[0-9a-f]{32}$/],
    ["request.time", /^\d+\.\d{3}$/],
    ["request.total_size", /^\d+$/],
    ["request.headers.X-Tenant", /^t1$/],
    ["source.address", /^127\.0\.0\.1$/],
    ["source.port", /^\d+$/],
    ["destination.port", /^\d+$/],
    ["connection.id", /^\d+$/],
    ["connection.mtls", /^false$/],
    ["plugin_name", /^probe$/],
    ["plugin_root_id", /^\d+$/],
    ["ngx.arg_a", /^1$/],
    ["ngx.pid", /^\d+$/],
    ["ngx.mine", /^set$/],
  ]
  const server = paths.map(([path], i) => location(`= /${i}`, `headers: prop ${path}; respond 200`)).join("")
  await using nginx = await startHost(({ port }) => ({
    http: "map $host $mine { default set; }",
    server: `${server} location / { proxy_pass http://127.0.0.1:${port}$arg_to; }`,
  }))
  for (const [i, [path, expected]] of paths.entries()) {
    const target = path.startsWith("request.") && /path|query/.test(path) ? undefined : `/${i}?a=1`
    if (target === undefined) continue
    const { body } = await nginx.get(target, {
      host: "a.test",
      headers: { "user-agent": "tester", "x-tenant": "t1" },
    })
    expect([path, body.slice(0, 2)]).toEqual([path, "0:"])
    expect(body.slice(2), path).toMatch(expected)
  }
})

test("path and query as sent and as decoded", async () => {
  const script = "headers: prop request.path; prop request.url_path; prop request.query; respond 200"
  await using nginx = await startHost(() => ({ server: location("/", script) }))
  expect((await nginx.get("/a%20b/../c?x=%20")).body).toBe("0:/a%20b/../c?x=%20 0:/c 0:x=%20")
})

test("are NOT_FOUND where there is nothing", async () => {
  const script =
    "headers: prop nothing.here; prop ngx.no_such; prop request.headers.none; prop upstream.address; prop request; prop a.b.c.d; respond 200"
  await using nginx = await startHost(() => ({ server: location("/", script) }))
  expect((await nginx.get("/")).body).toBe("1 1 1 1 1 1")
})

test("set what nginx allows to be set", async () => {
  const script =
    "headers: setprop ngx.mine new; prop ngx.mine; setprop ngx.args b=2; prop ngx.arg_b; setprop ngx.pid 1; setprop ngx.none 1; setprop request.path /; respond 200"
  await using nginx = await startHost(() => ({
    server: `location / { proxy_wasm probe '${script}'; set $mine old; return 404; }`,
  }))
  expect((await nginx.get("/?a=1")).body).toBe("0 0:new 0 0:2 2 1 2")
})

test("are resolved once: many different paths do no harm", async () => {
  const props = Array.from({ length: 100 }, (_, i) => `prop ngx.arg_a${i}`).join("; ")
  await using nginx = await startHost(() => ({ server: location("/", `headers: ${props}; respond 200`) }))
  for (let i = 0; i < 3; i++) {
    const { body } = await nginx.get("/?a99=x")
    expect(body).toBe(`${"1 ".repeat(99)}0:x`)
  }
})
