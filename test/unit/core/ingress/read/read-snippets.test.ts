import { describe, expect, test } from "vitest"
import { usualLocations } from "../../../../../controller/core/declared/locations.ts"
import type { Route } from "../../../../../controller/model/route.ts"
import {
  ingress,
  ingressClass,
  type Json,
  service,
  settings,
  slice,
} from "../../../../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../../../../harness/translation.ts"

// What snippets of Ingresses come to in the model. What single directives mean is the compiler's (test/unit/core/snippets).

type Texts = Readonly<Record<string, string>>

function pass(objects: readonly Json[], keys: Texts = {}) {
  const services = ["shop/app", "shop/api", "evil/app"].flatMap((name, at) => [
    service(name),
    slice(name, [`10.0.0.${at + 1}`], 80),
  ])
  const all = [ingressClass, settings("nginx/settings", keys), ...services, ...objects]
  const changes = all.flatMap((object) => changesOf(object, "objects.yaml:1"))
  const { model, problems } = translationOf(changes, optionsOf(["--configmap=nginx/settings"]))
  const host = model.live.hosts.find((it) => it.host === "app.test")
  const routes = host?.routes ?? []
  const at = (path: string): Route => routes.find((route) => route.path === path) as Route
  return { model, host, routes, at, problems: problems.map(({ code }) => code), messages: problems }
}

const app = (
  says: Texts,
  rules: string | readonly string[] = "app.test/ → app:80",
  name = "shop/app",
  at = 1,
) => ingress(name, rules, says, at)

const ofPaths = (text: string, rules?: string | readonly string[]) =>
  pass([app({ "configuration-snippet": text }, rules)])

const ofServer = (text: string, ...others: readonly Json[]) =>
  pass([app({ "server-snippet": text }), ...others])

describe("a configuration-snippet", () => {
  test("is a script, rules and numbers of every path, without a location of its own", () => {
    const { at, model, problems } = ofPaths(
      'more_set_headers "X-A: b"; deny 192.0.2.1; client_max_body_size 5m; if ($arg_x) { return 403; }',
      ["app.test/ → app:80", "app.test/x → app:80"],
    )
    for (const path of ["/", "/x"]) {
      expect(at(path).script?.steps?.map(({ op }) => op)).toEqual(["if", "return"])
      expect(at(path).script?.levels?.[0]?.responseHeaders?.[0]).toMatchObject({ op: "set", name: "X-A" })
      expect(at(path).access?.rules).toEqual([{ action: "deny", from: "192.0.2.1/32" }])
      expect(at(path).overrides.clientMaxBodyBytes).toBe(5 * 1024 * 1024)
    }
    expect(model.fixed.locations).toHaveLength(usualLocations.length)
    expect(problems).toEqual([])
  })

  test("has its rules behind the lists of annotations, and switches their checks", () => {
    const says = { "allowlist-source-range": "10.0.0.0/8", "auth-url": "http://app.shop.svc/" }
    const { at } = pass([
      app({ ...says, "configuration-snippet": "allow all; auth_request off; satisfy any;" }),
    ])
    const { access } = at("/")
    expect(access?.allow).toBeDefined()
    expect(access).toMatchObject({ rules: [{ action: "allow", from: "all" }], satisfy: "any" })
    expect(access?.external).toBeUndefined()
  })

  test("gets a location of its own for what is printed, and nothing of its text", () => {
    const { at, model } = ofPaths("sub_filter 'a; } evil' b; # comment")
    const location = model.fixed.locations.find(({ name }) => name === at("/").location)
    expect(location?.text).toEqual([{ name: "sub_filter", args: ["a; } evil", "b"] }])
  })

  test.each([
    ["a directive that nobody has", "more_set_headers 'A: b';\nfrobnicate on;"],
    ["a variable that nobody sets", "if ($no_such) { return 403; }"],
    ["code", "access_by_lua_block { ngx.exit(403) }"],
    ["text that cannot be read", "more_set_headers 'A: b"],
    ["a brace too many", "} location / {"],
  ])("closes its paths for %s", (_, text) => {
    const { at, problems } = ofPaths(text)
    expect(at("/")).toMatchObject({ status: 503 })
    expect(at("/").script).toBeUndefined()
    expect(problems).toContain("annotation-guard-closes")
  })

  test("says line, column, reason and what to write instead", () => {
    const { messages } = ofPaths("more_set_headers 'A: b';\n  root /var/www;")
    expect(messages[0]?.message).toMatch(
      /^Cannot use directive "root" of annotation "configuration-snippet" \(line 2, column 3\): .*; there is .*; it may keep requests out, so requests get 503$/,
    )
  })

  test("that is refused in part without a guard leaves the rest in force", () => {
    const { at, problems } = ofPaths("client_body_temp_path /tmp; more_set_headers 'A: b';")
    expect(at("/").status).toBeUndefined()
    expect(at("/").script?.levels).toHaveLength(1)
    expect(problems).toEqual(["snippet-in-part"])
  })

  test("has location blocks inside of a path, with the checks of the path", () => {
    const { at, routes } = pass([
      app({
        "configuration-snippet": "location /metrics { return 401; } location = /x/y { deny all; }",
        "allowlist-source-range": "10.0.0.0/8",
      }),
    ])
    expect(at("/metrics")).toMatchObject({ match: "string_prefix", status: 404, hasNoSlashRedirect: true })
    expect(at("/metrics").access?.allow).toBe(at("/").access?.allow)
    expect(at("/x/y").access).toEqual({ rules: [{ action: "deny", from: "all" }] })
    expect(routes.map(({ path }) => path)).toEqual(["/metrics", "/x/y", "/"])
  })

  test("has blocks in the location that nginx has of the path, patterns and blocks in blocks too", () => {
    const text = "location ~ x$ { return 401; } location /api/a { location /api/a/b { return 402; } }"
    const within = (rules: string, says: Texts = {}) =>
      pass([app({ "configuration-snippet": text, ...says }, rules)]).routes.flatMap((route) =>
        route.within === undefined ? [] : [`${route.path} in ${route.within}`],
      )
    expect(within("app.test/api → app:80")).toEqual(["x$ in /api/", "/api/a/b in /api/a", "/api/a in /api/"])
    expect(within("app.test/api ~→ app:80", { "use-regex": "true" })).toContain("x$ in ~* ^/api")
  })

  test("has no block outside of its paths", () => {
    const { routes, problems } = ofPaths("location /apix { return 401; }", "app.test/api → app:80")
    expect(routes.some(({ path }) => path === "/apix")).toBe(false)
    expect(problems).toEqual(["snippet-in-part"])
  })
})

