const backendRef = { name: "web", namespace: "demo", port: 80 }
const externalAuth = { protocol: "HTTP", backendRef }
const extensionRef = { group: "example.com", kind: "Extension", name: "one" }
const options = { "example.com/min-version": "1.3" }
const listener = { name: "one", port: 80, protocol: "HTTP", hostname: "one.test" }
const targetRefs = [{ group: "", kind: "Service", name: "tls" }]
const validation = { hostname: "web.test", wellKnownCACertificates: "System" }
const asked = { type: "ExternalAuth", externalAuth }
const askedBy = (more: object) => ({ ...asked, externalAuth: { ...externalAuth, ...more } })
const extended = { type: "ExtensionRef", extensionRef }

/** Of routes: in a rule, and in one of its backends. */
function filters(kind: string, type: string, filter: object, places: readonly string[]) {
  return places.map((place) => ({
    field: `${kind} spec.rules.${place}filters.${type}`,
    at: `spec.rules.${place}filters`,
    value: [filter],
  }))
}

const both = ["", "backendRefs."]

/** Fields that are refused, with all below them: where a value of theirs is put into every-field.yaml, and which one. */
export const refusedFields: readonly {
  readonly field: string
  readonly at: string
  readonly value: unknown
}[] = [
  ...["Gateway", "ListenerSet"].flatMap((kind) => [
    {
      field: `${kind} spec.listeners.filters`,
      at: "spec.listeners",
      value: [{ ...listener, filters: { requests: [asked] } }],
    },
    { field: `${kind} spec.listeners.tls.options`, at: "spec.listeners.tls", value: { options } },
  ]),
  {
    field: "Gateway spec.addresses.routability",
    at: "spec.addresses",
    value: [{ value: "10.0.0.2", routability: "Cluster" }],
  },
  ...filters("HTTPRoute", "extensionRef", extended, both),
  ...filters("HTTPRoute", "externalAuth", asked, ["backendRefs."]),
  ...filters("HTTPRoute", "externalAuth.grpc", askedBy({ protocol: "GRPC", grpc: {} }), [""]),
  ...filters("HTTPRoute", "externalAuth.forwardBody", askedBy({ forwardBody: { maxSize: 1 } }), [""]),
  ...filters("HTTPRoute", "cors", { type: "CORS", cors: { allowOrigins: ["*"] } }, ["backendRefs."]),
  ...filters("HTTPRoute", "requestRedirect", { type: "RequestRedirect", requestRedirect: {} }, [
    "backendRefs.",
  ]),
  ...filters("GRPCRoute", "extensionRef", extended, both),
  { field: "HTTPRoute spec.rules.retry.backoff", at: "spec.rules.retry", value: { backoff: "1s" } },
  ...["HTTPRoute", "GRPCRoute"].flatMap((kind) => [
    {
      field: `${kind} spec.rules.sessionPersistence.header`,
      at: "spec.rules.sessionPersistence",
      value: { type: "Header", header: { name: "x-session" } },
    },
  ]),
  { field: "BackendTLSPolicy spec.options", at: "spec", value: { targetRefs, validation, options } },
]
