import { describe, expect, test } from "vitest"
import { ingress, type Json, service, withTls } from "../../../../harness/manifests.ts"
import { conversionOf, routesOf } from "../../../support/conversions.ts"

/** The rules of the only route. */
function rules(...objects: readonly Json[]): readonly Json[] {
  const all = routesOf(...objects)
  expect(all.map(({ kind }) => kind)).toHaveLength(1)
  return all[0]?.spec.rules as readonly Json[]
}

const app = [{ name: "app", port: 80 }]
const http = { namespace: "edge", name: "main", sectionName: "http" }

describe("paths", () => {
  test.each([
    ["a.test/cart =→ app:80", "Exact", "/cart"],
    ["a.test/cart → app:80", "PathPrefix", "/cart"],
    ["a.test/cart ~→ app:80", "PathPrefix", "/cart"],
    ["a.test/über → app:80", "PathPrefix", "/%C3%BCber"],
  ])("%s", (rule, type, value) => {
    expect(rules(ingress("a/a", rule))).toEqual([{ matches: [{ path: { type, value } }], backendRefs: app }])
  })

  test("a host, a rule without one, and a default backend", () => {
    expect(
      routesOf(ingress("a/a", ["a.test/ → app:80", "/b → app:80"])).map(({ metadata, spec }) => [
        metadata.name,
        spec.hostnames,
      ]),
    ).toEqual([
      ["a", ["a.test"]],
      ["a-2", undefined],
    ])
    expect(rules(ingress("a/a", "* → app:80"))).toEqual([
      { matches: [{ path: { type: "PathPrefix", value: "/" } }], backendRefs: app },
    ])
  })

  test("what no request has after it was normalised", () => {
    const { objects, remarks } = conversionOf([ingress("a/a", "a.test/x//y → app:80")])
    expect(objects.map(({ kind }) => kind)).toEqual(["Gateway"])
    expect(remarks).toMatchObject([{ kind: "left-out", field: "spec.rules[0].http.paths[0].path" }])
  })

  test("a default backend serves what the rules of its Ingress do not", () => {
    const found = rules(ingress("a/a", ["a.test/x → app:80", "* → rest:80"]))
    expect(found.map(({ backendRefs }) => (backendRefs as Json[])[0]?.name)).toEqual(["app", "rest"])
  })

  test("a path that an older Ingress has is said", () => {
    const older = ingress("a/a", "a.test/x → app:80", {}, 1)
    const { objects, remarks } = conversionOf([older, ingress("a/b", "a.test/x → app:80", {}, 2)])
    expect(objects.map(({ metadata: { name } }) => name)).toEqual(["main", "a"])
    expect(remarks).toMatchObject([{ kind: "left-out", object: { name: "b" } }])
  })

  test("a port by its name is that of the Service", () => {
    const named = { ...service("a/app"), spec: { type: "ClusterIP", ports: [{ name: "web", port: 8080 }] } }
    const rule = ingress("a/a", "a.test/ → app:web")
    expect(rules(rule, named)).toMatchObject([{ backendRefs: [{ name: "app", port: 8080 }] }])
    expect(conversionOf([rule]).remarks).toMatchObject([
      { kind: "left-out", what: expect.stringContaining("web") },
    ])
  })

  test("more rules than a route has are in several", () => {
    const many = Array.from({ length: 20 }, (_, at) => `a.test/${at} → app:80`)
    expect(routesOf(ingress("a/a", many)).length).toBe(20)
    const paths = many.map((_, at) => ({
      path: `/${at}`,
      pathType: "Exact",
      backend: { service: { name: "app", port: { number: 80 } } },
    }))
    const one = {
      ...ingress("a/b", "b.test/ → app:80"),
      spec: { ingressClassName: "nginx", rules: [{ host: "b.test", http: { paths } }] },
    }
    expect(routesOf(one).map(({ metadata, spec }) => [metadata.name, (spec.rules as Json[]).length])).toEqual(
      [
        ["b", 16],
        ["b-2", 4],
      ],
    )
  })
})

