// Printed by `npm run wire` from wire/: change it there.

/** Where the fields of the attempt record begin, in bytes. */
export const at = {
  size: 0,
  attempt: 4,
  tag: 8,
  tried: 12,
  tags: 16,
  wants: 80,
  outcome: 84,
  status: 88,
  version: 92,
  note: 96,
  now: 104,
  connectTime: 112,
  firstByteTime: 120,
  keyLength: 128,
  key: 132,
} as const

/** Bytes of the attempt record. */
export const recordBytes = {
  filter: 392,
  policy: 4228,
} as const

/** Tags of earlier attempts that fit. */
export const maxTags = 16
/** No tag, and no key. */
export const none = 0xffff_ffff
/** Version of what the host adds to Proxy-Wasm. */
export const hostVersion = 1
/** Version of the ABI of policies. */
export const policyVersion = 1

/** Bits of `wants`: what a filter wants to hear of an attempt. */
export const Want = {
  info: 1,
  times: 2,
} as const

/** Bits that a policy finds in the place of the outcome, in select. */
export const Flag = {
  avoids: 1,
} as const

/** What became of an attempt. */
export const Outcome = {
  answered: 0,
  notConnected: 1,
  noHead: 2,
  failedStatus: 3,
  inconclusive: 4,
} as const

/** Bits of `wick_policy_needs`. */
export const PolicyNeed = {
  running: 1,
  times: 2,
  info: 4,
  own: 8,
  zones: 16,
} as const

/** Kinds of `wick_get_numbers`; 0 to 3 are the policy's own. */
export const NumberKind = {
  running: 4,
  latency: 5,
} as const

/** What a host function answers. */
export const Status = {
  ok: 0,
  notFound: 1,
  badArgument: 2,
  serializationFailure: 3,
  parseFailure: 4,
  badExpression: 5,
  invalidMemoryAccess: 6,
  empty: 7,
  casMismatch: 8,
  resultMismatch: 9,
  internalFailure: 10,
  brokenConnection: 11,
  unimplemented: 12,
} as const

/** What a callback of a stream wants: to go on, or to wait. */
export const Action = {
  continue: 0,
  pause: 1,
} as const

/** What `proxy_get_buffer_bytes` can read. */
export const BufferKind = {
  httpRequestBody: 0,
  httpResponseBody: 1,
  downstreamData: 2,
  upstreamData: 3,
  httpCallResponseBody: 4,
  grpcCallMessage: 5,
  vmConfiguration: 6,
  pluginConfiguration: 7,
  foreignFunctionArguments: 8,
  upstreamConfiguration: 9,
} as const

/** The header maps. */
export const MapKind = {
  httpRequestHeaders: 0,
  httpRequestTrailers: 1,
  httpResponseHeaders: 2,
  httpResponseTrailers: 3,
  grpcCallInitialMetadata: 4,
  grpcCallTrailingMetadata: 5,
  httpCallResponseHeaders: 6,
  httpCallResponseTrailers: 7,
  httpUpstreamResponseHeaders: 8,
} as const

/** Foreign functions that filters may call. */
export type FilterFunction =
  | "wick_set_callbacks"
  | "wick_set_shared_data_many"
  | "wick_shared_data_version"
  | "wick_list_shared_data"
  | "wick_expand"
  | "wick_get_cookie"
  | "wick_set_cookie"
  | "wick_match"
  | "wick_check_pattern"
  | "wick_open_slots"
  | "wick_find_slots"
  | "wick_get_slots"
  | "wick_add_slot"
  | "wick_swap_slot"
  | "wick_set_policy"
  | "wick_drop_policy"
  | "wick_pick"
  | "wick_report"

/** Foreign functions that policies may call. */
export type PolicyFunction =
  | "wick_get_endpoints"
  | "wick_get_endpoint_address"
  | "wick_get_avoided"
  | "wick_get_numbers"
  | "wick_add_number"
  | "wick_swap_number"
  | "wick_choose_endpoint"
  | "wick_get_attempt"
  | "wick_get_cookie"

/** Variables of nginx that the filter knows, as properties. */
export const properties = {
  proxyUpstreamName: "ngx\0proxy_upstream_name",
  proxyAlternativeUpstreamName: "ngx\0proxy_alternative_upstream_name",
  routeSession: "ngx\0route_session",
  ingressHost: "ngx\0ingress_host",
  locationPath: "ngx\0location_path",
  https: "ngx\0https",
  http: "ngx\0http_",
  cookie: "ngx\0cookie_",
} as const
