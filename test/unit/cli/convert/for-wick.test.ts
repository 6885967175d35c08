// `wick convert --for-wick`: annotations that wick reads on routes stay there, and nothing of the ConfigMap needs a remark.
import { describe, expect, test } from "vitest"
import { ingress, type Json, service, settings, withTls } from "../../../../harness/manifests.ts"
import { conversionOf } from "../../../support/conversions.ts"

const isForWick = true
const prefix = "nginx.ingress.kubernetes.io"

/** The routes, without what is the same for all. */
function keptRoutes(...objects: readonly Json[]) {
  return conversionOf(objects, [], { isForWick }).objects.filter(({ kind }) => /Route$/.test(kind))
}

function changesOf(...objects: readonly Json[]) {
  return conversionOf(objects, [], { isForWick }).remarks.flatMap(({ change, field }) =>
    change === undefined ? [] : [[change, field]],
  )
}

const app = [{ name: "app", port: 80 }]
const everything = { path: { type: "PathPrefix", value: "/" } }

test("annotations stay on the routes, and close nothing", () => {
  const annotations = {
    "limit-rps": "5",
    "auth-type": "basic",
    "auth-secret": "a/users",
    "ssl-redirect": "false",
  }
  const { closed, objects, remarks } = conversionOf([ingress("a/a", "a.test/ → app:80", annotations)], [], {
    isForWick,
  })
  expect({ closed, remarks }).toEqual({ closed: [], remarks: [] })
  expect(objects[1]?.metadata.annotations).toEqual({
    [`${prefix}/limit-rps`]: "5",
    [`${prefix}/auth-type`]: "basic",
    [`${prefix}/auth-secret`]: "a/users",
  })
})

test.each<Readonly<Record<string, string>>>([
  { "enable-cors": "true", "cors-allow-origin": "https://*.a.test" },
  { "upstream-vhost": "$service_name.test" },
  { "backend-protocol": "HTTPS" },
  { "backend-protocol": "GRPC" },
  { "backend-protocol": "FCGI" },
  { "permanent-redirect": "https://b.test/", "permanent-redirect-code": "300" },
])("what has a filter, a kind or an object elsewhere is said by its annotation: %j", (annotations) => {
  const { objects, remarks } = conversionOf([ingress("a/a", "a.test/ → app:80", annotations)], [], {
    isForWick,
  })
  expect({ remarks, kinds: objects.map(({ kind }) => kind) }).toEqual({
    remarks: [],
    kinds: ["Gateway", "HTTPRoute"],
  })
  const written = Object.entries(annotations).map(([name, value]) => [`${prefix}/${name}`, value])
  expect(objects[1]?.metadata.annotations).toEqual(Object.fromEntries(written))
  expect(objects[1]?.spec.rules).toEqual([{ matches: [everything], backendRefs: app }])
})

test("paths that are regular expressions stay them, with a target that has groups", () => {
  const rules = ["a.test/api(/|$)(.*) ~→ app:80", "a.test/cart → app:80", "a.test/ → app:80"]
  const own = ingress("a/a", rules, { "rewrite-target": "/$2" })
  expect(changesOf(own)).toEqual([])
  const routes = keptRoutes(own)
  const target = { [`${prefix}/rewrite-target`]: "/$2" }
  expect(routes.map(({ metadata }) => metadata.annotations)).toEqual([target, target, target])
  expect(routes.flatMap(({ spec }) => spec.rules)).toEqual([
    { matches: [{ path: { type: "RegularExpression", value: "/api(/|$)(.*)" } }], backendRefs: app },
    { matches: [{ path: { type: "RegularExpression", value: "/cart" } }], backendRefs: app },
    { matches: [everything], backendRefs: app },
  ])
})

describe("to HTTPS", () => {
  const withCertificate = (rule: string, annotations = {}) =>
    withTls(ingress("a/a", rule, annotations), "a.test=cert")

  test("an annotation leads, for all listeners of the host", () => {
    const [route, ...others] = keptRoutes(
      withCertificate("a.test/ → app:80", { "force-ssl-redirect": "false" }),
    )
    expect(others).toEqual([])
    expect(route?.metadata.annotations).toEqual({ [`${prefix}/force-ssl-redirect`]: "true" })
    expect(route?.spec.parentRefs).toHaveLength(2)
  })

  test("unless the Ingress has said no", () => {
    const [route] = keptRoutes(withCertificate("a.test/ → app:80", { "ssl-redirect": "false" }))
    expect(route?.metadata.annotations).toBeUndefined()
  })

  test("what none of the paths matches is led there, too", () => {
    const [, rest] = keptRoutes(withCertificate("a.test/cart → app:80"))
    expect(rest?.metadata).toMatchObject({
      name: "a-redirect",
      annotations: { [`${prefix}/force-ssl-redirect`]: "true" },
    })
    expect(rest?.spec).toMatchObject({
      parentRefs: [{ sectionName: "http" }],
      rules: [{ matches: [everything] }],
    })
  })
})

