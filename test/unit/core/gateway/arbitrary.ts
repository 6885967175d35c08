import fc from "fast-check"
import { type Json, service, slice } from "../../../../harness/manifests.ts"

// A small world of the Gateway API in which objects meet each other often: few Gateways, hostnames, Services and ages.

const namespaces = ["a", "b"]
const group = "gateway.networking.k8s.io"
const ages = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]
const hostnames = ["one.test", "two.test", "x.one.test", "*.one.test", "*.test"]

const place = (...names: readonly string[]) =>
  fc.record({
    namespace: fc.constantFrom(...namespaces),
    name: fc.constantFrom(...names),
    creationTimestamp: fc.constantFrom(...ages),
    generation: fc.constantFrom(1, 2),
  })

const object = (kind: string, metadata: fc.Arbitrary<Json>, spec: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.record({ apiVersion: fc.constant(`${group}/v1`), kind: fc.constant(kind), metadata, spec })

const tls = fc
  .constantFrom("one", "wild", "none")
  .map((name) => ({ protocol: "HTTPS", tls: { certificateRefs: [{ name }] } }))

const protocol = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ protocol: "HTTP" }) },
  tls,
  fc.constantFrom<Json>({ protocol: "TCP" }, { protocol: "TLS", tls: { mode: "Passthrough" } }),
)

const listener = fc.record(
  {
    name: fc.constantFrom("x", "y", "z"),
    port: fc.constantFrom(80, 8000),
    hostname: fc.constantFrom(...hostnames),
    allowedRoutes: fc.constantFrom<Json>({ namespaces: { from: "All" } }, { namespaces: { from: "Same" } }),
  },
  { requiredKeys: ["name", "port"] },
)

const listeners = fc.uniqueArray(
  fc.tuple(listener, protocol).map(([one, spoken]): Json => ({ ...one, ...spoken })),
  { selector: ({ name }) => name, minLength: 1, maxLength: 3 },
)

const gateway = object(
  "Gateway",
  place("edge", "inner"),
  fc.record(
    {
      gatewayClassName: fc.constantFrom("wick", "wick", "wick", "other"),
      listeners,
      allowedListeners: fc.constantFrom("All", "Same", "None").map((from) => ({ namespaces: { from } })),
      tls: fc.constantFrom("one", "none").map((name) => ({ backend: { clientCertificateRef: { name } } })),
    },
    { requiredKeys: ["gatewayClassName", "listeners"] },
  ),
)

const listenerSet = object(
  "ListenerSet",
  place("edge", "more"),
  fc.record({
    parentRef: fc.record({
      name: fc.constantFrom("edge", "inner"),
      namespace: fc.constantFrom(...namespaces),
    }),
    listeners,
  }),
)

const parentRefs = fc.array(
  fc.record(
    {
      name: fc.constantFrom("edge", "edge", "inner"),
      namespace: fc.constantFrom(...namespaces),
      sectionName: fc.constantFrom("x", "y"),
      kind: fc.constantFrom("Gateway", "Gateway", "ListenerSet"),
    },
    { requiredKeys: ["name"] },
  ),
  { minLength: 1, maxLength: 2 },
)

const backendRefs = (...ports: readonly number[]) =>
  fc.array(
    fc.record(
      {
        name: fc.constantFrom("cart", "shop", "none"),
        namespace: fc.constantFrom(...namespaces),
        port: fc.constantFrom(...ports),
        weight: fc.constantFrom(0, 1, 3),
      },
      { requiredKeys: ["name", "port"] },
    ),
    { maxLength: 2 },
  )

const redirect = { type: "RequestRedirect", requestRedirect: { scheme: "https" } }
const rewrite = {
  type: "URLRewrite",
  urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/z" } },
}
const auth = {
  type: "ExternalAuth",
  externalAuth: { protocol: "HTTP", backendRef: { name: "web", port: 80 }, http: { path: "/check" } },
}
const bodyAuth = { ...auth, externalAuth: { ...auth.externalAuth, forwardBody: { maxSize: 1 } } }

const httpMatch = fc.record(
  {
    path: fc
      .tuple(fc.constantFrom("PathPrefix", "Exact"), fc.constantFrom("/", "/x", "/x/y"))
      .map(([type, value]) => ({ type, value })),
    method: fc.constantFrom("GET", "POST"),
    headers: fc.constant([{ name: "x-version", value: "2" }]),
  },
  { requiredKeys: ["path"] },
)

const httpRule = fc.record(
  {
    matches: fc.array(httpMatch, { minLength: 1, maxLength: 2 }),
    filters: fc.constantFrom<readonly Json[]>([redirect], [rewrite], [auth], [bodyAuth]),
    backendRefs: backendRefs(80, 81),
  },
  { requiredKeys: ["matches", "backendRefs"] },
)

