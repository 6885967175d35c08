import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { parseObject } from "../../../../../controller/model/objects/parse.ts"

/** What becomes of an object of the Gateway API with this spec, in a manifest. */
function read(kind: string, spec: string) {
  const metadata = { name: "one", namespace: "shop", generation: 3 }
  const value = { apiVersion: "gateway.networking.k8s.io/v1", kind, metadata, spec: parse(spec) }
  return parseObject(value, { firstSeenMs: () => 0, origin: "a.yaml:1" })
}

function problemsOf(kind: string, spec: string): readonly string[] {
  return read(kind, spec).problems.map(({ field, code }) => `${field} ${code}`)
}

describe("an HTTPRoute", () => {
  test("has what the API adds where nothing is written", () => {
    const parsed = read(
      "HTTPRoute",
      "parentRefs: [{name: gw}]\nrules: [{backendRefs: [{name: cart, port: 80}]}]",
    )
    expect(parsed).toMatchObject({
      kind: "object",
      problems: [],
      object: {
        generation: 3,
        parents: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: "gw" }],
        hostnames: [],
        rules: [
          {
            matches: [{ path: { type: "PathPrefix", value: "/" }, headers: [], query: [], method: "" }],
            backends: [{ group: "", kind: "Service", namespace: "shop", name: "cart", port: 80, weight: 1 }],
          },
        ],
      },
    })
  })

  test("without rules serves nothing, for every path", () => {
    expect(read("HTTPRoute", "parentRefs: []")).toMatchObject({
      object: { rules: [{ backends: [], matches: [{ path: { value: "/" } }] }] },
    })
  })

  test.each([
    ["hostnames: ['UPPER.test']", ["spec.hostnames[0] host-refused"]],
    ["hostnames: ['10.0.0.1']", ["spec.hostnames[0] host-refused"]],
    ["rules: [{matches: [{path: {value: cart}}]}]", ["spec.rules[0].matches[0].path.value path-refused"]],
    ["rules: [{matches: [{path: {value: /a/../b}}]}]", ["spec.rules[0].matches[0].path.value path-refused"]],
    ["rules: [{name: read.v1}, {name: Read}]", ["spec.rules[1].name name-bad"]],
    [`rules: [{name: ${"a".repeat(254)}}]`, ["spec.rules[0].name name-bad"]],
    [
      "rules: [{matches: [{headers: [{name: 'a b', value: c}]}]}]",
      ["spec.rules[0].matches[0].headers[0].name token-bad"],
    ],
    [
      'rules: [{filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: a, value: "b\\nc"}]}}]}]',
      ["spec.rules[0].filters[0].requestHeaderModifier.set[0].value text-bad"],
    ],
    ["rules: [{timeouts: {request: 10}}]", ["spec.rules[0].timeouts.request type-wrong"]],
    [
      "rules: [{timeouts: {request: 10s, backendRequest: 11s}}]",
      ["spec.rules[0].timeouts.backendRequest duration-bad"],
    ],
    ["rules: [{matches: [{path: {valeu: /a}}]}]", ["spec.rules[0].matches[0].path.valeu field-unknown"]],
    [
      "rules: [{sessionPersistence: {cookie: {path: '/; Domain=test'}}}]",
      ["spec.rules[0].sessionPersistence.cookie.path path-refused"],
    ],
    [
      "rules: [{filters: [{type: CORS, cors: {}}, {type: CORS, cors: {}}]}]",
      ["spec.rules[0].filters filter-twice"],
    ],
    [
      "rules: [{filters: [{type: RequestRedirect, requestRedirect: {}}], backendRefs: [{name: a, port: 1}]}]",
      ["spec.rules[0].backendRefs filter-twice"],
    ],
    [
      "rules: [{filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}], matches: [{path: {type: Exact, value: /a}}]}]",
      ["spec.rules[0].filters prefix-missing"],
    ],
  ])("%s is told so", (spec, problems) => {
    expect(problemsOf("HTTPRoute", spec)).toEqual(problems)
  })

  test("a match that cannot be read costs the route, not the condition: it would serve more than was written", () => {
    const spec =
      "rules: [{matches: [{headers: [{name: x, value: ''}]}], backendRefs: [{name: cart, port: 80}]}]"
    expect(read("HTTPRoute", spec).kind).toBe("refused")
  })

  test("a filter of a type that is not known here stays, for its status to say so", () => {
    expect(read("HTTPRoute", "rules: [{filters: [{type: Later}]}]")).toMatchObject({
      object: { rules: [{ filters: [{ type: "unsupported", name: "Later" }] }] },
    })
  })
})

