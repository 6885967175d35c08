// Printed by `npm run wire` from wire/: change it there.

export interface PostedBackend {
  readonly name: string
  readonly "load-balance"?: string | undefined
  readonly endpoints?: readonly PostedEndpoint[] | undefined
  readonly service?: unknown
  readonly port?: unknown
  readonly sslPassthrough?: unknown
  readonly sessionAffinityConfig?: PostedAffinity | undefined
  readonly upstreamHashByConfig?: PostedHashBy | undefined
  readonly noServer?: boolean | undefined
  readonly trafficShapingPolicy?: PostedShaping | undefined
  readonly alternativeBackends?: readonly string[] | undefined
  readonly slowStart?: PostedSlowStart | undefined
  readonly outlierEjection?: PostedOutlierEjection | undefined
  readonly policy?: PostedPolicy | undefined
}

export interface PostedEndpoint {
  readonly address: string
  readonly port: string | number
  readonly weight?: number | undefined
  readonly zone?: "none" | "ours" | "another" | undefined
}

export interface PostedAffinity {
  readonly name?: string | undefined
  readonly mode?: string | undefined
  readonly cookieSessionAffinity?: PostedCookie | undefined
}

export interface PostedCookie {
  readonly name?: string | undefined
  readonly expires?: string | number | undefined
  readonly maxage?: string | number | undefined
  readonly locations?: Readonly<Record<string, readonly string[]>> | undefined
  readonly sessions_of?: string | undefined
  readonly secure?: boolean | undefined
  readonly path?: string | undefined
  readonly domain?: string | undefined
  readonly samesite?: "None" | "Lax" | "Strict" | undefined
  readonly conditional_samesite_none?: boolean | undefined
  readonly change_on_failure?: boolean | undefined
}

export interface PostedHashBy {
  readonly "upstream-hash-by"?: string | undefined
  readonly "upstream-hash-by-subset"?: boolean | undefined
  readonly "upstream-hash-by-subset-size"?: number | undefined
}

export interface PostedShaping {
  readonly weight?: number | undefined
  readonly weightTotal?: number | undefined
  readonly header?: string | undefined
  readonly headerValue?: string | undefined
  readonly headerPattern?: string | undefined
  readonly cookie?: string | undefined
}

export interface PostedSlowStart {
  readonly window_ms: number
}

export interface PostedOutlierEjection {
  readonly failures: number
  readonly ejection_ms: number
}

export interface PostedPolicy {
  readonly name: string
  readonly digest: string
  readonly config?: string | undefined
  readonly needs?: number | undefined
}

export interface PostedHost {
  readonly host: string
  readonly server?: string | undefined
  readonly routes: readonly PostedRoute[]
  readonly parts?: readonly string[] | undefined
  readonly closed?: boolean | undefined
  readonly alias_of?: string | undefined
  readonly script?: PostedScript | undefined
  readonly listener?: string | undefined
  readonly client_certificate?: PostedClientCertificate | undefined
  critical?: readonly string[]
}

export interface PostedPlace {
  readonly host: string
  readonly server?: string | undefined
}

export interface PostedRoutePart {
  readonly id: string
  readonly routes: readonly PostedRoute[]
}

export interface PostedClientCertificate {
  readonly authority: string
  readonly verify: "on" | "optional" | "optional_no_ca" | "off" | "required"
  readonly match_cn?: string | undefined
  readonly error_page?: string | undefined
  readonly pass_certificate?: boolean | undefined
  critical?: readonly string[]
}

export interface PostedRoute {
  readonly path: string
  readonly match:
    | "exact"
    | "prefix"
    | "regex"
    | "string_prefix"
    | "string_prefix_final"
    | "pattern"
    | "pattern_any_case"
  readonly location: string
  readonly backend: string
  readonly namespace?: string | undefined
  readonly ingress_name?: string | undefined
  readonly service_name?: string | undefined
  readonly service_port?: string | undefined
  readonly location_path?: string | undefined
  readonly status?: number | undefined
  readonly redirect?: PostedRedirect | undefined
  readonly https_redirect?: PostedRedirect | undefined
  readonly rewrite?: string | undefined
  readonly log_rewrite?: boolean | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly headers?: readonly PostedHeader[] | undefined
  readonly access?: PostedAccess | undefined
  readonly cors?: PostedCors | undefined
  readonly limits?: PostedLimits | undefined
  readonly trace?: boolean | undefined
  readonly trace_begins?: boolean | undefined
  readonly span_name?: string | undefined
  readonly rewrite_raw?: boolean | undefined
  readonly conditions?: readonly PostedCondition[] | undefined
  readonly split?: readonly PostedWeightedBackend[] | undefined
  readonly script?: PostedScript | undefined
  readonly no_slash_redirect?: boolean | undefined
  readonly within?: string | undefined
  readonly actions?: PostedActions | undefined
  readonly waf?: PostedWaf | undefined
  readonly backend_tls?: PostedBackendTls | undefined
  readonly rule?: string | undefined
  readonly overrides?: PostedOverrides | undefined
  critical?: readonly string[]
}

