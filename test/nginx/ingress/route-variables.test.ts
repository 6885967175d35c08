// `$route_NAME`: what a route says to its location.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { until } from "../../../harness/until.ts"

let backends: Backends
let ingress: Ingress
beforeAll(async () => {
  backends = await startBackends("a")
  const proxy = `proxy_pass http://127.0.0.1:${backends[0]?.port};`
  ingress = await startIngress({
    http: `
      log_format route '$request_uri $route_one|$route_two';
      map $route_vhost $pass_host { "" $http_host; default $route_vhost; }
      map $route_log $logs { 0 0; default 1; }
      ingress_route_default named $host;
      ingress_route_default fixed "a text";
      ingress_route_default told $http_x_told;`,
    location: "access_log logs.txt route;",
    locations: `
      location @show { access_log logs.txt route; return 200 "$route_one|$route_two|$route_vhost"; }
      location @proxy {
        access_log logs.txt route if=$logs;
        proxy_set_header Host $pass_host; proxy_set_header X-One $route_one; proxy_set_header X-Two $route_two;
        ${proxy}
      }
      location @page { error_page 503 = @error; return 200 unused; }
      location @error { return 200 "error $route_one"; }
      location @set { set $route_two "set"; return 200 "$route_one|$route_two"; }
      location @defaults { return 200 "$route_named|$route_fixed|$route_told"; }
      location @again { error_page 418 = /again; return 418; }`,
  })
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backends.stop()
})

const lastHeaders = () => backends[0]?.lastHeaders ?? {}

test("are filled in: text, variables, groups, dollars", async () => {
  await ingress.route("fill.test", [
    {
      path: "/(a)/(.*)",
      match: "regex",
      location: "show",
      namespace: "shop",
      variables: { one: `$2-\${1}-$1$3`, two: "$namespace/$host$$", vhost: `\${arg_x}y` },
    },
  ])
  expect(await ingress.ask("fill.test", "/a/bc?x=X")).toBe("bc--a|shop/fill.test$|Xy")
})

test("are empty without a route, without the variable, and for a route without groups", async () => {
  await ingress.route("empty.test", [
    { path: "/none", location: "show" },
    { path: "/other", location: "show", variables: { other: "x", two: "$1$2" } },
    { path: "/p(.)", match: "regex", location: "show", variables: { one: "$1" } },
  ])
  expect(await ingress.ask("empty.test", "/px")).toBe("x||")
  expect(await ingress.ask("empty.test", "/none")).toBe("||")
  expect(await ingress.ask("empty.test", "/other")).toBe("||")
  expect(await ingress.ask("nobody.test", "/nobody")).toBe("404")
  const lines = () => readFileSync(join(ingress.nginx.dir, "logs.txt"), "utf8")
  await until("the access log", () => lines().includes("/nobody |\n"))
})

test("have their defaults where the route says nothing, and where what it says comes out empty", async () => {
  const variables = { named: "own", fixed: "$arg_a", told: "$1" }
  await ingress.route("default.test", [
    { path: "/none", location: "defaults" },
    { path: "/own", location: "defaults", variables },
    { path: "/from", location: "again", variables },
    { path: "/again", location: "defaults" },
  ])
  expect(await ingress.ask("default.test", "/none")).toBe("default.test|a text|")
  expect(await ingress.ask("default.test", "/none", { "x-told": "t" })).toBe("default.test|a text|t")
  expect(await ingress.ask("default.test", "/own?a=A", { "x-told": "t" })).toBe("own|A|t")
  expect(await ingress.ask("default.test", "/own")).toBe("own|a text|")
  expect(await ingress.ask("default.test", "/from?a=A")).toBe("default.test|a text|")
})

test("reach request headers and maps, and nothing in them ends a header", async () => {
  await ingress.route("header.test", [
    { path: "/plain", location: "proxy" },
    {
      path: "/x/([\\s\\S]*)",
      match: "regex",
      location: "proxy",
      variables: { vhost: "inner.test", one: "/$1", two: "a\tb" },
    },
  ])
  expect(await ingress.ask("header.test", "/plain")).toBe("a")
  expect(lastHeaders()).toMatchObject({ host: "header.test" })
  expect(lastHeaders()).not.toHaveProperty("x-one")
  expect(await ingress.ask("header.test", "/x/a%0D%0AX-Evil:%20b")).toBe("a")
  expect(lastHeaders()).toMatchObject({ host: "inner.test", "x-one": "/a%0D%0AX-Evil: b", "x-two": "a%09b" })
  expect(lastHeaders()).not.toHaveProperty("x-evil")
})

test("switch the access log off", async () => {
  await ingress.route("log.test", [
    { path: "/silent", location: "proxy", variables: { log: "0" } },
    { path: "/logged", location: "proxy", variables: { log: "1", one: "x" } },
  ])
  for (const path of ["/silent", "/logged"]) expect(await ingress.ask("log.test", path)).toBe("a")
  const log = await until("the access log", () => {
    const text = readFileSync(join(ingress.nginx.dir, "logs.txt"), "utf8")
    return text.includes("/logged x|\n") && text
  })
  expect(log).not.toContain("/silent")
})

test("are there in error pages, and may be changed by `set`", async () => {
  await ingress.route("page.test", [
    { path: "/page", location: "page", status: 503, variables: { one: "seen" } },
    { path: "/set", location: "set", variables: { one: "kept", two: "lost" } },
  ])
  expect(await ingress.ask("page.test", "/page")).toBe("error seen")
  expect(await ingress.ask("page.test", "/set")).toBe("kept|set")
})

test("are those of the latest route when a request is routed again", async () => {
  await ingress.route("again.test", [
    { path: "/first", location: "again", variables: { one: "first", two: "first" } },
    { path: "/again", location: "show", variables: { two: "again" } },
  ])
  expect(await ingress.ask("again.test", "/first")).toBe("|again|")
  await ingress.route("again.test", [
    { path: "/first", location: "again", variables: { one: "first" } },
    { path: "/again", location: "show" },
  ])
  expect(await ingress.ask("again.test", "/first")).toBe("||")
})

test("one of more than 64 KiB is an error", async () => {
  await ingress.route("large.test", [{ location: "show", variables: { one: "$request_uri".repeat(300) } }])
  expect(await ingress.ask("large.test", "/x")).toMatch(/^(\/x){300}\|\|$/)
  expect(await ingress.ask("large.test", `/${"x".repeat(500)}`)).toBe("500")
})

test("keep their values for as long as the request lasts, whatever becomes of the record", async () => {
  const route = (one: string) =>
    [{ path: "/s(.*)", match: "regex", location: "proxy", variables: { one } }] as const
  await ingress.route("replaced.test", route("old-$1"))
  await backends[0]?.fault(300)
  const before = backends[0]?.requests
  const answer = ingress.ask("replaced.test", "/slow")
  await until("the backend to be asked", () => backends[0]?.requests !== before)
  await backends[0]?.fault(undefined)
  for (let n = 0; n < 50; n += 1) {
    await ingress.route("replaced.test", route(`${n}-`.repeat(30)))
    expect(await ingress.ask("replaced.test", "/s")).toBe("a")
  }
  expect(await answer).toBe("a")
  const log = await until("the access log", () => {
    const text = readFileSync(join(ingress.nginx.dir, "logs.txt"), "utf8")
    return text.includes("/slow ") && text
  })
  expect(log).toContain("/slow old-low|\n")
})
