// Scripts beside everything else that a route and a host have, and what a script may not do.
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { keptMs } from "../../../harness/http.ts"
import { CRITICAL, field } from "../../../harness/ingress/field.ts"
import { type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import { addressListOf, type Route, recordOf } from "../../../harness/ingress/records.ts"
import {
  type Directives,
  returned,
  rewrite,
  scriptOf,
  set,
  stop,
  when,
} from "../../../harness/ingress/script-records.ts"
import { until } from "../../../harness/until.ts"
import { recordOf as sealed } from "../../../wire/encode.ts"
import { records } from "../../../wire/schema.ts"
import { type Echo, startEcho } from "./support/echo.ts"
import { rawRequest } from "./support/raw.ts"

let backend: Echo
let ingress: Ingress
/** What the service was asked, which lets nobody in. */
const asked: string[] = []
const service = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
  asked.push(request.url ?? "")
  response.writeHead(401).end()
})
beforeAll(async () => {
  backend = await startEcho()
  await once(service.listen(0, "127.0.0.1"), "listening")
  const { port } = service.address() as AddressInfo
  ingress = await startIngress({
    http: "error_log error.log notice;",
    parameters: "scheme=$http_x_scheme",
    locations: `
      location @plain { proxy_http_version 1.0; proxy_pass http://127.0.0.1:${backend.port}; }
      location @see { return 200 "$uri|$args|$script_x|$route_y|$namespace"; }
      location @service { proxy_pass_request_body off; proxy_pass http://127.0.0.1:${port}; }
      location @own { error_page 403 @page; proxy_pass http://127.0.0.1:${backend.port}; }
      location @page { return 200 "page of $script_x"; }`,
  })
  await ingress.write(":addresses/nobody", addressListOf(["192.0.2.0/24"]))
})
afterAll(async () => {
  await ingress[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
  service.close()
})

const scripted = (route: Route, ...script: readonly Directives[]): Route => ({
  ...route,
  script: scriptOf(script),
})

let hosts = 0
/** A host of its own with these routes. */
async function host(routes: readonly Route[], script?: readonly Directives[]): Promise<string> {
  const name = `host${++hosts}.test`
  await ingress.write(`main/${name}`, recordOf(routes, undefined, script && scriptOf(script)))
  return name
}

/** Status and `Location` of the answer. */
async function head(name: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await ingress.nginx.get(path, { host: name, headers })
  return [answer.status, answer.headers.location]
}

describe("beside what else the route has of the rewrite module", () => {
  const redirect = { code: 301, to: "https://own.test/" }
  const httpsRedirect = { code: 308, to: "https://$host$request_uri" }

  test("its own redirect comes later, and break passes it over", async () => {
    const stops = when("$arg_stop", undefined, [stop])
    const first = when("$arg_first", undefined, [returned(302, "https://first.test/")])
    const name = await host([scripted({ location: "see", redirect }, stops, first)])
    expect(await head(name, "/")).toEqual([301, "https://own.test/"])
    expect(await head(name, "/?first=1")).toEqual([302, "https://first.test/"])
    expect(await head(name, "/?stop=1")).toEqual([200, undefined])
  })

  test("the redirect to HTTPS is no part of it", async () => {
    const http = { "X-Scheme": "http" }
    const stopped = await host([scripted({ location: "see", httpsRedirect }, stop)])
    expect(await head(stopped, "/a", http)).toEqual([308, `https://${stopped}/a`])
    expect(await head(stopped, "/a")).toEqual([200, undefined])
    const moved = await host([
      scripted({ path: "/a", httpsRedirect }, rewrite("^", "/b", "last")),
      { path: "/b", location: "see" },
    ])
    expect(await head(moved, "/a", http)).toEqual([308, `https://${moved}/a`])
    expect(await head(moved, "/a")).toEqual([200, undefined])
  })

  test("its own rewrite has its own groups, whatever the script has matched", async () => {
    const route: Route = { path: "/a/(.*)", match: "regex", rewrite: "/own/$1", location: "see" }
    const name = await host([
      scripted(
        route,
        set("x", "$1"),
        when("$arg_q", ["~", "(.)(.)"], [set("x", "$x,$2$1")]),
        when("$arg_stop", undefined, [stop]),
      ),
    ])
    expect(await ingress.ask(name, "/a/b?q=cd")).toBe("/own/b|q=cd|b,dc||")
    expect(await ingress.ask(name, "/a/b?stop=1")).toBe("/a/b|stop=1|b||")
  })

  test("a path that the script has changed may still be the route's to rewrite, or is another's", async () => {
    const route: Route = { path: "/a/(.*)", match: "regex", rewrite: "/own/$1", location: "see" }
    const name = await host([
      scripted(route, rewrite("^/a/here/(.*)", "/a/new/$1"), rewrite("^/a/away/(.*)", "/b/$1")),
      { path: "/b", location: "see", namespace: "other" },
    ])
    expect(await ingress.ask(name, "/a/here/c")).toBe("/own/new/c||||")
    expect(await ingress.ask(name, "/a/away/c")).toBe("/b/c||||other")
    expect(await ingress.ask(name, "/a/c")).toBe("/own/c||||")
  })

  test("a slash is added before it is run", async () => {
    const name = await host([scripted({ path: "/a/" }, returned(403))])
    expect(await head(name, "/a")).toEqual([301, `http://${name}:${ingress.port}/a/`])
    expect(await head(name, "/a/b")).toEqual([403, undefined])
  })
})

describe("who gets in", () => {
  const closed: Route = { path: "/closed", access: { allow: "nobody" } }

  test("return comes before who may request the route", async () => {
    const route = { ...closed, path: "/" }
    const name = await host([scripted(route, when("$arg_q", undefined, [returned(200, "hello")]))])
    expect(await ingress.ask(name, "/?q=1")).toBe("hello")
    expect(await ingress.ask(name, "/")).toBe("403")
  })

  test("the checks of the route count where a script leads", async () => {
    const name = await host(
      [scripted({ location: "see" }, rewrite("^/a", "/closed/a", "last")), closed],
      [rewrite("^/b", "/closed/b")],
    )
    expect(await ingress.ask(name, "/a")).toBe("403")
    expect(await ingress.ask(name, "/b")).toBe("403")
    expect(await ingress.ask(name, "/c")).toBe("/c||||")
  })

  test("and those of a route that it leaves do not", async () => {
    const name = await host([
      scripted(closed, rewrite("^/closed/(.*)", "/open/$1", "last")),
      { path: "/open", location: "see" },
    ])
    expect(await ingress.ask(name, "/closed/a")).toBe("/open/a||||")
  })

  test("no script leads to another place than the host's routes", async () => {
    const name = await host([scripted({ path: "/a" }, rewrite("^/a(.*)", "$1", "last"))])
    for (const path of ["/a/b", "/a@see", "/anowhere"]) expect(await ingress.ask(name, path)).toBe("404")
  })
})

describe("variables", () => {
  test("of a script are in templates of records, in the configuration and on pages of errors", async () => {
    const name = await host(
      [
        scripted({ path: "/see", location: "see" }, set("x", "new")),
        { path: "/to", redirect: { code: 301, to: "https://new.test/$x/$X" } },
        { path: "/plain", location: "see", variables: { y: "<$x>" } },
        scripted({ path: "/page", location: "own" }, set("x", "$x!"), returned(403)),
      ],
      [set("x", "of-host")],
    )
    expect(await ingress.ask(name, "/see")).toBe("/see||new||")
    expect(await ingress.ask(name, "/plain")).toBe("/plain||of-host|<of-host>|")
    expect(await head(name, "/to")).toEqual([301, "https://new.test/of-host/of-host"])
    expect((await ingress.nginx.get("/page", { host: name })).body).toBe("page of of-host!")
  })

  test("what nginx goes by is not theirs to set", async () => {
    const sets = ["namespace", "proxy_upstream_name", "route_y", "uri", "remote_addr"]
    const own = sets.map((name) => set(name, "mine"))
    const name = await host([
      scripted({ location: "see", namespace: "shop" }, ...own, set("x", "$ingress_host")),
    ])
    expect(await ingress.ask(name, "/a")).toBe(`/a||${name}||shop`)
  })

  test("of one request are not another's", async () => {
    const name = await host([scripted({ location: "see" }, when("$arg_q", undefined, [set("x", "$arg_q")]))])
    expect(await ingress.ask(name, "/?q=1")).toBe("/|q=1|1||")
    expect(await ingress.ask(name, "/")).toBe("/||||")
  })

  test("of groups that have names in the route's path", async () => {
    const path = "/(?<X>[a-z]+)/(.*)"
    const name = await host([scripted({ path, match: "regex", location: "see" }, set("x", "$x:$2"))])
    expect(await ingress.ask(name, "/ab/cd")).toBe("/ab/cd||ab:cd||")
  })

  test("are known to a service that is asked, and to its answer's address", async () => {
    const external = { target: "/check?$x", location: "service", signin: "https://in.test/$x" }
    const name = await host([scripted({ access: { external } }, set("x", "of-script"))])
    expect(await head(name, "/")).toEqual([302, "https://in.test/of-script"])
    expect(asked).toEqual(["/check?of-script"])
  })
})

test("the error log notes what it does where the route says so", async () => {
  const name = await host([
    scripted(
      { location: "see", logRewrite: true },
      when("$arg_noted", ["~", "^1$"], []),
      rewrite("^/noted/(.*)", "/new/$1", "break"),
      rewrite("^/led/(.*)", "https://new.test/$1", "redirect"),
    ),
    scripted({ path: "/silent", location: "see" }, rewrite("^/silent/(.*)", "/unsaid/$1", "break")),
  ])
  await ingress.ask(name, "/silent/a")
  await ingress.ask(name, "/led/a")
  await ingress.ask(name, "/noted/a?noted=1")
  const lines = [
    '"^1$" matches "1"',
    '"^/noted/(.*)" does not match "/led/a"',
    'rewritten redirect: "https://new.test/a"',
    'rewritten data: "/new/a", args: "noted=1"',
  ]
  for (const line of lines) await until("the log line", () => ingress.nginx.errorLog().includes(line))
  expect(ingress.nginx.errorLog()).not.toContain("/unsaid")
})

describe("what a script may not do", () => {
  /** The line that the backend gets, or the status. */
  async function line(name: string, path: string): Promise<string> {
    const answer = await rawRequest(ingress.port, `GET ${path} HTTP/1.0\r\nHost: ${name}\r\n\r\n`)
    return /^GET .*$/m.exec(answer)?.[0]?.trimEnd() ?? (answer.split(" ")[1] as string)
  }

  test("leave dots in a path", async () => {
    const name = await host([
      scripted(
        {},
        rewrite("^/a/(.*)-(.*)$", "/new/$1$2", "break"),
        rewrite("^/b/(.*)-(.*)$", "/$1$2", "last"),
      ),
    ])
    expect(await line(name, "/a/b-c")).toBe("GET /new/bc HTTP/1.0")
    expect(await line(name, "/a/b.-.c")).toBe("GET /new/b..c HTTP/1.0")
    for (const path of ["/a/.-./x", "/a/x/.-.", "/a/.-.;/x", "/a/.-.%5Cx", "/b/.-./x"])
      expect([path, await line(name, path)]).toEqual([path, "400"])
  })

  test("end the line of a request, or of a header", async () => {
    const name = await host([
      scripted(
        {},
        when("$arg_to", undefined, [returned(302, "https://new.test$uri")]),
        when("$arg_by", undefined, [rewrite("^", "https://new.test$uri", "redirect")]),
        when("$arg_set", undefined, [set("args", "p=$uri")]),
        rewrite("^", "/x?p=$uri", "break"),
      ),
    ])
    const escaped = "/a%20b%0D%0AX:%20y"
    expect(await line(name, escaped)).toBe("GET /x?p=/a%20b%0D%0AX:%20y HTTP/1.0")
    expect(await line(name, `${escaped}?set=1`)).toBe(
      "GET /x?p=/a%20b%0D%0AX:%20y&p=/a%20b%0D%0AX:%20y HTTP/1.0",
    )
    expect(await head(name, `${escaped}?to=1`)).toEqual([302, "https://new.test/a b%0D%0AX: y"])
    expect(await head(name, `${escaped}?by=1`)).toEqual([302, "https://new.test/a b%0D%0AX: y?by=1"])
  })

  test("take the memory of others", async () => {
    const doubled = Array.from({ length: 200 }, () => set("x", "$x$x"))
    const name = await host([scripted({}, set("x", "0123456789"), ...doubled)])
    expect(await ingress.ask(name, "/")).toBe("500")
    await until("the log line", () => ingress.nginx.errorLog().includes("becomes longer than 65536 bytes"))
  })

  test("take the time of others", async () => {
    const slow = Array.from({ length: 200 }, () => when("$arg_q", ["~", "^(a|aa)+$"], []))
    await using own = await startIngress()
    await own.route("_", [scripted({}, ...slow)])
    expect(await own.ask("_", `/?q=${"a".repeat(3000)}!`)).toBe("500")
    await until("the log line", () => own.nginx.errorLog().includes("takes too many steps"))
  })

  test("go on without a pattern that is none", async () => {
    const name = await host([scripted({ location: "see" }, when("$arg_q", ["!~", "a("], [returned(403)]))])
    expect(await ingress.ask(name, "/")).toBe("500")
    await until("the log line", () => ingress.nginx.errorLog().includes('Cannot match the pattern "a("'))
  })
})

describe("records", () => {
  const unknown = field(1 + CRITICAL, field(1 + CRITICAL, Uint8Array.of(99)))

  test("what is not known closes the route, or the host", async () => {
    const name = await host([
      { path: "/a", script: unknown },
      { path: "/b", location: "see" },
    ])
    expect(await ingress.ask(name, "/a")).toBe("503")
    expect(await ingress.ask(name, "/b")).toBe("/b||||")
    await ingress.write(`main/${name}`, recordOf([{ location: "see" }], undefined, unknown))
    expect(await ingress.ask(name, "/b")).toBe("503")
  })

  test("an alias has the script of its host", async () => {
    const name = await host([{ location: "see" }], [set("x", "$host")])
    const alias = `alias.${name}`
    await ingress.write(`main/${alias}`, sealed(records.host.version, field(9 + CRITICAL, name)))
    expect(await ingress.ask(alias, "/")).toBe(`/||${alias}||`)
  })
})