export interface PostedAccess {
  readonly allow?: string | undefined
  readonly deny?: string | undefined
  readonly satisfy?: "all" | "any" | undefined
  readonly basic?: PostedPassword | undefined
  readonly digest?: PostedPassword | undefined
  readonly external?: PostedExternalAuth | undefined
  readonly rules?: readonly PostedAccessRule[] | undefined
  readonly allow_countries?: readonly string[] | undefined
  readonly deny_countries?: readonly string[] | undefined
  readonly allow_asns?: readonly number[] | undefined
  readonly deny_asns?: readonly number[] | undefined
  critical?: readonly string[]
}

export interface PostedPassword {
  readonly users: string
  readonly realm: string
}

export interface PostedExternalAuth {
  readonly location: string
  readonly backend: string
  readonly target: string
  readonly host: string
  readonly method?: string | undefined
  readonly headers?: readonly PostedHeader[] | undefined
  readonly response_headers?: readonly string[] | undefined
  readonly signin?: string | undefined
  readonly request_redirect?: string | undefined
  readonly always_set_cookie?: boolean | undefined
  readonly cache_key?: string | undefined
  readonly cache_durations?: readonly PostedCacheDuration[] | undefined
  readonly is_filter?: boolean | undefined
  readonly request_headers?: readonly string[] | undefined
  readonly backend_tls?: PostedBackendTls | undefined
  critical?: readonly string[]
}

export interface PostedCacheDuration {
  readonly status: number
  readonly seconds: number
}

export interface PostedAccessRule {
  readonly action: "allow" | "deny"
  readonly from: string
}

export interface PostedScript {
  readonly steps?: readonly PostedStep[] | undefined
  readonly levels?: readonly PostedLevel[] | undefined
  critical?: readonly string[]
}

export interface PostedStep {
  readonly op: "set" | "if" | "rewrite" | "return" | "break"
  readonly name?: string | undefined
  readonly value?: string | undefined
  readonly test?:
    | "filled"
    | "equal"
    | "unequal"
    | "match"
    | "match_any_case"
    | "mismatch"
    | "mismatch_any_case"
    | undefined
  readonly pattern?: string | undefined
  readonly against?: string | undefined
  readonly skip?: number | undefined
  readonly level?: number | undefined
  readonly code?: number | undefined
  readonly flag?: "none" | "last" | "break" | "redirect" | "permanent" | undefined
  readonly drops_args?: boolean | undefined
  readonly is_url?: boolean | undefined
  critical?: readonly string[]
}

export interface PostedLevel {
  readonly response_headers?: readonly PostedResponseHeader[] | undefined
  readonly upstream_headers?: readonly PostedHeader[] | undefined
  readonly input_headers?: readonly PostedInputHeader[] | undefined
  readonly hides?: readonly string[] | undefined
  readonly passes?: readonly string[] | undefined
  readonly expires?: string | undefined
  readonly limit_rate?: string | undefined
  readonly limit_rate_after?: string | undefined
  readonly access_log_off?: boolean | undefined
  readonly default_type?: string | undefined
  readonly error_pages?: readonly PostedErrorPage[] | undefined
  readonly auth_variables?: readonly PostedAssignment[] | undefined
  readonly request_limits?: readonly PostedRequestLimit[] | undefined
  readonly connection_limits?: readonly PostedConnectionLimit[] | undefined
  readonly limit_req_dry_run?: boolean | undefined
  readonly limit_conn_dry_run?: boolean | undefined
  readonly limit_req_log_level?: "info" | "notice" | "warn" | "error" | undefined
  readonly limit_conn_log_level?: "info" | "notice" | "warn" | "error" | undefined
  readonly limit_req_status?: number | undefined
  readonly limit_conn_status?: number | undefined
  readonly redirects?: readonly PostedReplacement[] | undefined
  readonly cookie_domains?: readonly PostedReplacement[] | undefined
  readonly cookie_paths?: readonly PostedReplacement[] | undefined
  readonly cookie_flags?: readonly PostedCookieFlags[] | undefined
  critical?: readonly string[]
}