const annotated = fc
  .tuple(
    place("r", "s", "t"),
    fc.record({ "proxy-read-timeout": fc.constantFrom("5", "x") }, { requiredKeys: [] }),
  )
  .map(([metadata, said]) => ({
    ...metadata,
    annotations: Object.fromEntries(
      Object.entries(said).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value]),
    ),
  }))

const routeHostnames = fc.uniqueArray(fc.constantFrom(...hostnames), { maxLength: 2 })

const httpRoute = object(
  "HTTPRoute",
  annotated,
  fc.record({ parentRefs, hostnames: routeHostnames, rules: fc.array(httpRule, { maxLength: 2 }) }),
)

const grpcRule = fc.record({
  matches: fc.constantFrom<readonly Json[]>([], [{ method: { service: "a.B", method: "C" } }]),
  backendRefs: backendRefs(80),
})

const grpcRoute = object(
  "GRPCRoute",
  place("r", "s"),
  fc.record({ parentRefs, hostnames: routeHostnames, rules: fc.array(grpcRule, { maxLength: 1 }) }),
)

const streamRules = fc
  .array(
    fc.record({
      name: fc.constantFrom("cart", "shop"),
      namespace: fc.constantFrom(...namespaces),
      port: fc.constant(80),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((refs) => [{ backendRefs: refs }])

const tcpRoute = object("TCPRoute", place("r", "s"), fc.record({ parentRefs, rules: streamRules }))
const tlsRoute = object(
  "TLSRoute",
  place("r", "s"),
  fc.record({
    parentRefs,
    hostnames: fc.constantFrom(["one.test"], ["*.test"]),
    rules: streamRules,
  }),
)

const grant = object(
  "ReferenceGrant",
  place("g"),
  fc.record({
    from: fc
      .constantFrom(...namespaces)
      .map((namespace) => ["HTTPRoute", "TCPRoute"].map((kind) => ({ group, kind, namespace }))),
    to: fc.constantFrom<readonly Json[]>(
      [{ group: "", kind: "Service" }],
      [{ group: "", kind: "Service", name: "cart" }],
    ),
  }),
)

const policy = object(
  "BackendTLSPolicy",
  place("p", "q"),
  fc
    .tuple(fc.constantFrom("cart", "shop"), fc.constantFrom<Json>({ wellKnownCACertificates: "System" }, {}))
    .map(([name, said]) => ({
      targetRefs: [{ group: "", kind: "Service", name }],
      validation: { hostname: "one.test", ...said },
    })),
)

const someService = fc
  .tuple(fc.constantFrom(...namespaces), fc.constantFrom("cart", "shop"), fc.constantFrom(80, 81))
  .map(([namespace, name, port]) => service(`${namespace}/${name}`, port))

const someSlice = fc
  .tuple(
    fc.constantFrom(...namespaces),
    fc.constantFrom("cart", "shop"),
    fc.uniqueArray(fc.constantFrom("10.0.0.1", "10.0.0.2")),
  )
  .map(([namespace, name, addresses]) => slice(`${namespace}/${name}`, addresses, 80))

const someNamespace = fc
  .constantFrom(...namespaces)
  .map((name): Json => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }))

/** An Ingress on a host that routes have, too. */
const someIngress = fc.constantFrom(...hostnames).map((host): Json => {
  const backend = { service: { name: "cart", port: { number: 80 } } }
  return {
    ...{ apiVersion: "networking.k8s.io/v1", kind: "Ingress" },
    metadata: { namespace: "a", name: "i", creationTimestamp: ages[0] },
    spec: {
      ingressClassName: "nginx",
      rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
    },
  }
})

/** An object of a family, or one that it names. */
export const part: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: httpRoute },
  { weight: 3, arbitrary: gateway },
  { weight: 2, arbitrary: listenerSet },
  { weight: 2, arbitrary: grpcRoute },
  { weight: 2, arbitrary: someService },
  ...[tcpRoute, tlsRoute, grant, policy, someSlice, someNamespace, someIngress],
)

/** Objects with distinct names within their kind, among them the class and a Gateway. */
export const world = fc
  .tuple(fc.uniqueArray(part, { selector: identity, maxLength: 16 }), gateway)
  .map(([all, one]) => [...all.filter((it) => identity(it) !== identity(one)), one])

export function identity({ kind, metadata }: Json): string {
  const { namespace = "", name } = metadata as { readonly namespace?: string; readonly name: string }
  return `${kind} ${namespace}/${name}`
}