test("a redirect is one for all of a host whose oldest Ingress has it", () => {
  const [route] = keptRoutes(
    ingress("a/a", "a.test/old → app:80", { "permanent-redirect": "https://b.test/" }),
  )
  expect((route?.spec.rules as readonly Json[]).at(-1)).toEqual({ matches: [everything] })
})

describe("what differs is said of its Ingress:", () => {
  const at = (...path: readonly string[]) => ["spec.rules[0]", ...path].join(".")

  test("nothing of a path, which had whole elements before", () => {
    expect(changesOf(ingress("a/a", ["a.test/cart ~→ app:80", "a.test/ → app:80"]))).toEqual([])
  })

  test("a wildcard", () => {
    expect(changesOf(ingress("a/a", "*.a.test/ → app:80"))).toEqual([["labels", at("host")]])
  })

  test("a route of more hosts behind its paths", () => {
    const all = ingress("a/all", "/ → app:80")
    const ofAll = ["unmatched", at()]
    expect(changesOf(ingress("a/a", "a.test/cart → app:80"), all)).toEqual([["unmatched", at("host")], ofAll])
    expect(changesOf(ingress("a/a", "a.test/ → app:80"), all)).toEqual([ofAll])
    expect(changesOf(all)).toEqual([])
  })

  test("the redirect to HTTPS of a host without paths", () => {
    const own = ingress("a/a", "a.test/ → app:80", { "force-ssl-redirect": "true" })
    const { rules = [] } = own.spec as { readonly rules?: readonly Json[] }
    const more = { ...own, spec: { ...(own.spec as Json), rules: [...rules, { host: "b.test" }] } }
    expect(changesOf(own)).toEqual([])
    expect(changesOf(more)).toEqual([["root", "spec.rules[1].host"]])
  })

  test("checks of what none of its paths matches", () => {
    const own = ingress("a/a", "a.test/cart → app:80", { "allowlist-source-range": "192.0.2.0/24" })
    expect(changesOf(own)).toEqual([["root", at("host")]])
  })

  test("sessions of a path with a canary", () => {
    const canary = ingress("a/canary", "a.test/ → app:80", { canary: "true", "canary-weight": "10" })
    const own = ingress("a/a", "a.test/ → main:80", { affinity: "cookie" })
    const objects = [own, canary, service("a/app", 80), service("a/main", 80)]
    const { remarks } = conversionOf(objects, [], { isForWick })
    expect(remarks.map(({ change, object, field }) => [change, object.name, field])).toEqual([
      ["sessions", "a", `metadata.annotations["${prefix}/affinity"]`],
      ["sessions", "canary", at("http.paths[0]")],
    ])
  })

  test("a Service whose balancing an older Ingress says", () => {
    const others = [ingress("a/a", "a.test/ → app:80", { "load-balance": "ewma" }), service("a/app", 80)]
    const own = ingress("a/b", "b.test/ → app:80", { "service-upstream": "true" })
    expect(changesOf(own, ...others)).toEqual([["balancing", at("http.paths[0].backend.service")]])
  })
})

test("an empty list keeps everybody out, and stays", () => {
  const rule = ingress("a/a", "a.test/ → app:80", { "allowlist-source-range": "" })
  const { objects } = conversionOf([rule], [], { isForWick })
  expect(objects[1]?.metadata.annotations).toEqual({
    "nginx.ingress.kubernetes.io/allowlist-source-range": "",
  })
})

test("the ConfigMap is in force anyway", () => {
  const rule = ingress("a/a", "a.test/ → app:80")
  const map = settings("edge/settings", { "global-auth-url": "http://auth.test/" })
  expect(conversionOf([rule, map]).closed).toEqual(["a/a"])
  expect(conversionOf([rule, map], [], { isForWick }).remarks).toEqual([])
})

test.each(["auth-tls-secret", "server-snippet"])("what is said of hosts does not stay: %s", (name) => {
  const rule = ingress("a/a", "a.test/ → app:80", { [name]: "a/b" })
  const { closed, objects } = conversionOf([rule], [], { isForWick })
  expect(closed).toEqual(["a/a"])
  expect(objects[1]?.metadata.annotations).toBeUndefined()
})
