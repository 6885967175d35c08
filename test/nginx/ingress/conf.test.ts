// Wrong use of `ingress_route` is refused by `nginx -t`, and the message says what is wrong.
import { expect, test } from "vitest"
import { confOf } from "../../../harness/ingress/ingress.ts"
import { zoneWriter } from "../../../harness/ingress/zone-writer.ts"
import { checkConf } from "../../../harness/nginx.ts"

const writer = await zoneWriter()

/** What `nginx -t` says about a server block with this text in it. */
async function check(text: string): Promise<string> {
  const { ok, output } = await checkConf((site) => confOf(site, writer, { locations: text }))
  return ok ? "ok" : output
}

test.each([
  ["location /x { ingress_route routes; }", "ok"],
  ["location /x { ingress_route routes server=other-1; }", "ok"],
  ["location ~ ^/x { ingress_route routes; }", "ok"],
  ["location /x { ingress_route routes; ingress_route routes; }", '"ingress_route" directive is duplicate'],
  ["location @x { ingress_route routes; }", '"ingress_route" directive is not allowed in a named location'],
  ["location /x { if ($arg_a) { ingress_route routes; } }", '"ingress_route" directive is not allowed here'],
  ["ingress_route routes;", '"ingress_route" directive is not allowed here'],
  ["location /x { ingress_route; }", 'invalid number of arguments in "ingress_route"'],
  ["location /x { ingress_route routes server=; }", 'invalid parameter "server=" in "ingress_route"'],
  ["location /x { ingress_route routes server=A; }", 'invalid parameter "server=A" in "ingress_route"'],
  ["location /x { ingress_route routes host=$http_host server=a scheme=$scheme; }", "ok"],
  ["location /x { ingress_route routes hots=a; }", 'invalid parameter "hots=a" in "ingress_route"'],
  ["location /x { ingress_route routes host=; }", 'invalid parameter "host=" in "ingress_route"'],
  ["location /x { ingress_route routes host; }", 'invalid parameter "host" in "ingress_route"'],
  ["location /x { ingress_route routes scheme=a scheme=b; }", 'invalid parameter "scheme=b"'],
  ["location /x { ingress_route routes server=a server=b; }", 'invalid parameter "server=b"'],
  ["location /x { ingress_route routes host=$absent; }", 'unknown "absent" variable'],
  ["location /x { ingress_route routes server=a scheme=b host=c d; }", 'invalid parameter "d"'],
  ["location /x { return 200 $route_anything; }", "ok"],
  ["location /x { ingress_route routes explain=; }", 'invalid parameter "explain=" in "ingress_route"'],
  ["location /x { ingress_route routes explain=y; } location @y { return 204; }", "ok"],
  [
    "location /x { ingress_route routes explain=none; }",
    '"ingress_route" cannot explain routes: there is no location "@none" in its server block',
  ],
  [
    "location /x { ingress_route absent; }",
    '"ingress_route" uses the zone "absent", which no "shm_kv" in "wasm" declares',
  ],
  [
    "location /x { limit_except GET { deny all; } ingress_route routes; }",
    '"limit_except" and "ingress_route" cannot be in one location',
  ],
])("%s", async (text, message) => {
  expect(await check(text)).toContain(message)
})

test("a zone of another module cannot be used", async () => {
  const { output } = await checkConf((site) =>
    confOf(site, writer, {
      http: "limit_req_zone $uri zone=requests:1m rate=1r/s;",
      locations: "location /x { ingress_route requests; }",
    }),
  )
  expect(output).toContain('the shared memory zone "requests" is already declared for a different use')
})

test.each([
  ["ingress_route_default a $host;", "ok"],
  ["ingress_route_default a $absent;", 'unknown "absent" variable'],
  ['ingress_route_default a "some text";', "ok"],
  ["ingress_route_default a $host$uri;", "takes one variable, or text without any, not"],
  ["ingress_route_default a x$host;", "takes one variable, or text without any, not"],
  ["ingress_route_default a $;", "takes one variable, or text without any, not"],
  ["ingress_route_default a b; ingress_route_default a c;", '"ingress_route_default" directive is duplicate'],
  ["ingress_route_default a;", 'invalid number of arguments in "ingress_route_default"'],
])("%s", async (http, message) => {
  const { ok, output } = await checkConf((site) => confOf(site, writer, { http }))
  expect(ok ? "ok" : output).toContain(message)
})

test("`ingress_route` is not handed down to locations inside", async () => {
  expect(await check("location /x { ingress_route routes; location /x/y { return 204; } }")).toBe("ok")
})
