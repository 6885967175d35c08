import * as access from "./access.ts"
import { actions, header, mirror, redirect } from "./actions.ts"
import * as backend from "./backend.ts"
import { backendTls } from "./backend-tls.ts"
import { cors } from "./cors.ts"
import type { Fields } from "./field.ts"
import * as host from "./host.ts"
import { level } from "./level.ts"
import * as ofLevel from "./level-settings.ts"
import { limits as routeLimits } from "./limits.ts"
import { overrides } from "./overrides.ts"
import { condition, route } from "./route.ts"
import { script, step } from "./script.ts"
import { weightedBackend } from "./split.ts"
import { serverName, stream, streamBackendTls, streamTls } from "./stream.ts"
import * as tls from "./tls.ts"
import { waf } from "./waf.ts"

// Everything that crosses from the controller through the filter to nginx's modules, said once (docs/wire.md). `npm run wire` prints from it what
// each of the three languages has of it, and the tables of docs/wire.md.

/** Objects as they are posted and shown, by the names that TypeScript and (in capitals) the filter have for their fields. */
export const posted = {
  Backend: backend.backend,
  Endpoint: backend.endpoint,
  Affinity: backend.affinity,
  Cookie: backend.cookie,
  HashBy: backend.hashBy,
  Shaping: backend.shaping,
  SlowStart: backend.slowStart,
  OutlierEjection: backend.outlierEjection,
  Policy: backend.policy,
  Host: host.host,
  Place: host.place,
  RoutePart: host.routePart,
  ClientCertificate: host.clientCertificate,
  Route: route,
  Access: access.access,
  Password: access.password,
  ExternalAuth: access.externalAuth,
  CacheDuration: access.cacheDuration,
  AccessRule: access.accessRule,
  Script: script,
  Step: step,
  Level: level,
  ResponseHeader: ofLevel.responseHeader,
  InputHeader: ofLevel.inputHeader,
  ErrorPage: ofLevel.errorPage,
  RequestLimit: ofLevel.requestLimit,
  ConnectionLimit: ofLevel.connectionLimit,
  Replacement: ofLevel.replacement,
  CookieFlags: ofLevel.cookieFlags,
  Assignment: ofLevel.assignment,
  Condition: condition,
  WeightedBackend: weightedBackend,
  Actions: actions,
  Waf: waf,
  BackendTls: backendTls,
  Mirror: mirror,
  Redirect: redirect,
  Header: header,
  Cors: cors,
  Limits: routeLimits,
  Overrides: overrides,
  AddressList: access.addressList,
  UserList: access.userList,
  User: access.user,
  Certificate: tls.certificate,
  Staple: tls.staple,
  Authority: tls.authority,
  TlsHost: tls.tlsHost,
  ClientVerification: tls.clientVerification,
  Passthrough: tls.passthrough,
  Stream: stream,
  ServerName: serverName,
  StreamTls: streamTls,
  StreamBackendTls: streamBackendTls,
} satisfies Readonly<Record<string, Fields>>

/** A host, and those that a route consists of, with what the model says of each: its types are printed. */
export const inModel = {
  Host: "What is posted of a host.",
  Route:
    "One path of a host and what serves it. Field meanings, ranges and what a template is: docs/wire.md, ROUTE.",
  Condition: "What a request has to be beside its path.",
  WeightedBackend: "One of several backends of a route.",
  Actions:
    "What becomes of requests of a route, or of one of its backends; texts are literal. Field meanings: docs/wire.md, ACTIONS.",
  Mirror: "A backend that gets copies of requests.",
  Waf: "The web application firewall of a route. Field meanings: docs/wire.md, WAF.",
  BackendTls: "How a backend is spoken to in TLS. Field meanings: docs/wire.md, BACKEND_TLS.",
  Redirect: "An answer that leads elsewhere.",
  Header: "A header; the value is literal, but for those that say that it is a template.",
  Cors: "What pages of other origins may do, as a browser is told (Fetch standard, CORS protocol).",
  Limits:
    "How much a client may request of an Ingress; at least one limit. Field meanings: docs/wire.md, LIMITS.",
  Access: "The checks of a route; at least one.",
  Password: "Basic or Digest authentication: the users, and the realm.",
  ExternalAuth: "A service that is asked whether a request gets in. Templates are those of routes.",
  CacheDuration: "How long an answer of it is kept.",
  AccessRule: "A rule that lets clients of a network in, or refuses them.",
  Script: "What a snippet says, compiled. Field meanings: docs/wire.md, SCRIPT.",
  Step: "One directive of the rewrite module. Templates also know variables of `set` and named groups.",
  Level: "The settings of a location, or of an `if` in it.",
  ResponseHeader: "What becomes of a header of the response.",
  InputHeader: "What becomes of a header of the request.",
  ErrorPage: "What is sent in the place of an error.",
  RequestLimit: "How many requests a zone of nginx's lets in. Field meanings: docs/wire.md, REQUEST_LIMIT.",
  ConnectionLimit: "How many requests at a time a zone of nginx's lets in.",
  Replacement: "What takes the place of a text in the backend's response, or of what it begins with.",
  CookieFlags: "What becomes of the flags of a cookie that the backend sets.",
  Assignment: "A variable, in lower case, and what it becomes.",
  ClientCertificate:
    "What a host asks of its clients. Goes with `TlsHost.clientCertificate` of the same host.",
} as const satisfies Partial<Record<keyof typeof posted, string>>