describe("other kinds", () => {
  test.each([
    ["GatewayClass", "controllerName: wick.dev/gateway", { controllerName: "wick.dev/gateway" }],
    [
      "Gateway",
      "{gatewayClassName: wick, listeners: [{name: web, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {a: b}}}}}], addresses: [{value: 10.0.0.1}], tls: {frontend: {default: {}, perPort: [{port: 443, tls: {validation: {caCertificateRefs: [{group: '', kind: ConfigMap, name: ca}]}}}]}}}",
      {
        className: "wick",
        listeners: [
          { name: "web", hostname: "", allowedRoutes: { namespaces: { from: "Selector" }, kinds: [] } },
        ],
        addresses: [{ type: "IPAddress", value: "10.0.0.1" }],
        clientsOfPort: [{ port: 443, clients: { mode: "AllowValidOnly", authorities: [{ name: "ca" }] } }],
      },
    ],
    [
      "ListenerSet",
      "{parentRef: {name: gw}, listeners: [{name: web, port: 80, protocol: HTTP, hostname: '*.shop.test'}]}",
      {
        parent: { kind: "Gateway", namespace: "shop", name: "gw" },
        listeners: [{ hostname: "*.shop.test" }],
      },
    ],
    [
      "GRPCRoute",
      "rules: [{matches: [{method: {service: a.B}}], backendRefs: [{name: cart, port: 80}]}]",
      { rules: [{ matches: [{ type: "Exact", service: "a.B", method: "", headers: [] }] }] },
    ],
    [
      "TLSRoute",
      "{hostnames: [a.test], rules: [{backendRefs: [{name: cart, port: 443}]}]}",
      { hostnames: ["a.test"] },
    ],
    ["TCPRoute", "rules: [{backendRefs: [{name: cart, port: 443}]}]", { rules: [{ name: "" }] }],
    ["UDPRoute", "rules: [{backendRefs: [{name: cart, port: 443}]}]", { rules: [{ name: "" }] }],
    [
      "BackendTLSPolicy",
      "{targetRefs: [{group: '', kind: Service, name: cart}], validation: {hostname: cart.test, wellKnownCACertificates: System}}",
      {
        targets: [{ namespace: "shop", name: "cart", sectionName: "" }],
        hostname: "cart.test",
        wellKnown: "System",
      },
    ],
    [
      "BackendTLSPolicy",
      "{targetRefs: [{name: cart}], validation: {hostname: cart.test, subjectAltNames: [{type: Hostname, hostname: '*.cart.test'}, {type: URI, uri: 'spiffe://shop/cart'}]}}",
      {
        names: [
          { type: "Hostname", value: "*.cart.test" },
          { type: "URI", value: "spiffe://shop/cart" },
        ],
      },
    ],
    [
      "ReferenceGrant",
      "{from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: web}], to: [{group: '', kind: Service}]}",
      { from: [{ kind: "HTTPRoute", namespace: "web" }], to: [{ kind: "Service", name: "" }] },
    ],
  ])("a %s is read", (kind, spec, object) => {
    expect(read(kind, spec)).toMatchObject({ kind: "object", problems: [], object: { kind, ...object } })
  })

  test("what has to be in the own namespace is, whatever is written", () => {
    const ref = "{group: '', kind: ConfigMap, name: ca, namespace: other}"
    const policy = `{targetRefs: [], validation: {hostname: a.test, caCertificateRefs: [${ref}]}}`
    const gateway = `{gatewayClassName: wick, infrastructure: {parametersRef: ${ref}}}`
    expect(read("BackendTLSPolicy", policy)).toMatchObject({
      object: { authorities: [{ namespace: "shop" }] },
      problems: [{ code: "field-unknown" }],
    })
    expect(read("Gateway", gateway)).toMatchObject({
      object: { infrastructure: { parameters: { namespace: "shop" } } },
      problems: [{ code: "field-unknown" }],
    })
  })

  test("an older version is told which one is read", () => {
    const metadata = { name: "one", namespace: "shop" }
    const value = { apiVersion: "gateway.networking.k8s.io/v1beta1", kind: "HTTPRoute", metadata, spec: {} }
    const parsed = parseObject(value, { firstSeenMs: () => 0, origin: "" })
    expect(parsed.problems.map(({ message }) => message)).toEqual([
      "Field apiVersion has to be gateway.networking.k8s.io/v1, not gateway.networking.k8s.io/v1beta1",
    ])
  })
})