export interface PostedResponseHeader {
  readonly op: "add" | "set" | "clear" | "append"
  readonly name: string
  readonly value?: string | undefined
  readonly always?: boolean | undefined
  readonly statuses?: readonly number[] | undefined
  readonly types?: readonly string[] | undefined
  critical?: readonly string[]
}

export interface PostedInputHeader {
  readonly op: "set" | "clear"
  readonly name: string
  readonly value?: string | undefined
  readonly replaces?: boolean | undefined
  readonly types?: readonly string[] | undefined
  critical?: readonly string[]
}

export interface PostedErrorPage {
  readonly codes: readonly number[]
  readonly code?: number | undefined
  readonly to: string
}

export interface PostedRequestLimit {
  readonly zone: string
  readonly burst?: number | undefined
  readonly delay?: number | undefined
  readonly no_delay?: boolean | undefined
  critical?: readonly string[]
}

export interface PostedConnectionLimit {
  readonly zone: string
  readonly connections: number
}

export interface PostedReplacement {
  readonly from?: string | undefined
  readonly pattern?: string | undefined
  readonly any_case?: boolean | undefined
  readonly to: string
  critical?: readonly string[]
}

export interface PostedCookieFlags {
  readonly cookie?: string | undefined
  readonly pattern?: string | undefined
  readonly any_case?: boolean | undefined
  readonly secure?: boolean | undefined
  readonly http_only?: boolean | undefined
  readonly same_site?: "strict" | "lax" | "none" | "off" | undefined
  critical?: readonly string[]
}

export interface PostedAssignment {
  readonly name: string
  readonly value: string
}

export interface PostedCondition {
  readonly of: "method" | "header" | "query" | "scheme"
  readonly name?: string | undefined
  readonly match?: "exact" | "regex" | undefined
  readonly value: string
  critical?: readonly string[]
}

export interface PostedWeightedBackend {
  readonly weight: number
  readonly backend: string
  readonly service_name?: string | undefined
  readonly service_port?: string | undefined
  readonly status?: number | undefined
  readonly actions?: PostedActions | undefined
  readonly location?: string | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly backend_tls?: PostedBackendTls | undefined
  critical?: readonly string[]
}

export interface PostedActions {
  readonly set_request_headers?: readonly PostedHeader[] | undefined
  readonly add_request_headers?: readonly PostedHeader[] | undefined
  readonly set_response_headers?: readonly PostedHeader[] | undefined
  readonly add_response_headers?: readonly PostedHeader[] | undefined
  readonly path?: string | undefined
  readonly path_prefix?: boolean | undefined
  readonly request_timeout_ms?: number | undefined
  readonly backend_timeout_ms?: number | undefined
  readonly retry_codes?: readonly number[] | undefined
  readonly mirrors?: readonly PostedMirror[] | undefined
  critical?: readonly string[]
}

export interface PostedWaf {
  readonly owner: string
  readonly rules: string
  readonly transaction_id?: string | undefined
  readonly fail_open?: boolean | undefined
}

export interface PostedBackendTls {
  readonly authority?: string | undefined
  readonly depth?: number | undefined
  readonly alternative_names?: readonly string[] | undefined
  readonly certificate?: string | undefined
  readonly sends_name?: boolean | undefined
  readonly ciphers?: string | undefined
  readonly version?: "TLSv1.2" | "TLSv1.3" | undefined
  critical?: readonly string[]
}

export interface PostedMirror {
  readonly backend: string
  readonly location?: string | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly numerator?: number | undefined
  readonly denominator?: number | undefined
  readonly backend_tls?: PostedBackendTls | undefined
  critical?: readonly string[]
}

export interface PostedRedirect {
  readonly code: number
  readonly to: string
}

export interface PostedHeader {
  readonly name: string
  readonly value: string
}