test("more hosts than a route has are in several, each behind its own listeners", () => {
  const names = Array.from({ length: 20 }, (_, at) => `n${at}.test`)
  const rule = ingress("a/a", "a.test/ → app:80", {
    "server-alias": names.join(","),
    "ssl-redirect": "false",
  })
  const all = routesOf(withTls(rule, `a.test,${names.join(",")}=cert`))
  expect(all.map(({ spec }) => [spec.hostnames, spec.parentRefs].map((it) => (it as Json[]).length))).toEqual(
    [
      [16, 17],
      [5, 6],
    ],
  )
})

test("a name that has to be cut is one still", () => {
  const name = `${"a".repeat(248)}.bcd`
  const found = routesOf(withTls(ingress(`a/${name}`, "a.test/ → app:80"), "a.test=cert"))
  for (const { metadata } of found) expect(metadata.name).toMatch(/^[a-z0-9.-]{1,252}[a-z0-9]$/)
})

describe("rewrites", () => {
  const rewritten = (path: string, target: string) =>
    rules(ingress("a/a", `a.test${path} ~→ app:80`, { "rewrite-target": target }))[0]
  test.each([
    ["/api(/|$)(.*)", "/$2", "/api", { type: "ReplacePrefixMatch", replacePrefixMatch: "/" }],
    ["/api/(.*)", "/v2/$1", "/api", { type: "ReplacePrefixMatch", replacePrefixMatch: "/v2" }],
    ["/api/?(.*)", "/$1", "/api", { type: "ReplacePrefixMatch", replacePrefixMatch: "/" }],
    ["/api", "/v2", "/api", { type: "ReplaceFullPath", replaceFullPath: "/v2" }],
  ])("%s to %s", (path, target, value, rewrite) => {
    expect(rewritten(path, target)).toEqual({
      matches: [{ path: { type: "PathPrefix", value } }],
      filters: [{ type: "URLRewrite", urlRewrite: { path: rewrite } }],
      backendRefs: app,
    })
  })

  test("to the path itself is none", () => {
    expect(rewritten("/(.*)", "/$1")).not.toHaveProperty("filters")
    expect(rewritten("/api", "/api")).not.toHaveProperty("filters")
  })

  test("with groups that no filter has: the path is left out, with a remark", () => {
    const rule = ingress("a/a", "a.test/(a|b)/(.*) ~→ app:80", { "rewrite-target": "/$1/$2" })
    expect(routesOf(rule)).toEqual([])
    expect(conversionOf([rule]).remarks).toMatchObject([
      { kind: "left-out", what: expect.stringContaining("/$1/$2") },
    ])
  })

  test("a regular expression matches whole paths, whatever their case", () => {
    const rule = ingress("a/a", "a.test/v[0-9]+/users ~→ app:80", { "use-regex": "true" })
    expect(rules(rule)[0]?.matches).toEqual([
      { path: { type: "RegularExpression", value: "(?i)/v[0-9]+/users.*" } },
    ])
    expect(conversionOf([rule]).remarks).toMatchObject([{ kind: "changed" }])
  })
})