/** What serves a port, likewise. */
export const streamInModel = {
  Stream: "A port of TCP or UDP and what serves it. Field meanings and ranges: docs/wire.md, STREAM.",
  ServerName: "A server name that clients of a port ask for, and what serves it.",
  StreamTls: "With what TLS of clients ends here.",
  StreamBackendTls: "How an endpoint is spoken to in TLS.",
} as const satisfies Partial<Record<keyof typeof posted, string>>

/** Certificates, and what handshakes get, likewise. */
export const tlsInModel = {
  Certificate: "A certificate with its chain and key. What has the same id is the same.",
  Staple: "The OCSP response that goes with a certificate.",
  Authority: "The authorities that sign the certificates of clients.",
  TlsHost: "What a handshake for a server name gets.",
  ClientVerification: "What a handshake asks of the client.",
  Passthrough: "A server name whose connections are handed on undecrypted.",
} as const satisfies Partial<Record<keyof typeof posted, string>>

/** A backend, likewise. What has no meaning is no object in the model: its members are those of the object that it is posted with. */
export const backendInModel = {
  Backend:
    "One Service port and the endpoints behind it, with how they are chosen. Field meanings and ranges: docs/wire.md, BACKEND.",
  Endpoint: "Where requests can be sent.",
  Affinity: "Sessions by a cookie.",
  Cookie: "The cookie of sessions.",
  HashBy: "Consistent hashing.",
  Shaping: "Which requests an alternative takes: by header, else by cookie, else by chance.",
  SlowStart: "",
  OutlierEjection: "After `failures` failed attempts in a row an endpoint is ejected for `ejectionMs`.",
  Policy: "The balancing policy that chooses.",
} as const satisfies Partial<Record<keyof typeof posted, string>>

/** What the model calls an object, where that is not its name here. */
export const modelNames: Readonly<Record<string, string>> = {
  Affinity: "CookieAffinity",
  Cookie: "AffinityCookie",
  Shaping: "TrafficShaping",
  Policy: "BackendPolicy",
}

/** Lists that checks name, likewise. */
export const listsInModel = {
  AddressList: "Networks of clients. What has the same id is the same.",
  UserList: "Users with passwords. What has the same id is the same.",
  User: "One of them.",
} as const satisfies Partial<Record<keyof typeof posted, string>>

/** Records in the zones, and the parts of one that have fields of their own. */
export const records = {
  backend: { version: 3, fields: backend.settings },
  host: { version: 3, fields: withIds([...host.host, ...host.clientCertificate]) },
  route_part: { version: 3, fields: withIds(host.routePart) },
  route: { fields: withIds([...route, ...overrides]) },
  access: { fields: withIds(access.access) },
  password: { fields: withIds(access.password) },
  user_list: { version: 3, fields: withIds(access.userList) },
  external_auth: { fields: withIds(access.externalAuth) },
  address_list: { version: 3, fields: withIds(access.addressList) },
  condition: { fields: withIds(condition) },
  weighted_backend: { fields: withIds(weightedBackend) },
  actions: { fields: withIds(actions) },
  waf: { fields: withIds(waf) },
  backend_tls: { fields: withIds(backendTls) },
  mirror: { fields: withIds(mirror) },
  script: { fields: withIds(script) },
  step: { fields: withIds(step) },
  level: { fields: withIds(level) },
  response_header: { fields: withIds(ofLevel.responseHeader) },
  input_header: { fields: withIds(ofLevel.inputHeader) },
  error_page: { fields: withIds(ofLevel.errorPage) },
  request_limit: { fields: withIds(ofLevel.requestLimit) },
  connection_limit: { fields: withIds(ofLevel.connectionLimit) },
  replacement: { fields: withIds(ofLevel.replacement) },
  cookie_flags: { fields: withIds(ofLevel.cookieFlags) },
  cors: { fields: withIds(cors) },
  limits: { fields: withIds(routeLimits) },
  pair: { version: 3, fields: withIds(tls.certificate) },
  staple: { version: 3, fields: withIds(tls.staple) },
  authority: { version: 3, fields: withIds(tls.authority) },
  tls_host: { version: 3, fields: withIds([...tls.tlsHost, ...tls.clientVerification]) },
  passthrough: { version: 3, fields: withIds(tls.passthrough) },
  stream: { version: 3, fields: withIds(stream) },
  server_name: { fields: withIds(serverName) },
  stream_tls: { fields: withIds(streamTls) },
  stream_backend_tls: { fields: withIds(streamBackendTls) },
} satisfies Readonly<Record<string, { readonly version?: number; readonly fields: Fields }>>

/** How long and how many: in the filter, which refuses what is more, and in those readers that do so too. */
export const limits = {
  text_bytes: 4096,
  name_bytes: 253,
  id_bytes: 64,
  owner_bytes: 1024,
  variable_bytes: 63,
  server_bytes: 63,
  path_bytes: 65_535,
  ciphers_bytes: 4096,
  chain: 16,
  authority_certificates: 1024,
  authority_crls: 64,
  host_certificates: 4,
  address_ranges: 16_384,
  users: 10_000,
  conditions: 64,
  mirrors: 16,
  server_names: 1024,
  stream_lines: 16,
  steps: 256,
  levels: 64,
  level_items: 256,
  access_rules: 1024,
  countries: 300,
  as_numbers: 1024,
  user_name_bytes: 255,
  password_hash_bytes: 512,
  policy_name_bytes: 63,
  policy_config_bytes: 16_384,
} as const

function withIds(fields: Fields): Fields {
  return fields.filter(({ id }) => id !== undefined)
}
