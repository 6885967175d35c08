// Snippets that tenants write, as their attacks: what is another namespace's stays its own, and what all share stays whole. In the reference each of
// these is text in nginx.conf.
import { connect } from "node:net"
import { text as textOf } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json, serviceOn } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { Site } from "../nginx/path/site.ts"
import { Recorder } from "../support/recorder.ts"

let site: Site
let recorder: Recorder
beforeAll(async () => {
  recorder = await new Recorder().start()
  site = await Site.start(["victim", "tenant"])
  const cache = `proxy_cache_path ${site.wick.runtimeDir}/kept keys_zone=kept:1m;`
  const role = "map $http_x_role $role { default none; admin admin; }"
  await site.reconfigure({ "http-snippet": `${cache} ${role}` })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await recorder[Symbol.asyncDispose]()
})

/** What is not buffered is not kept. */
const keeping = (text: string) => ({ "proxy-buffering": "on", ...paths(text) })

const paths = (text: string) => ({ "configuration-snippet": text })
const hosts = (text: string) => ({ "server-snippet": text })

/** The victim's namespace is `demo`. */
const put = (...objects: readonly Json[]) =>
  site.put(
    ...site.service("app", "victim"),
    ...serviceOn("evil/app", [site.backend("tenant").port]),
    ...serviceOn("evil/recorder", [recorder.port]),
    ...objects,
  )

const of = async (path: string, host: string, headers: Readonly<Record<string, string>> = {}) => {
  const { status, body } = await site.get(path, { host, headers })
  return status === 200 ? body : status
}

/** What comes back for a request, and for one behind it that closes the connection. */
const bytesOf = async (host: string, path: string) => {
  const lines = (to: string, ...more: readonly string[]) =>
    [`GET ${to} HTTP/1.1`, `Host: ${host}`, ...more, "", ""].join("\r\n")
  const socket = connect(site.wick.port, "127.0.0.1")
  socket.write(lines(path) + lines("/", "Connection: close"))
  return textOf(socket)
}

describe("what another namespace guards", () => {
  const inside = [
    "location ~ /guarded { return 418; }",
    "location /guarded { return 418; }",
    "location ^~ /guarded/ { return 418; }",
    "location = /guarded/x { return 418; }",
  ]
  const attacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "error-page": paths("error_page 403 = /guarded/x; deny all;"),
    "error-page-of-return": paths("error_page 419 /guarded/x; return 419;"),
    "error-page-by-name": paths("error_page 419 = @guarded; return 419;"),
    "error-page-of-host": hosts("error_page 419 = @guarded; return 419;"),
    last: paths("rewrite ^ /guarded/x last;"),
    "last-by-name": paths("rewrite ^ @guarded last;"),
    satisfy: paths("satisfy any; allow all; auth_request off; rewrite ^ /guarded/x last;"),
    asks: paths("auth_request off; rewrite ^ /asks/x last;"),
    blocks: paths(inside.join("\n")),
    server: hosts(`${inside.slice(2).join("\n")} return 418;`),
  }
  beforeAll(async () => {
    await put(
      ingress(
        "demo/guarded",
        "shared.test/guarded → app:80",
        {
          "allowlist-source-range": "192.0.2.1",
          ...hosts("location @guarded { proxy_pass http://app.demo.svc.cluster.local; }"),
        },
        1,
      ),
      ingress("demo/asks", "shared.test/asks → app:80", { "auth-url": "http://nobody.demo.svc/" }, 1),
      ...Object.entries(attacks).map(([name, says]) =>
        ingress(`evil/${name}`, `shared.test/${name === "blocks" ? "" : name} → app:80`, says, 2),
      ),
    )
    // Its location with a backend takes a reload.
    await until("the victim's list", async () => (await of("/guarded/x", "shared.test")) === 403)
  })

  test.each(Object.keys(attacks).filter((name) => name !== "blocks"))("%s", async (name) => {
    // its own path may be closed; nobody gets the victim's
    expect(await of(`/${name}`, "shared.test")).toBeOneOf([403, 404, 500, 503])
  })

  test("blocks inside of a path around it are not looked at there", async () => {
    expect(await of("/guarded/x", "shared.test")).toBe(403)
    expect(await of("/guardedx", "shared.test")).toBe(418)
  })
})