describe("a server-snippet", () => {
  test("is steps of the host, and what its paths do not say themselves", () => {
    const { host, at } = pass([
      app({
        "server-snippet":
          "if ($host = x.test) { return 301 https://y.test; } add_header X-S 1; deny 192.0.2.1;",
      }),
      app(
        { "configuration-snippet": "add_header X-L 1; allow all;" },
        "app.test/own → app:80",
        "shop/own",
        2,
      ),
    ])
    expect(host?.script?.steps?.map(({ op }) => op)).toEqual(["if", "return"])
    expect(host?.script?.levels?.map(({ responseHeaders }) => responseHeaders?.[0]?.name)).toEqual(["X-S"])
    expect(at("/").script?.levels?.[0]?.responseHeaders?.map(({ name }) => name)).toEqual(["X-S"])
    expect(at("/").access?.rules).toEqual([{ action: "deny", from: "192.0.2.1/32" }])
    expect(at("/own").script?.levels?.[0]?.responseHeaders?.map(({ name }) => name)).toEqual(["X-L"])
    expect(at("/own").access?.rules).toEqual([{ action: "allow", from: "all" }])
  })

  test("has location blocks before the paths, with nginx's words for their match", () => {
    const { routes } = ofServer(
      "location = /a { return 200; } location ^~ /b/ { return 200; } location ~ ^/c { return 200; } location ~* d$ { return 200; } location /e { return 200; }",
    )
    expect(routes.map(({ path, match }) => `${path} ${match}`)).toEqual([
      "/a exact",
      "/b/ string_prefix_final",
      "^/c pattern",
      "d$ pattern_any_case",
      "/e string_prefix",
      "/ prefix",
    ])
  })

  test("leads to a Service of its namespace, which is a backend then, and to no other's", () => {
    const { at, model, problems } = ofServer(
      "location /v1/ { proxy_pass http://api.shop.svc.cluster.local/v2/; proxy_set_header Host x.test; }\nlocation /no { proxy_pass http://app.evil.svc.cluster.local; }",
    )
    expect(at("/v1/")).toMatchObject({ backend: "shop-api-80", variables: { upstreamVhost: "x.test" } })
    expect(at("/v1/").script?.steps).toMatchObject([{ op: "rewrite", value: "/v2/$1", flag: "break" }])
    expect(model.live.backends.map(({ name }) => name)).toContain("shop-api-80")
    expect(at("/no")).toMatchObject({ status: 503 })
    expect(problems).toEqual(["snippet-in-part"])
  })

  test("has no block for a path of an Ingress, and says so", () => {
    const { routes, problems } = ofServer("location / { deny all; }")
    expect(routes.map(({ path }) => path)).toEqual(["/"])
    expect(problems).toEqual(["path-taken"])
  })

  test("that may guard and is not understood closes the host, with the steps that would answer before", () => {
    const { host, at } = ofServer("return 200; frobnicate on; location /x { return 200; }")
    expect([at("/").status, at("/x").status, host?.script]).toEqual([503, 503, undefined])
  })

  test("has what only a server can say in a server block, and the rest of what is printed in locations", () => {
    const { at, model } = ofServer("large_client_header_buffers 4 64k; gzip off;")
    expect(model.fixed.servers?.own.map(({ text }) => text.map(({ name }) => name))).toEqual([
      ["large_client_header_buffers"],
    ])
    const location = model.fixed.locations.find(({ name }) => name === at("/").location)
    expect(location?.text).toEqual([{ name: "gzip", args: ["off"] }])
  })

  test("is that of the oldest Ingress; the other one says whose", () => {
    const { host, messages } = pass([
      app({ "server-snippet": "return 418;" }),
      app({ "server-snippet": "return 419;" }, "app.test/x → app:80", "shop/b", 2),
    ])
    expect(host?.script?.steps).toMatchObject([{ code: 418 }])
    expect(messages.map(({ code, message }) => [code, message])).toEqual([
      ["snippet-overruled", expect.stringContaining('Ingress "shop/app", which is older, has another one')],
    ])
  })

  const tenant = (text: string) => app({ "server-snippet": text }, "app.test/evil → app:80", "evil/app", 2)

  test("of another namespace than the host's own has no effect there, and closes its own paths if it may guard", () => {
    const { host, at, problems } = pass([app({}), tenant("deny all;")])
    expect(host?.script).toBeUndefined()
    expect([at("/").status, at("/").access, at("/evil").status]).toEqual([undefined, undefined, 503])
    expect(problems).toEqual(["host-owned"])
    expect(pass([app({}), tenant("add_header A b;")]).at("/evil").status).toBeUndefined()
  })

  test("of another namespace is in force where the operator says so", () => {
    const { at } = pass([app({}), tenant("deny all;")], { "cross-namespace": "allowed" })
    expect(at("/").access?.rules).toEqual([{ action: "deny", from: "all" }])
  })

  test("holds for an alias of the host as well, and not for a canary's", () => {
    const { model } = pass([app({ "server-snippet": "return 418;", "server-alias": "alias.test" })])
    expect(model.live.hosts.find(({ host }) => host === "alias.test")).toMatchObject({ aliasOf: "app.test" })
    const canary = app({ canary: "true", "server-snippet": "return 418;" }, "app.test/ → api:80", "shop/c", 2)
    expect(pass([app({}), canary]).host?.script).toBeUndefined()
  })
})

