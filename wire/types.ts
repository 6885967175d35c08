// What values may be: in JSON, and as bytes of a record's field. Numbers are little endian.

/** A whole number. */
export interface NumberType {
  readonly kind: "number"
  /** in a record */
  readonly bytes: 1 | 2 | 4 | 8
  readonly min: number
  readonly max: number
  /** what the filter says when it is none */
  readonly wanted: string
}

/** One word of several: u8 in a record, the word's place and `first`. */
interface WordType {
  readonly kind: "word"
  readonly words: readonly string[]
  readonly first: number
}

/** Words of several between single blanks: u32 in a record, a bit for each by its place. */
interface WordsType {
  readonly kind: "words"
  readonly words: readonly string[]
}

/** Everything else; the filter and the modules have a reader of each. */
interface OtherType {
  readonly kind: "other"
  /** in TypeScript */
  readonly json: string
  /** in a record; absent: in none, or in fields of its own */
  readonly record?: string
  /** if that is always the same number */
  readonly bytes?: number
}

export type ValueType = NumberType | WordType | WordsType | OtherType

const max = 2 ** 31 - 1

/** Algorithms that a backend is given by name; the others follow from its settings. */
export const namedAlgorithms = ["round_robin", "ewma", "least_conn", "p2c"] as const
const verify = ["on", "optional", "optional_no_ca"] as const