test("the owner of a host lets nobody into other namespaces' paths on it", async () => {
  const opens = hosts("satisfy any; allow all; auth_request off; auth_basic off;")
  await put(
    ingress("evil/own", "own.test/own → app:80", opens, 1),
    ingress("demo/list", "own.test/list → app:80", { "allowlist-source-range": "192.0.2.1" }, 2),
    ingress("demo/deny", "own.test/deny → app:80", paths("deny all;"), 2),
    ingress("demo/asks", "own.test/asks → app:80", { "auth-url": "http://nobody.demo.svc/" }, 2),
  )
  expect(await of("/own", "own.test")).toBe("tenant")
  for (const path of ["/list", "/deny", "/asks"]) expect(await of(path, "own.test")).toBeOneOf([403, 500])
})

test("hosts, paths and canaries of others do not get a snippet", async () => {
  const answers = { ...paths("return 418;"), ...hosts("return 418;") }
  await put(
    ingress("demo/host", "host.test/ → app:80", {}, 2),
    ingress("evil/alias", "alias.test/ → app:80", { "server-alias": "host.test, HOST.test", ...answers }, 1),
    ingress("demo/main", "main.test/ → app:80", {}, 1),
    ingress("evil/main", "main.test/ → app:80", answers, 2),
    ingress("evil/canary", "main.test/ → app:80", { canary: "true", "canary-weight": "100", ...answers }, 2),
    ingress(
      "evil/names",
      "names.test/ → app:80",
      paths('more_set_input_headers "Host: host.test"; rewrite ^/a /b last;'),
      1,
    ),
  )
  expect(await of("/", "alias.test")).toBe(418)
  for (const host of ["host.test", "HOST.test", "main.test"]) expect(await of("/", host)).toBe("victim")
  expect(await of("/a", "names.test")).toBe("tenant")
})

test("a location that is internal is not left open", async () => {
  const page = "location = /page { internal; proxy_pass http://app.evil.svc.cluster.local; }"
  await put(
    ingress("evil/inside", "inside.test/ → app:80", {
      ...hosts(
        `${page} error_page 419 /page; location ^~ /private/ { internal; } location ~ ^/hid { internal; }`,
      ),
      ...paths("if ($arg_stop) { return 419; }"),
    }),
  )
  await until("the page", async () => (await site.get("/?stop=1", { host: "inside.test" })).body === "tenant")
  for (const path of ["/page", "/private/x", "/hidden"]) expect(await of(path, "inside.test")).toBe(404)
  expect(await of("/", "inside.test")).toBe("tenant")
})

test("what is kept for one namespace is not given to another", async () => {
  const keeps = "proxy_cache kept; proxy_cache_valid 200 1m; add_header X-Kept $upstream_cache_status always;"
  const kept = async (host: string) => {
    const { body, headers } = await site.get("/", { host })
    return `${body} ${headers["x-kept"]}`
  }
  await put(
    ingress("demo/kept", "kept.test/ → app:80", keeping(`${keeps} proxy_cache_key $host;`)),
    ingress("evil/key", "key.test/ → app:80", keeping(`${keeps} proxy_cache_key kept.test;`)),
    ingress("evil/usual", "usual.test/ → app:80", keeping(keeps)),
    ingress("demo/usual", "other.test/ → app:80", keeping(keeps)),
  )
  await until("what is kept", async () => (await kept("kept.test")) === "victim HIT")
  await until("the tenant's", async () => (await kept("key.test")) === "tenant HIT")
  await until("the usual key", async () => (await kept("usual.test")) === "tenant HIT")
  await until("the victim's", async () => (await kept("other.test")) === "victim HIT")
})

test("names of groups take no variable from others", async () => {
  const groups = ["proxy_redirect ~(?<http_x_role>x) /;", "proxy_cookie_path ~(?<role>x) /;"]
  await put(
    ingress("demo/role", "role.test/ → app:80", paths('more_set_headers "X-Role: $role $http_x_role";')),
    ingress(
      "evil/role",
      "evil.test/ → app:80",
      paths(`${groups.join(" ")} add_header X-A b; sub_filter a b;`),
    ),
  )
  await until("the tenant's", async () => (await site.get("/", { host: "evil.test" })).status === 200)
  const { headers } = await site.get("/", { host: "role.test", headers: { "x-role": "admin" } })
  expect(headers["x-role"]).toBe("admin admin")
  expect(site.wick.conf()).not.toContain("(?<")
})