test("an auth-snippet goes with the question to the service", () => {
  const says = {
    "auth-url": "http://app.shop.svc/",
    "auth-snippet": "proxy_set_header X-Group $remote_addr;",
  }
  expect(pass([app(says)]).at("/").access?.external?.headers).toEqual([
    { name: "X-Group", value: "$remote_addr" },
  ])
  const closed = pass([app({ ...says, "auth-snippet": "location /x { }" })])
  expect(closed.at("/").status).toBe(503)
})

test("global-auth-snippet goes with the question to the service of all", () => {
  const keys = { "global-auth-url": "http://auth.wick.svc/" }
  const text = "proxy_set_header X-Realm shop; proxy_set_header X-From $remote_addr;"
  const asked = pass([app({}), app({ "enable-global-auth": "false" }, "app.test/x → app:80", "shop/b", 2)], {
    ...keys,
    "global-auth-snippet": text,
  })
  expect(asked.problems).toEqual(["auth-service-unusable"])
  expect(asked.at("/").access?.external?.headers).toEqual([
    { name: "X-Realm", value: "shop" },
    { name: "X-From", value: "$remote_addr" },
  ])
  expect(asked.at("/x").access?.external).toBeUndefined()
  const closed = pass([app({}), app({ "enable-global-auth": "false" }, "app.test/x → app:80", "shop/b", 2)], {
    ...keys,
    "global-auth-snippet": "auth_basic off;",
  })
  expect([closed.at("/").status, closed.at("/x").status]).toEqual([503, undefined])
})