describe("redirects", () => {
  test.each([
    [
      "https://new.test",
      301,
      {
        scheme: "https",
        hostname: "new.test",
        path: { type: "ReplaceFullPath", replaceFullPath: "/" },
        statusCode: 301,
      },
    ],
    [
      "http://new.test:8080/a",
      308,
      {
        scheme: "http",
        hostname: "new.test",
        port: 8080,
        path: { type: "ReplaceFullPath", replaceFullPath: "/a" },
        statusCode: 308,
      },
    ],
    ["/new", 302, { path: { type: "ReplaceFullPath", replaceFullPath: "/new" }, statusCode: 302 }],
  ])("%s", (url, code, requestRedirect) => {
    const annotations = { "permanent-redirect": url, "permanent-redirect-code": String(code) }
    expect(rules(ingress("a/a", "a.test/ → app:80", annotations))).toEqual([
      {
        matches: [{ path: { type: "PathPrefix", value: "/" } }],
        filters: [{ type: "RequestRedirect", requestRedirect }],
      },
    ])
  })

  test("to another host by the scheme of the request there is none", () => {
    const rule = ingress("a/a", "a.test/ → app:80", { "permanent-redirect": "//new.test/a" })
    expect(conversionOf([rule]).remarks).toMatchObject([
      { kind: "left-out", field: expect.stringContaining("permanent-redirect") },
    ])
  })

  test("with arguments there is none", () => {
    const rule = ingress("a/a", "a.test/ → app:80", { "temporal-redirect": "https://new.test/?a=1" })
    expect(conversionOf([rule]).remarks).toMatchObject([
      { kind: "left-out", field: expect.stringContaining("temporal-redirect") },
    ])
  })

  test("to HTTPS where the host has a certificate; routes are behind its listener", () => {
    const [own, redirect] = routesOf(withTls(ingress("a/a", "a.test/ → app:80"), "a.test=cert"))
    expect(own?.spec.parentRefs).toEqual([{ ...http, sectionName: "https-a.test" }])
    expect(redirect).toMatchObject({
      metadata: { namespace: "a", name: "a-redirect" },
      spec: {
        parentRefs: [http],
        rules: [
          { filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https", statusCode: 308 } }] },
        ],
      },
    })
    const plain = withTls(ingress("a/a", "a.test/ → app:80", { "ssl-redirect": "false" }), "a.test=cert")
    expect(routesOf(plain).map(({ spec }) => spec.parentRefs)).toEqual([
      [http, { ...http, sectionName: "https-a.test" }],
    ])
  })

  test("the app root is that of the host, whatever paths there are", () => {
    const found = rules(ingress("a/a", "a.test/app → app:80", { "app-root": "/app" }))
    expect(found.map(({ matches }) => (matches as Json[])[0]?.path)).toEqual([
      { type: "Exact", value: "/" },
      { type: "PathPrefix", value: "/app" },
    ])
  })

  test("www and the app root", () => {
    const annotations = { "from-to-www-redirect": "true", "app-root": "/start" }
    const [own, www] = routesOf(ingress("a/a", "a.test/ → app:80", annotations))
    expect((own?.spec.rules as Json[])[0]).toEqual({
      matches: [{ path: { type: "Exact", value: "/" } }],
      filters: [
        {
          type: "RequestRedirect",
          requestRedirect: { path: { type: "ReplaceFullPath", replaceFullPath: "/start" }, statusCode: 302 },
        },
      ],
    })
    expect(www).toMatchObject({ metadata: { name: "a-www" }, spec: { hostnames: ["www.a.test"] } })
  })
})

describe("filters", () => {
  const filters = (annotations: Readonly<Record<string, string>>, ...more: readonly Json[]) =>
    rules(ingress("a/a", "a.test/ → app:80", annotations), ...more)[0]?.filters

  test("CORS, with the defaults of the annotations", () => {
    expect(
      filters({ "enable-cors": "true", "cors-allow-origin": "https://*.b.test", "cors-max-age": "600" }),
    ).toEqual([
      {
        type: "CORS",
        cors: {
          allowOrigins: ["https://*.b.test"],
          allowMethods: ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"],
          allowHeaders: expect.arrayContaining(["Range", "Authorization"]),
          allowCredentials: true,
          maxAge: 600,
        },
      },
    ])
  })

  test("headers of CORS are for requests with an Origin, which is said", () => {
    const { remarks } = conversionOf([ingress("a/a", "a.test/ → app:80", { "enable-cors": "true" })])
    expect(remarks).toMatchObject([{ kind: "changed", change: "origins" }])
  })

  test("an origin that no filter has is left out, with a remark; never is every origin allowed instead", () => {
    const annotations = { "enable-cors": "true", "cors-allow-origin": "null" }
    expect(filters(annotations)).toBeUndefined()
    expect(conversionOf([ingress("a/a", "a.test/ → app:80", annotations)]).remarks).toHaveLength(2)
  })

  test("headers of responses, the host of the backend, the prefix", () => {
    const map = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "a", name: "headers" },
      data: { "X-A": "1" },
    }
    expect(filters({ "custom-headers": "a/headers", "upstream-vhost": "b.test" }, map)).toEqual([
      { type: "ResponseHeaderModifier", responseHeaderModifier: { set: [{ name: "X-A", value: "1" }] } },
      { type: "URLRewrite", urlRewrite: { hostname: "b.test" } },
    ])
    const odd = { ...map, data: { "X-A": "1", "X-B": "two\nlines" } }
    const { remarks } = conversionOf([
      ingress("a/a", "a.test/ → app:80", { "custom-headers": "a/headers" }),
      odd,
    ])
    expect(remarks).toMatchObject([{ kind: "left-out" }])
    expect(filters({ "rewrite-target": "/x", "x-forwarded-prefix": "/p" })).toContainEqual({
      type: "RequestHeaderModifier",
      requestHeaderModifier: { set: [{ name: "X-Forwarded-Prefix", value: "/p" }] },
    })
  })
})

