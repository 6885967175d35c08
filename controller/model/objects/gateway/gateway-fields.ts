import { type Fields, fields, objectFields } from "../fields.ts"

// Source: Gateway API v1.7.0, apis/v1, with the fields of the experimental channel.

const reference = fields("group kind namespace name")
const localReference = fields("group kind name")
const backendObject = fields("group kind namespace name port")
const backend = fields("group kind namespace name port weight")
const parents = {
  parentRefs: fields("group kind namespace name sectionName port"),
  useDefaultGateways: true,
} as const
const selector: Fields = { matchLabels: true, matchExpressions: fields("key operator values") }
const namespaces: Fields = { from: true, selector }
const authentication: Fields = {
  protocol: true,
  backendRef: backendObject,
  grpc: fields("allowedHeaders"),
  http: fields("path allowedHeaders allowedResponseHeaders"),
  forwardBody: fields("maxSize"),
}

const listener: Fields = {
  ...fields("name hostname port protocol"),
  tls: { mode: true, certificateRefs: reference, options: true },
  allowedRoutes: { namespaces, kinds: fields("group kind") },
  filters: { requests: { type: true, externalAuth: authentication, extensionRef: localReference } },
}

const validation: Fields = { validation: { caCertificateRefs: reference, mode: true } }

const headerEdits: Fields = { set: fields("name value"), add: fields("name value"), remove: true }
const path = fields("type replaceFullPath replacePrefixMatch")
const filter: Fields = {
  type: true,
  requestHeaderModifier: headerEdits,
  responseHeaderModifier: headerEdits,
  requestMirror: { backendRef: backendObject, percent: true, fraction: fields("numerator denominator") },
  extensionRef: localReference,
}
const httpFilter: Fields = {
  ...filter,
  requestRedirect: fields("scheme hostname port statusCode", { path }),
  urlRewrite: { hostname: true, path },
  cors: fields("allowOrigins allowCredentials allowMethods allowHeaders exposeHeaders maxAge"),
  externalAuth: authentication,
}
const sessionPersistence: Fields = {
  ...fields("absoluteTimeout type"),
  cookie: fields("name path lifetimeType"),
  header: fields("name"),
}

const httpRule: Fields = {
  name: true,
  matches: {
    path: fields("type value"),
    headers: fields("type name value"),
    queryParams: fields("type name value"),
    method: true,
  },
  filters: httpFilter,
  backendRefs: { ...backend, filters: httpFilter },
  timeouts: fields("request backendRequest"),
  retry: fields("codes attempts backoff"),
  sessionPersistence,
}

const grpcRule: Fields = {
  name: true,
  matches: { method: fields("type service method"), headers: fields("type name value") },
  filters: filter,
  backendRefs: { ...backend, filters: filter },
  sessionPersistence,
}

const streamRoute = objectFields({
  spec: { ...parents, rules: { name: true, backendRefs: backend } },
  status: true,
})

/** The fields of each kind. */
export const gatewayFields = {
  GatewayClass: objectFields({
    spec: { ...fields("controllerName description"), parametersRef: reference },
    status: true,
  }),
  Gateway: objectFields({
    spec: {
      ...fields("gatewayClassName defaultScope"),
      listeners: listener,
      addresses: fields("type value routability"),
      infrastructure: { labels: true, annotations: true, parametersRef: localReference },
      allowedListeners: { namespaces },
      tls: {
        backend: { clientCertificateRef: reference },
        frontend: { default: validation, perPort: { port: true, tls: validation } },
      },
    },
    status: true,
  }),
  ListenerSet: objectFields({ spec: { parentRef: reference, listeners: listener }, status: true }),
  HTTPRoute: objectFields({ spec: { ...parents, hostnames: true, rules: httpRule }, status: true }),
  GRPCRoute: objectFields({ spec: { ...parents, hostnames: true, rules: grpcRule }, status: true }),
  TLSRoute: objectFields({
    spec: { ...parents, hostnames: true, rules: { name: true, backendRefs: backend } },
    status: true,
  }),
  TCPRoute: streamRoute,
  UDPRoute: streamRoute,
  BackendTLSPolicy: objectFields({
    spec: {
      targetRefs: fields("group kind name sectionName"),
      validation: {
        caCertificateRefs: localReference,
        ...fields("wellKnownCACertificates hostname"),
        subjectAltNames: fields("type hostname uri"),
      },
      options: true,
    },
    status: true,
  }),
  ReferenceGrant: objectFields({
    spec: { from: fields("group kind namespace"), to: fields("group kind name") },
    status: true,
  }),
} as const satisfies Readonly<Record<string, Fields>>