describe("with snippets of the ConfigMap", () => {
  const names = (route: Route) => route.script?.levels?.[0]?.responseHeaders?.map(({ name }) => name)

  test("location-snippet stands behind a path's own, in the same block", () => {
    const { at, problems } = pass(
      [
        app({ "configuration-snippet": "add_header A 1; set $x 1;" }),
        app({}, "app.test/x → app:80", "shop/b", 2),
      ],
      { "location-snippet": "add_header B 1;" },
    )
    expect([names(at("/")), names(at("/x"))]).toEqual([["A", "B"], ["B"]])
    expect(at("/").script?.steps).toHaveLength(1)
    expect(problems).toEqual([])
  })

  test("server-snippet stands in each server block, behind an Ingress's own", () => {
    const { at, host, model } = pass([app({ "server-snippet": "add_header A 1;" })], {
      "server-snippet": "add_header B 1; location = /health { return 200; } if ($arg_x) { return 403; }",
    })
    expect([names(at("/")), names(at("/health"))]).toEqual([
      ["A", "B"],
      ["A", "B"],
    ])
    expect(host?.script?.steps?.map(({ op }) => op)).toEqual(["if", "return"])
    const others = model.live.hosts.find((it) => it.host === "_")
    expect(others?.routes.map(({ path }) => path)).toEqual(["/health", "/"])
  })

  test("what http-snippet declares and sets is there", () => {
    const { at, problems } = pass([app({ "configuration-snippet": "if ($plan = gold) { return 418; }" })], {
      "http-snippet": "map $http_x $plan { default basic; }\nmore_set_headers 'A: b';",
    })
    expect([names(at("/")), problems]).toEqual([["A"], []])
  })

  test("variables that one snippet of an Ingress sets are there in the other", () => {
    const says = {
      "server-snippet": "set $tenant a;",
      "configuration-snippet": "more_set_headers 'A: $tenant';",
    }
    expect(pass([app(says)]).problems).toEqual([])
  })
})

describe("permissions", () => {
  test("what only nginx could understand needs two of them", () => {
    const says = { "configuration-snippet": "resolver 10.0.0.53;" }
    const allowed = { "allow-snippet-annotations": "true", "annotations-risk-level": "Critical" }
    for (const keys of [
      {},
      { "allow-snippet-annotations": "true" },
      { "annotations-risk-level": "Critical" },
    ]) {
      const { at, model, messages } = pass([app(says)], keys)
      expect([at("/").status, model.fixed.locations.length]).toEqual([undefined, usualLocations.length])
      expect(messages[0]?.code).toBe("snippet-not-allowed")
      expect(messages[0]?.message).toContain(
        '"allow-snippet-annotations" and "annotations-risk-level: Critical"',
      )
    }
    const { at, model, problems } = pass([app(says)], allowed)
    expect(problems).toEqual([])
    const location = model.fixed.locations.find(({ name }) => name === at("/").location)
    expect(location?.text).toEqual([{ name: "resolver", args: ["10.0.0.53"] }])
  })

  test("code is nobody's but the operator's", () => {
    const allowed = { "allow-snippet-annotations": "true", "annotations-risk-level": "Critical" }
    expect(pass([app({ "configuration-snippet": "js_content x;" })], allowed).at("/").status).toBe(503)
  })

  test("a lower risk level forbids all of them", () => {
    const { at, problems } = pass([app({ "configuration-snippet": "gzip off;" })], {
      "annotations-risk-level": "High",
    })
    expect([at("/").status, ...problems]).toEqual([503, "annotation-forbidden"])
  })

  test("a forbidden word in a snippet closes, whatever the snippet says", () => {
    const { at } = pass([app({ "configuration-snippet": "more_set_headers 'X-Y: secret';" })], {
      "annotation-value-word-blocklist": "secret",
    })
    expect(at("/").status).toBe(503)
  })
})