describe("messages end where they end", () => {
  test.each([0, 100, 103, 199])("status %i is no answer", async (code) => {
    const fake = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen"
    await put(ingress("evil/early", "early.test/ → app:80", paths(`return ${code} "${fake}";`)))
    const answers = await bytesOf("early.test", "/x")
    expect(answers).not.toContain("stolen")
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 503", "HTTP/1.1 503"])
  })

  test.each([
    ["add_header Content-Length 3 always; add_header Transfer-Encoding chunked always;"],
    ["more_set_headers 'Content-Length: 3' 'Transfer-Encoding: chunked';"],
    ["more_clear_headers Content-Length;"],
  ])("of responses: %s", async (says) => {
    await put(ingress("evil/ends", "ends.test/ → app:80", paths(`${says} if ($arg_x) { return 200 hello; }`)))
    const answers = await bytesOf("ends.test", "/?x=1")
    expect(answers.match(/content-length: *\d+|transfer-encoding: *\w+/gi)).toEqual([
      "Content-Length: 5",
      "Content-Length: 6",
    ])
  })

  test("of requests", async () => {
    const says = [
      "proxy_set_header Content-Length 0; proxy_set_header Transfer-Encoding chunked;",
      'more_set_input_headers "Content-Length: 0" "Transfer-Encoding: chunked" "Host: host.test";',
    ]
    await put(ingress("evil/sends", "sends.test/ → recorder:80", paths(says.join(" "))))
    recorder.take()
    await site.get("/", { host: "sends.test", method: "POST", body: "hello" })
    const [request = ""] = recorder.take()
    expect(request.match(/^(content-length|transfer-encoding|host):.*$/gim)).toEqual([
      expect.stringMatching(/^host: sends\.test/i),
      expect.stringMatching(/^content-length: 5/i),
    ])
  })

  const line = "%0d%0aX-Own:%20yes"
  test.each([
    ["/$v in a redirect", "return 302 /$v;"],
    ["a rewrite", "rewrite ^/((?s).*)$ /x$1 redirect;"],
    [
      "headers",
      "more_set_headers 'X-A: $v'; add_header X-B $v always; add_header X-C $uri always; return 200 a;",
    ],
    ["an error page", "error_page 419 http://x.test/$v; return 419;"],
    ["a request", "proxy_set_header X-A $v; more_set_input_headers 'X-B: $v'; rewrite ^ /$v break;"],
  ])("lines that a path brings: %s", async (_, says) => {
    const text = `if ($uri ~ "^/((?s).*)$") { set $v $1; } ${says}`
    await put(ingress("evil/lines", "lines.test/ → recorder:80", paths(text)))
    recorder.take()
    const answers = await bytesOf("lines.test", `/a${line}`)
    expect(answers).toMatch(/^HTTP\/1\.1 [23]/)
    expect(answers + recorder.take().join("")).not.toMatch(/^x-own:/im)
  })
})

describe("time and room of all", () => {
  const slow = "rewrite ^/(([a-z])+.)+[A-Z]([a-z])+$ /x;"
  test.each([
    ["a text that doubles", `set $a xxxxxxxx; ${'set $a "$a$a$a$a";'.repeat(200)} return 200 $a;`],
    ["a circle", "rewrite ^(.*)$ /x$1 last;"],
    ["patterns that take for ever", slow.repeat(200)],
    [
      "one with a limit of its own",
      `if ($uri ~ "(*LIMIT_MATCH=4000000000)^/(([a-z])+.)+[A-Z]$") { return 200; }`,
    ],
  ])("%s", async (_, says) => {
    await put(
      ingress("demo/well", "well.test/ → app:80"),
      ingress("evil/bomb", "bomb.test/ → app:80", paths(says)),
    )
    expect(await of(`/${"a".repeat(4000)}`, "bomb.test")).toBe(500)
    expect(await of("/", "well.test")).toBe("victim")
  })
})

test("X-Accel-Redirect of a backend leads nowhere, whatever a snippet passes on", async () => {
  await put(
    ingress("demo/guarded", "accel.test/guarded → app:80", { "allowlist-source-range": "192.0.2.1" }),
    ingress("evil/accel", "accel.test/ → app:80", paths("proxy_pass_header X-Accel-Redirect;")),
  )
  for (const to of ["/guarded", "@healthz", "/nginx_status"]) {
    site.backend("tenant").responseHeaders = { "x-accel-redirect": to }
    expect(await of("/", "accel.test")).toBe("tenant")
  }
  site.backend("tenant").responseHeaders = {}
})