export const types = {
  status: number(2, 400, 599, "A status from 400 to 599 is expected"),
  redirect_code: number(2, 300, 308, "A status from 300 to 308 is expected"),
  milliseconds: number(8, 1, max, "Milliseconds from 1 to 2147483647 are expected"),
  milliseconds_or_none: number(8, 0, max, "Milliseconds from 0 to 2147483647 are expected"),
  tries_or_none: number(8, 0, max, "A number of tries from 0 to 2147483647 is expected"),
  bytes_or_none: number(8, 0, 2 ** 53, "A number of bytes from 0 to 2^53 is expected"),
  buffer_bytes: number(8, 1, max, "A number of bytes from 1 to 2147483647 is expected"),
  buffers: number(8, 1, max, "A number of buffers from 1 to 2147483647 is expected"),
  depth: number(4, 1, 100, "A depth from 1 to 100 is expected"),
  moment: number(8, 0, 2 ** 53, "Milliseconds since 1970 are expected"),
  weight: number(2, 1, 100, "A weight from 1 to 100 is expected"),
  window: number(4, 1, max, "Milliseconds from 1 to 2147483647 are expected"),
  failures: number(4, 1, 1000, "A number of failures from 1 to 1000 is expected"),
  limit: number(4, 1, max, "A limit from 1 to 2147483647 is expected"),
  burst_multiplier: number(4, 0, max, "A multiplier from 0 to 2147483647 is expected"),
  ipv6_bits: number(1, 1, 128, "A prefix length from 1 to 128 is expected"),
  subset_size: number(4, 0, max, "A number of endpoints from 0 to 2147483647 is expected"),
  cached_status: number(2, 0, 599, "A status from 100 to 599, or 0, is expected"),
  policy_needs: number(4, 0, 31, "A sum of the needs of a policy, 0 to 31, is expected"),
  code_set: number(8, 0, 2 ** 50 - 1, "A bit for each of fifty codes is expected"),
  datagrams: number(4, 0, max, "A number of datagrams from 0 to 2147483647 is expected"),
  cache_seconds: number(4, 0, max, "Seconds from 0 to 2147483647 are expected"),
  split_weight: number(4, 0, 1_000_000, "A weight from 0 to 1000000 is expected"),
  retry_code: number(2, 400, 599, "A status from 400 to 599 is expected"),
  part: number(4, 0, max, "A number from 0 to 2147483647 is expected"),
  whole: number(4, 1, max, "A number from 1 to 2147483647 is expected"),
  step_skip: number(2, 0, 255, "A number of steps from 0 to 255 is expected"),
  step_level: number(1, 1, 63, "The number of a level from 1 to 63 is expected"),
  as_number: number(4, 1, 2 ** 32 - 1, "The number of an autonomous system, 1 to 4294967295, is expected"),
  return_code: number(2, 0, 999, "A status from 0 to 999 is expected"),
  header_status: number(2, 100, 999, "A status from 100 to 999 is expected"),
  page_code: number(2, 300, 599, "A status from 300 to 599 is expected"),
  connection_limit: number(2, 1, 65_535, "A number of connections from 1 to 65535 is expected"),

  match: word(
    0,
    "exact",
    "prefix",
    "regex",
    "string_prefix",
    "string_prefix_final",
    "pattern",
    "pattern_any_case",
  ),
  condition_of: word(1, "method", "header", "query", "scheme"),
  value_match: word(1, "exact", "regex"),
  step_op: word(1, "set", "if", "rewrite", "return", "break"),
  step_test: word(
    1,
    "filled",
    "equal",
    "unequal",
    "match",
    "match_any_case",
    "mismatch",
    "mismatch_any_case",
  ),
  rewrite_flag: word(1, "none", "last", "break", "redirect", "permanent"),
  header_op: word(1, "add", "set", "clear", "append"),
  input_header_op: word(1, "set", "clear"),
  log_level: word(1, "info", "notice", "warn", "error"),
  access_action: word(1, "allow", "deny"),
  verify: word(1, ...verify, "required"),
  host_verify: word(1, ...verify, "off", "required"),
  samesite: word(1, "None", "Lax", "Strict"),
  same_site_change: word(1, "strict", "lax", "none", "off"),
  algorithm: word(
    0,
    "round_robin",
    "ewma",
    "chash",
    "chashsubset",
    "sticky_balanced",
    "sticky_persistent",
    "least_conn",
    "p2c",
    "custom",
  ),
  zone: word(0, "none", "ours", "another"),
  next_upstream: {
    kind: "words",
    words: [
      "error",
      "timeout",
      "invalid_header",
      "http_500",
      "http_502",
      "http_503",
      "http_504",
      "http_403",
      "http_404",
      "http_429",
      "non_idempotent",
      "off",
    ],
  },

  satisfy: word(1, "all", "any"),
  proxy_protocol: word(1, "v1", "v2"),
  tls_version: word(1, "TLSv1.2", "TLSv1.3"),

  flag: { kind: "other", json: "boolean", record: "u8: 0, 1", bytes: 1 },
  mark: { kind: "other", json: "boolean", record: "u8: 1 (absent: no)", bytes: 1 },
  text: { kind: "other", json: "string", record: "text" },
  /** begins with a slash */
  path: { kind: "other", json: "string", record: "text" },
  /** not empty */
  label: { kind: "other", json: "string", record: "text" },
  template: { kind: "other", json: "string", record: "template" },
  /** not empty, and short */
  line: { kind: "other", json: "string", record: "text" },
  token: { kind: "other", json: "string", record: "text" },
  tokens: { kind: "other", json: "readonly string[]", record: "text" },
  attribute: { kind: "other", json: "string", record: "text" },
  id: { kind: "other", json: "string", record: "text" },
  ids: { kind: "other", json: "readonly string[]", record: "text" },
  part_ids: { kind: "other", json: "readonly string[]", record: "text" },
  /** of the thing itself: it is in the key, not in the record */
  name: { kind: "other", json: "string" },
  server: { kind: "other", json: "string" },
  /** of another host */
  host_name: { kind: "other", json: "string", record: "text" },
  ciphers: { kind: "other", json: "string", record: "text" },
  der: { kind: "other", json: "string", record: "DER" },
  ders: { kind: "other", json: "readonly string[]", record: "DER" },
  crls: { kind: "other", json: "readonly string[]", record: "DER" },
  conditions: { kind: "other", json: "readonly PostedCondition[]", record: "the fields of a condition" },
  server_names: {
    kind: "other",
    json: "readonly PostedServerName[]",
    record: "the fields of a server name",
  },
  stream_tls: { kind: "other", json: "PostedStreamTls", record: "the fields of a stream's TLS" },
  stream_backend_tls: {
    kind: "other",
    json: "PostedStreamBackendTls",
    record: "the fields of a stream's TLS to its endpoint",
  },
  backend_tls: { kind: "other", json: "PostedBackendTls", record: "the fields of TLS towards a backend" },
  split: {
    kind: "other",
    json: "readonly PostedWeightedBackend[]",
    record: "the fields of a weighted backend",
  },
  actions: { kind: "other", json: "PostedActions", record: "the fields of actions" },
  mirrors: { kind: "other", json: "readonly PostedMirror[]", record: "the fields of a mirror" },
  retry_codes: { kind: "other", json: "readonly number[]", record: "u16" },
  waf: { kind: "other", json: "PostedWaf", record: "the fields of a WAF" },
  /** SHA-256 in hexadecimal digits */
  rules_digest: { kind: "other", json: "string", record: "text" },
  script: { kind: "other", json: "PostedScript", record: "the fields of a script" },
  steps: { kind: "other", json: "readonly PostedStep[]", record: "the fields of a step" },
  levels: { kind: "other", json: "readonly PostedLevel[]", record: "the fields of a level" },
  response_headers: {
    kind: "other",
    json: "readonly PostedResponseHeader[]",
    record: "the fields of a response header",
  },
  input_headers: {
    kind: "other",
    json: "readonly PostedInputHeader[]",
    record: "the fields of an input header",
  },
  error_pages: {
    kind: "other",
    json: "readonly PostedErrorPage[]",
    record: "the fields of an error page",
  },
  request_limits: {
    kind: "other",
    json: "readonly PostedRequestLimit[]",
    record: "the fields of a request limit",
  },
  connection_limits: {
    kind: "other",
    json: "readonly PostedConnectionLimit[]",
    record: "the fields of a connection limit",
  },
  assignments: {
    kind: "other",
    json: "readonly PostedAssignment[]",
    record: "u8 length · name · template",
  },
  replacements: {
    kind: "other",
    json: "readonly PostedReplacement[]",
    record: "the fields of a replacement",
  },
  flags_of_cookies: {
    kind: "other",
    json: "readonly PostedCookieFlags[]",
    record: "the fields of cookie flags",
  },
  /** may have control characters */
  step_text: { kind: "other", json: "string", record: "text" },
  /** not empty */
  step_pattern: { kind: "other", json: "string", record: "text" },
  variable_name: { kind: "other", json: "string", record: "text" },
  lines: { kind: "other", json: "readonly string[]", record: "text" },
  header_statuses: { kind: "other", json: "readonly number[]", record: "u16" },
  page_codes: { kind: "other", json: "readonly number[]", record: "u16" },
  redirect: { kind: "other", json: "PostedRedirect", record: "u16 code · template" },
  variables: {
    kind: "other",
    json: "Readonly<Record<string, string>>",
    record: "u8 length · name · template",
  },
  headers: { kind: "other", json: "readonly PostedHeader[]", record: "u8 length · name · value" },
  cors: { kind: "other", json: "PostedCors", record: "its fields" },
  limits: { kind: "other", json: "PostedLimits", record: "the fields of limits" },
  limit_by: { kind: "other", json: "readonly string[]", record: "text" },
  origins: { kind: "other", json: "readonly string[]", record: "text" },
  overrides: { kind: "other", json: "PostedOverrides" },
  routes: { kind: "other", json: "readonly PostedRoute[]", record: "the fields of a route" },
  access: { kind: "other", json: "PostedAccess", record: "the fields of an access" },
  password: { kind: "other", json: "PostedPassword", record: "the fields of a password" },
  external_auth: { kind: "other", json: "PostedExternalAuth", record: "the fields of an external auth" },
  cache_durations: {
    kind: "other",
    json: "readonly PostedCacheDuration[]",
    record: "u16 status · u32 seconds",
  },
  client_certificate: { kind: "other", json: "PostedClientCertificate" },
  client_verification: { kind: "other", json: "PostedClientVerification" },
  /** of another thing */
  backend_name: { kind: "other", json: "string", record: "text" },
  ranges: {
    kind: "other",
    json: "readonly string[]",
    record: "u8 bits · 4 or 16 address bytes, network order",
  },
  /** `all`, `unix:`, or a network as address/bits */
  access_from: { kind: "other", json: "string" },
  access_rules: {
    kind: "other",
    json: "readonly PostedAccessRule[]",
    record:
      "u8: 1 allow, 2 deny · of `all` nothing, of `unix:` a byte 0, of a network u8 bits · 4 or 16 address bytes, network order",
  },
  /** ISO 3166-1, two capital letters */
  countries: { kind: "other", json: "readonly string[]", record: "text" },
  as_numbers: { kind: "other", json: "readonly number[]", record: "u32" },
  users: {
    kind: "other",
    json: "readonly PostedUser[]",
    record: "u8 length · name · hash",
  },

  // of backends, whose form is ingress-nginx's: readers take what it posts
  load_balance: { kind: "other", json: "string" },
  endpoints: { kind: "other", json: "readonly PostedEndpoint[]" },
  address: { kind: "other", json: "string" },
  port: { kind: "other", json: "string | number" },
  affinity: { kind: "other", json: "PostedAffinity" },
  affinity_name: { kind: "other", json: "string" },
  affinity_mode: { kind: "other", json: "string" },
  cookie: { kind: "other", json: "PostedCookie" },
  cookie_flag: { kind: "other", json: "boolean" },
  cookie_flags: {
    kind: "other",
    json: "number",
    record: "u8: 1 secure, 2 conditional samesite none, 4 change on failure",
    bytes: 1,
  },
  seconds: { kind: "other", json: "string | number", record: "i64 seconds", bytes: 8 },
  locations: {
    kind: "other",
    json: "Readonly<Record<string, readonly string[]>>",
    record: "u16 length · host, then per path: u16 length · path",
  },
  hash_by: { kind: "other", json: "PostedHashBy" },
  alternatives: { kind: "other", json: "readonly string[]", record: "text" },
  shaping: { kind: "other", json: "PostedShaping" },
  shaping_weight: { kind: "other", json: "number" },
  shaping_total: { kind: "other", json: "number" },
  shaping_weights: { kind: "other", json: "number", record: "u32 weight · u32 total", bytes: 8 },
  slow_start: { kind: "other", json: "PostedSlowStart" },
  outlier_ejection: { kind: "other", json: "PostedOutlierEjection" },
  ejection: { kind: "other", json: "number", record: "u32 failures · u32 ms", bytes: 8 },
  policy: { kind: "other", json: "PostedPolicy" },
  policy_name: { kind: "other", json: "string" },
  digest: { kind: "other", json: "string" },
  policy_config: { kind: "other", json: "string", record: "text" },
  policy_version: { kind: "other", json: "string", record: "text, `NAME@DIGEST`" },
  endpoint_zones: { kind: "other", json: "string", record: "u8 per endpoint: 0 none, 1 ours, 2 another" },
  /** accepted, and nothing comes of it */
  ignored: { kind: "other", json: "unknown" },
} as const satisfies Readonly<Record<string, ValueType>>

export type Type = keyof typeof types

function number(bytes: NumberType["bytes"], min: number, max: number, wanted: string): NumberType {
  return { kind: "number", bytes, min, max, wanted }
}

function word<const Words extends readonly string[]>(first: number, ...words: Words) {
  return { kind: "word", first, words } as const
}

namedAlgorithms satisfies readonly (typeof types.algorithm.words)[number][]