export interface PostedCors {
  readonly origins: readonly string[]
  readonly allow_methods?: string | undefined
  readonly allow_headers?: string | undefined
  readonly expose_headers?: string | undefined
  readonly max_age: string
  readonly credentials?: boolean | undefined
  readonly gateway?: boolean | undefined
}

export interface PostedLimits {
  readonly key: string
  readonly rps?: number | undefined
  readonly rpm?: number | undefined
  readonly burst_multiplier?: number | undefined
  readonly connections?: number | undefined
  readonly exempt?: string | undefined
  readonly by?: readonly string[] | undefined
  readonly ipv6_bits?: number | undefined
  readonly headers?: boolean | undefined
  critical?: readonly string[]
}

export interface PostedOverrides {
  readonly proxy_connect_timeout_ms?: number | undefined
  readonly proxy_send_timeout_ms?: number | undefined
  readonly proxy_read_timeout_ms?: number | undefined
  readonly client_max_body_size_bytes?: number | undefined
  readonly proxy_next_upstream?: string | undefined
  readonly proxy_next_upstream_tries?: number | undefined
  readonly proxy_next_upstream_timeout_ms?: number | undefined
  readonly proxy_buffer_size_bytes?: number | undefined
  readonly proxy_buffers_number?: number | undefined
  readonly proxy_busy_buffers_size_bytes?: number | undefined
  readonly proxy_buffering?: boolean | undefined
  readonly proxy_request_buffering?: boolean | undefined
  readonly proxy_max_temp_file_size_bytes?: number | undefined
  readonly client_body_buffer_size_bytes?: number | undefined
  readonly absolute_redirect?: boolean | undefined
  readonly port_in_redirect?: boolean | undefined
  readonly limit_rate_bytes?: number | undefined
  readonly limit_rate_after_bytes?: number | undefined
  readonly client_body_timeout_ms?: number | undefined
  readonly send_timeout_ms?: number | undefined
  readonly error_pages_400?: number | undefined
  readonly error_pages_450?: number | undefined
  readonly error_pages_500?: number | undefined
  readonly error_pages_550?: number | undefined
  readonly proxy_intercept_errors?: boolean | undefined
  readonly limit_req_status?: number | undefined
  readonly limit_conn_status?: number | undefined
}

export interface PostedAddressList {
  readonly id: string
  readonly ranges: readonly string[]
}

export interface PostedUserList {
  readonly id: string
  readonly users: readonly PostedUser[]
}

export interface PostedUser {
  readonly name: string
  readonly hash: string
}

export interface PostedCertificate {
  readonly id: string
  readonly chain: readonly string[]
  readonly key: string
}

export interface PostedStaple {
  readonly certificate: string
  readonly response: string
  readonly until_ms: number
}

export interface PostedAuthority {
  readonly id: string
  readonly certificates: readonly string[]
  readonly crls: readonly string[]
}

export interface PostedTlsHost {
  readonly host: string
  readonly certificates?: readonly string[] | undefined
  readonly ciphers?: string | undefined
  readonly prefer_server_ciphers?: boolean | undefined
  readonly listener?: string | undefined
  readonly client_certificate?: PostedClientVerification | undefined
  critical?: readonly string[]
}

export interface PostedClientVerification {
  readonly authority: string
  readonly verify: "on" | "optional" | "optional_no_ca" | "required"
  readonly depth: number
}

export interface PostedPassthrough {
  readonly host: string
  readonly backend: string
}

export interface PostedStream {
  readonly name: string
  readonly backend: string
  readonly namespace?: string | undefined
  readonly service_name?: string | undefined
  readonly service_port?: string | undefined
  readonly source?: string | undefined
  readonly accepts_proxy_protocol?: boolean | undefined
  readonly sends_proxy_protocol?: "v1" | "v2" | undefined
  readonly proxy_timeout_ms?: number | undefined
  readonly proxy_connect_timeout_ms?: number | undefined
  readonly next_upstream?: boolean | undefined
  readonly next_upstream_timeout_ms?: number | undefined
  readonly next_upstream_tries?: number | undefined
  readonly responses?: number | undefined
  readonly requests?: number | undefined
  readonly allow?: string | undefined
  readonly deny?: string | undefined
  readonly connections?: number | undefined
  readonly connections_per_second?: number | undefined
  readonly upload_bytes?: number | undefined
  readonly download_bytes?: number | undefined
  readonly proxy_protocol_timeout_ms?: number | undefined
  readonly names?: readonly PostedServerName[] | undefined
  readonly tls?: PostedStreamTls | undefined
  readonly backend_tls?: PostedStreamBackendTls | undefined
  readonly drain_ms?: number | undefined
  critical?: readonly string[]
}