describe("a mirror", () => {
  const mirrored = (target: string) =>
    conversionOf([ingress("a/a", "a.test/ → app:80", { "mirror-target": target }), service("a/copy", 8080)])

  test("is a Service of the same namespace", () => {
    const { objects, remarks } = mirrored("http://copy.a.svc.cluster.local:8080")
    expect((objects[1]?.spec.rules as Json[])[0]?.filters).toEqual([
      { type: "RequestMirror", requestMirror: { backendRef: { name: "copy", port: 8080 } } },
    ])
    expect(remarks).toEqual([])
  })

  test.each([
    "https://copy:8080$request_uri",
    "http://copy.b:8080$request_uri",
    "http://else.test$request_uri",
    "http://copy:8080/x",
  ])("else it is left out: %s", (target) => {
    const { objects, remarks } = mirrored(target)
    expect((objects[1]?.spec.rules as Json[])[0]).not.toHaveProperty("filters")
    expect(remarks).toMatchObject([{ kind: "left-out" }])
  })
})

describe("canaries", () => {
  const main = ingress("a/a", "a.test/ → app:80")
  test("by weight", () => {
    const canary = ingress("a/b", "a.test/ → new:80", { canary: "true", "canary-weight": "20" })
    expect(rules(main, canary)[0]?.backendRefs).toEqual([
      { name: "app", port: 80, weight: 800 },
      { name: "new", port: 80, weight: 200 },
    ])
  })

  test("by a weight of which little is left of a thousand", () => {
    const weight = { "canary-weight": "1", "canary-weight-total": "10000" }
    const canary = ingress("a/b", "a.test/ → new:80", { canary: "true", ...weight })
    expect(rules(main, canary)[0]?.backendRefs).toEqual([
      { name: "app", port: 80, weight: 999_900 },
      { name: "new", port: 80, weight: 100 },
    ])
  })

  test("of the path / that another Ingress leaves out", () => {
    const withoutPath = {
      ...main,
      spec: {
        ingressClassName: "nginx",
        rules: [
          {
            host: "a.test",
            http: {
              paths: [
                {
                  pathType: "ImplementationSpecific",
                  backend: { service: { name: "app", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    }
    const canary = ingress("a/b", "a.test/ → new:80", { canary: "true", "canary-weight": "20" })
    expect(rules(withoutPath, canary)[0]?.backendRefs).toHaveLength(2)
  })

  test("of a path that nobody else has", () => {
    const canary = ingress("a/b", "a.test/new → new:80", { canary: "true", "canary-weight": "20" })
    expect(conversionOf([main, canary]).remarks).toMatchObject([{ kind: "left-out", object: { name: "b" } }])
  })

  test("by header, before weights", () => {
    const canary = ingress("a/b", "a.test/ → new:80", {
      canary: "true",
      "canary-by-header": "X-New",
      "canary-weight": "10",
    })
    const found = rules(main, canary)
    expect(
      found.map(({ matches, backendRefs }) => [
        (matches as Json[])[0]?.headers,
        (backendRefs as Json[]).length,
      ]),
    ).toEqual([
      [[{ name: "X-New", type: "Exact", value: "always" }], 1],
      [[{ name: "X-New", type: "Exact", value: "never" }], 1],
      [undefined, 2],
    ])
  })
})

describe("backends", () => {
  test("gRPC by services and methods", () => {
    const annotations = { "backend-protocol": "GRPC" }
    const [route] = routesOf(ingress("a/a", "a.test/shop.Cart/Add =→ app:80", annotations))
    expect(route).toMatchObject({
      kind: "GRPCRoute",
      spec: {
        rules: [
          { matches: [{ method: { type: "Exact", service: "shop.Cart", method: "Add" } }], backendRefs: app },
        ],
      },
    })
    const other = conversionOf([ingress("a/a", "a.test/a-b → app:80", annotations)])
    expect(other.remarks).toMatchObject([{ kind: "left-out" }])
  })

  test("TLS is verified, which is said where it was not", () => {
    const annotations = { "backend-protocol": "HTTPS" }
    const { objects, remarks } = conversionOf([ingress("a/a", "a.test/ → app:443", annotations)])
    expect(objects.find(({ kind }) => kind === "BackendTLSPolicy")).toMatchObject({
      metadata: { namespace: "a", name: "app" },
      spec: { validation: { hostname: "app.a.svc", wellKnownCACertificates: "System" } },
    })
    expect(remarks).toMatchObject([{ kind: "changed", what: expect.stringContaining("app.a.svc") }])
  })

  test("a Service with TLS has it for all Ingresses that use it", () => {
    const own = ingress("a/a", "a.test/ → app:443", { "backend-protocol": "HTTPS", "proxy-ssl-verify": "on" })
    const { remarks } = conversionOf([
      own,
      ingress("a/b", "b.test/ → app:443"),
      ingress("b/c", "c.test/ → app:443"),
    ])
    expect(remarks).toMatchObject([
      {
        object: { namespace: "a", name: "b" },
        change: "backends",
        what: expect.stringContaining("Service a/app"),
      },
    ])
  })

  test("gRPC with a certificate is served by TLS, and HTTP is led there", () => {
    const own = ingress("a/a", "a.test/ → app:80", { "backend-protocol": "GRPC" })
    const { objects, remarks } = conversionOf([withTls(own, "a.test=cert")])
    const led = objects.flatMap(({ kind, spec: { parentRefs } }) =>
      /Route$/.test(kind)
        ? [[kind, (parentRefs as readonly Json[]).map(({ sectionName }) => sectionName)]]
        : [],
    )
    expect(led).toEqual([
      ["GRPCRoute", ["https-a.test"]],
      ["HTTPRoute", ["http"]],
    ])
    expect(remarks).toEqual([])
  })

  test("a port that the controller refuses is left out", () => {
    const text = JSON.stringify(ingress("a/a", "a.test/ → app:web")).replace('"web"', '"<web"')
    const { objects, remarks } = conversionOf([JSON.parse(text) as Json])
    expect(objects.map(({ kind }) => kind)).toEqual(["Gateway"])
    expect(remarks).toMatchObject([{ kind: "left-out", field: "spec.rules[0].http.paths[0]" }])
  })

  test("FastCGI: nothing", () => {
    const { objects, remarks } = conversionOf([
      ingress("a/a", "a.test/ → app:80", { "backend-protocol": "FCGI" }),
    ])
    expect(objects.map(({ kind }) => kind)).toEqual(["Gateway"])
    expect(remarks).toMatchObject([{ kind: "left-out" }])
  })
})

test("of a snippet it is said which filter says what", () => {
  const text = "add_header A b; proxy_set_header C d; if ($arg_x) { return 403; }"
  const { remarks } = conversionOf([
    ingress("shop/a", "a.test/ → a:80", { "configuration-snippet": text }),
    service("shop/a"),
  ])
  const said = remarks.filter(({ field }) => field.includes("configuration-snippet"))
  expect(said.map(({ what }) => what.split(". Here that is ")[1])).toEqual([
    "ResponseHeaderModifier for add_header, RequestHeaderModifier for proxy_set_header, RequestRedirect, if it is a redirect for return",
  ])
})