export interface PostedServerName {
  readonly host: string
  readonly backend: string
  readonly namespace?: string | undefined
  readonly service_name?: string | undefined
  readonly service_port?: string | undefined
  readonly tls?: PostedStreamTls | undefined
  readonly backend_tls?: PostedStreamBackendTls | undefined
  critical?: readonly string[]
}

export interface PostedStreamTls {
  readonly certificates: readonly string[]
  readonly authority?: string | undefined
  readonly verify?: "on" | "optional" | "optional_no_ca" | "required" | undefined
  readonly depth?: number | undefined
  readonly alpn?: readonly string[] | undefined
  critical?: readonly string[]
}

export interface PostedStreamBackendTls {
  readonly server_name?: string | undefined
  readonly authority?: string | undefined
  readonly depth?: number | undefined
  readonly alternative_names?: readonly string[] | undefined
  readonly certificate?: string | undefined
  critical?: readonly string[]
}

/** The fields without which an object must not be served. Those that an object always has are known to its readers. */
export const criticalFields = {
  Host: ["parts", "closed", "alias_of", "script", "listener", "client_certificate"],
  ClientCertificate: ["match_cn"],
  Route: [
    "status",
    "redirect",
    "https_redirect",
    "rewrite",
    "access",
    "limits",
    "conditions",
    "split",
    "script",
    "within",
    "actions",
    "waf",
    "backend_tls",
  ],
  Access: [
    "allow",
    "deny",
    "satisfy",
    "basic",
    "digest",
    "external",
    "rules",
    "allow_countries",
    "deny_countries",
    "allow_asns",
    "deny_asns",
  ],
  ExternalAuth: [
    "method",
    "headers",
    "response_headers",
    "cache_key",
    "cache_durations",
    "is_filter",
    "request_headers",
    "backend_tls",
  ],
  Script: ["steps", "levels"],
  Step: [
    "name",
    "value",
    "test",
    "pattern",
    "against",
    "skip",
    "level",
    "code",
    "flag",
    "drops_args",
    "is_url",
  ],
  Level: [
    "upstream_headers",
    "input_headers",
    "auth_variables",
    "request_limits",
    "connection_limits",
    "limit_req_dry_run",
    "limit_conn_dry_run",
  ],
  ResponseHeader: ["value", "always", "statuses", "types"],
  InputHeader: ["value", "replaces", "types"],
  RequestLimit: ["burst", "delay", "no_delay"],
  Replacement: ["from", "pattern", "any_case"],
  CookieFlags: ["cookie", "pattern", "any_case", "secure", "http_only", "same_site"],
  Condition: ["name", "match"],
  WeightedBackend: ["status", "actions", "location", "variables", "backend_tls"],
  Actions: ["set_request_headers", "add_request_headers", "path", "path_prefix"],
  BackendTls: ["authority", "depth", "alternative_names", "ciphers", "version"],
  Mirror: ["location", "variables", "numerator", "denominator", "backend_tls"],
  Limits: ["rps", "rpm", "burst_multiplier", "connections", "exempt", "by", "ipv6_bits"],
  TlsHost: ["listener", "client_certificate"],
  Stream: ["allow", "deny", "connections", "connections_per_second", "names", "tls", "backend_tls"],
  ServerName: ["tls", "backend_tls"],
  StreamTls: ["authority", "verify", "depth"],
  StreamBackendTls: ["authority", "depth", "alternative_names"],
} as const

/** What the control API calls the list of each kind. */
export const lists = {
  certificates: "certificates",
  authorities: "authorities",
  staples: "staples",
  backends: "backends",
  tlsHosts: "tls_hosts",
  addressLists: "address_lists",
  userLists: "user_lists",
  routeParts: "route_parts",
  hosts: "routes",
  passthroughs: "passthroughs",
  streams: "streams",
} as const

/** The argument that asks for one thing of a list. */
export const listArguments = {
  certificates: "id",
  authorities: "id",
  staples: "certificate",
  backends: "name",
  tls_hosts: "host",
  address_lists: "id",
  user_lists: "id",
  route_parts: "id",
  routes: "host",
  passthroughs: "host",
  streams: "name",
} as const
