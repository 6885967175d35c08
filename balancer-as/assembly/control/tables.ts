// Printed by `npm run wire` from wire/: change it there.

import { Field, Fields, NumberType, WordType } from "./field"
import { Type } from "../ids"

/** By their types. */
export const NUMBERS: StaticArray<NumberType> = [
  new NumberType(2, 400, 599, "A status from 400 to 599 is expected"),
  new NumberType(2, 300, 308, "A status from 300 to 308 is expected"),
  new NumberType(8, 1, 2147483647, "Milliseconds from 1 to 2147483647 are expected"),
  new NumberType(8, 0, 2147483647, "Milliseconds from 0 to 2147483647 are expected"),
  new NumberType(8, 0, 2147483647, "A number of tries from 0 to 2147483647 is expected"),
  new NumberType(8, 0, 9007199254740992, "A number of bytes from 0 to 2^53 is expected"),
  new NumberType(8, 1, 2147483647, "A number of bytes from 1 to 2147483647 is expected"),
  new NumberType(8, 1, 2147483647, "A number of buffers from 1 to 2147483647 is expected"),
  new NumberType(4, 1, 100, "A depth from 1 to 100 is expected"),
  new NumberType(8, 0, 9007199254740992, "Milliseconds since 1970 are expected"),
  new NumberType(2, 1, 100, "A weight from 1 to 100 is expected"),
  new NumberType(4, 1, 2147483647, "Milliseconds from 1 to 2147483647 are expected"),
  new NumberType(4, 1, 1000, "A number of failures from 1 to 1000 is expected"),
  new NumberType(4, 1, 2147483647, "A limit from 1 to 2147483647 is expected"),
  new NumberType(4, 0, 2147483647, "A multiplier from 0 to 2147483647 is expected"),
  new NumberType(1, 1, 128, "A prefix length from 1 to 128 is expected"),
  new NumberType(4, 0, 2147483647, "A number of endpoints from 0 to 2147483647 is expected"),
  new NumberType(2, 0, 599, "A status from 100 to 599, or 0, is expected"),
  new NumberType(4, 0, 31, "A sum of the needs of a policy, 0 to 31, is expected"),
  new NumberType(8, 0, 1125899906842623, "A bit for each of fifty codes is expected"),
  new NumberType(4, 0, 2147483647, "A number of datagrams from 0 to 2147483647 is expected"),
  new NumberType(4, 0, 2147483647, "Seconds from 0 to 2147483647 are expected"),
  new NumberType(4, 0, 1000000, "A weight from 0 to 1000000 is expected"),
  new NumberType(2, 400, 599, "A status from 400 to 599 is expected"),
  new NumberType(4, 0, 2147483647, "A number from 0 to 2147483647 is expected"),
  new NumberType(4, 1, 2147483647, "A number from 1 to 2147483647 is expected"),
  new NumberType(2, 0, 255, "A number of steps from 0 to 255 is expected"),
  new NumberType(1, 1, 63, "The number of a level from 1 to 63 is expected"),
  new NumberType(4, 1, 4294967295, "The number of an autonomous system, 1 to 4294967295, is expected"),
  new NumberType(2, 0, 999, "A status from 0 to 999 is expected"),
  new NumberType(2, 100, 999, "A status from 100 to 999 is expected"),
  new NumberType(2, 300, 599, "A status from 300 to 599 is expected"),
  new NumberType(2, 1, 65535, "A number of connections from 1 to 65535 is expected"),
]

export const MATCH_WORD: WordType = new WordType(
  ["exact", "prefix", "regex", "string_prefix", "string_prefix_final", "pattern", "pattern_any_case"],
  0,
  '"exact", "prefix", "regex", "string_prefix", "string_prefix_final", "pattern" or "pattern_any_case" is expected',
)
export const CONDITION_OF_WORD: WordType = new WordType(
  ["method", "header", "query", "scheme"],
  1,
  '"method", "header", "query" or "scheme" is expected',
)
export const VALUE_MATCH_WORD: WordType = new WordType(
  ["exact", "regex"],
  1,
  '"exact" or "regex" is expected',
)
export const STEP_OP_WORD: WordType = new WordType(
  ["set", "if", "rewrite", "return", "break"],
  1,
  '"set", "if", "rewrite", "return" or "break" is expected',
)
export const STEP_TEST_WORD: WordType = new WordType(
  ["filled", "equal", "unequal", "match", "match_any_case", "mismatch", "mismatch_any_case"],
  1,
  '"filled", "equal", "unequal", "match", "match_any_case", "mismatch" or "mismatch_any_case" is expected',
)
export const REWRITE_FLAG_WORD: WordType = new WordType(
  ["none", "last", "break", "redirect", "permanent"],
  1,
  '"none", "last", "break", "redirect" or "permanent" is expected',
)
export const HEADER_OP_WORD: WordType = new WordType(
  ["add", "set", "clear", "append"],
  1,
  '"add", "set", "clear" or "append" is expected',
)
export const INPUT_HEADER_OP_WORD: WordType = new WordType(
  ["set", "clear"],
  1,
  '"set" or "clear" is expected',
)
export const LOG_LEVEL_WORD: WordType = new WordType(
  ["info", "notice", "warn", "error"],
  1,
  '"info", "notice", "warn" or "error" is expected',
)
export const ACCESS_ACTION_WORD: WordType = new WordType(
  ["allow", "deny"],
  1,
  '"allow" or "deny" is expected',
)
export const VERIFY_WORD: WordType = new WordType(
  ["on", "optional", "optional_no_ca", "required"],
  1,
  '"on", "optional", "optional_no_ca" or "required" is expected',
)
export const HOST_VERIFY_WORD: WordType = new WordType(
  ["on", "optional", "optional_no_ca", "off", "required"],
  1,
  '"on", "optional", "optional_no_ca", "off" or "required" is expected',
)
export const SAMESITE_WORD: WordType = new WordType(
  ["None", "Lax", "Strict"],
  1,
  '"None", "Lax" or "Strict" is expected',
)
export const SAME_SITE_CHANGE_WORD: WordType = new WordType(
  ["strict", "lax", "none", "off"],
  1,
  '"strict", "lax", "none" or "off" is expected',
)
export const ALGORITHM_WORD: WordType = new WordType(
  [
    "round_robin",
    "ewma",
    "chash",
    "chashsubset",
    "sticky_balanced",
    "sticky_persistent",
    "least_conn",
    "p2c",
    "custom",
  ],
  0,
  '"round_robin", "ewma", "chash", "chashsubset", "sticky_balanced", "sticky_persistent", "least_conn", "p2c" or "custom" is expected',
)
export const ZONE_WORD: WordType = new WordType(
  ["none", "ours", "another"],
  0,
  '"none", "ours" or "another" is expected',
)
export const NEXT_UPSTREAM_WORDS: StaticArray<string> = [
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
]
export const SATISFY_WORD: WordType = new WordType(["all", "any"], 1, '"all" or "any" is expected')
export const PROXY_PROTOCOL_WORD: WordType = new WordType(["v1", "v2"], 1, '"v1" or "v2" is expected')
export const TLS_VERSION_WORD: WordType = new WordType(
  ["TLSv1.2", "TLSv1.3"],
  1,
  '"TLSv1.2" or "TLSv1.3" is expected',
)

export const BACKEND: Fields = [
  new Field("name", Type.NAME, true, false, 0),
  new Field("load-balance", Type.LOAD_BALANCE, false, false, 0),
  new Field("endpoints", Type.ENDPOINTS, false, false, 0),
  new Field("service", Type.IGNORED, false, false, 0),
  new Field("port", Type.IGNORED, false, false, 0),
  new Field("sslPassthrough", Type.IGNORED, false, false, 0),
  new Field("sessionAffinityConfig", Type.AFFINITY, false, false, 0),
  new Field("upstreamHashByConfig", Type.HASH_BY, false, false, 0),
  new Field("noServer", Type.FLAG, false, false, 0),
  new Field("trafficShapingPolicy", Type.SHAPING, false, false, 0),
  new Field("alternativeBackends", Type.ALTERNATIVES, false, false, 11),
  new Field("slowStart", Type.SLOW_START, false, false, 17),
  new Field("outlierEjection", Type.OUTLIER_EJECTION, false, false, 18),
  new Field("policy", Type.POLICY, false, false, 20),
]

export const ENDPOINT: Fields = [
  new Field("address", Type.ADDRESS, true, false, 0),
  new Field("port", Type.PORT, true, false, 0),
  new Field("weight", Type.WEIGHT, false, false, 0),
  new Field("zone", Type.ZONE, false, false, 0),
]

export const AFFINITY: Fields = [
  new Field("name", Type.AFFINITY_NAME, false, false, 0),
  new Field("mode", Type.AFFINITY_MODE, false, false, 0),
  new Field("cookieSessionAffinity", Type.COOKIE, false, false, 0),
]

export const COOKIE: Fields = [
  new Field("name", Type.TOKEN, false, false, 3),
  new Field("expires", Type.SECONDS, false, false, 5),
  new Field("maxage", Type.SECONDS, false, false, 6),
  new Field("locations", Type.LOCATIONS, false, false, 10),
  new Field("sessions_of", Type.ATTRIBUTE, false, false, 19),
  new Field("secure", Type.COOKIE_FLAG, false, false, 1),
  new Field("path", Type.ATTRIBUTE, false, false, 8),
  new Field("domain", Type.ATTRIBUTE, false, false, 7),
  new Field("samesite", Type.SAMESITE, false, false, 9),
  new Field("conditional_samesite_none", Type.COOKIE_FLAG, false, false, 2),
  new Field("change_on_failure", Type.COOKIE_FLAG, false, false, 4),
]

export const HASH_BY: Fields = [
  new Field("upstream-hash-by", Type.TEXT, false, false, 1),
  new Field("upstream-hash-by-subset", Type.FLAG, false, false, 0),
  new Field("upstream-hash-by-subset-size", Type.SUBSET_SIZE, false, false, 2),
]

export const SHAPING: Fields = [
  new Field("weight", Type.SHAPING_WEIGHT, false, false, 12),
  new Field("weightTotal", Type.SHAPING_TOTAL, false, false, 12),
  new Field("header", Type.TOKEN, false, false, 13),
  new Field("headerValue", Type.TEXT, false, false, 14),
  new Field("headerPattern", Type.TEXT, false, false, 15),
  new Field("cookie", Type.TOKEN, false, false, 16),
]

export const SLOW_START: Fields = [new Field("window_ms", Type.WINDOW, true, false, 0)]

export const OUTLIER_EJECTION: Fields = [
  new Field("failures", Type.FAILURES, true, false, 0),
  new Field("ejection_ms", Type.WINDOW, true, false, 0),
]

export const POLICY: Fields = [
  new Field("name", Type.POLICY_NAME, true, false, 0),
  new Field("digest", Type.DIGEST, true, false, 0),
  new Field("config", Type.POLICY_CONFIG, false, false, 21),
  new Field("needs", Type.POLICY_NEEDS, false, false, 22),
]

export const HOST: Fields = [
  new Field("host", Type.NAME, true, false, 0),
  new Field("server", Type.SERVER, false, false, 0),
  new Field("routes", Type.ROUTES, true, false, 6),
  new Field("parts", Type.PART_IDS, false, true, 7),
  new Field("closed", Type.MARK, false, true, 8),
  new Field("alias_of", Type.HOST_NAME, false, true, 9),
  new Field("script", Type.SCRIPT, false, true, 10),
  new Field("listener", Type.LINE, false, true, 11),
  new Field("client_certificate", Type.CLIENT_CERTIFICATE, false, true, 0),
]

export const PLACE: Fields = [
  new Field("host", Type.NAME, true, false, 0),
  new Field("server", Type.SERVER, false, false, 0),
]

export const ROUTE_PART: Fields = [
  new Field("id", Type.NAME, true, false, 0),
  new Field("routes", Type.ROUTES, true, false, 6),
]

export const CLIENT_CERTIFICATE: Fields = [
  new Field("authority", Type.ID, true, true, 1),
  new Field("verify", Type.HOST_VERIFY, true, true, 2),
  new Field("match_cn", Type.LINE, false, true, 3),
  new Field("error_page", Type.LINE, false, false, 4),
  new Field("pass_certificate", Type.MARK, false, false, 5),
]

export const ROUTE: Fields = [
  new Field("path", Type.PATH, true, false, 1),
  new Field("match", Type.MATCH, true, false, 2),
  new Field("location", Type.LABEL, true, false, 3),
  new Field("backend", Type.LABEL, true, false, 4),
  new Field("namespace", Type.TEXT, false, false, 5),
  new Field("ingress_name", Type.TEXT, false, false, 6),
  new Field("service_name", Type.TEXT, false, false, 7),
  new Field("service_port", Type.TEXT, false, false, 8),
  new Field("location_path", Type.TEXT, false, false, 9),
  new Field("status", Type.STATUS, false, true, 10),
  new Field("redirect", Type.REDIRECT, false, true, 11),
  new Field("https_redirect", Type.REDIRECT, false, true, 12),
  new Field("rewrite", Type.TEMPLATE, false, true, 13),
  new Field("log_rewrite", Type.MARK, false, false, 14),
  new Field("variables", Type.VARIABLES, false, false, 15),
  new Field("headers", Type.HEADERS, false, false, 16),
  new Field("access", Type.ACCESS, false, true, 17),
  new Field("cors", Type.CORS, false, false, 18),
  new Field("limits", Type.LIMITS, false, true, 19),
  new Field("trace", Type.MARK, false, false, 20),
  new Field("trace_begins", Type.MARK, false, false, 21),
  new Field("span_name", Type.TEMPLATE, false, false, 22),
  new Field("rewrite_raw", Type.MARK, false, false, 23),
  new Field("conditions", Type.CONDITIONS, false, true, 24),
  new Field("split", Type.SPLIT, false, true, 25),
  new Field("script", Type.SCRIPT, false, true, 26),
  new Field("no_slash_redirect", Type.MARK, false, false, 27),
  new Field("within", Type.LABEL, false, true, 28),
  new Field("actions", Type.ACTIONS, false, true, 29),
  new Field("waf", Type.WAF, false, true, 30),
  new Field("backend_tls", Type.BACKEND_TLS, false, true, 31),
  new Field("rule", Type.LINE, false, false, 59),
  new Field("overrides", Type.OVERRIDES, false, false, 0),
]

export const ACCESS: Fields = [
  new Field("allow", Type.ID, false, true, 1),
  new Field("deny", Type.ID, false, true, 2),
  new Field("satisfy", Type.SATISFY, false, true, 3),
  new Field("basic", Type.PASSWORD, false, true, 4),
  new Field("digest", Type.PASSWORD, false, true, 5),
  new Field("external", Type.EXTERNAL_AUTH, false, true, 6),
  new Field("rules", Type.ACCESS_RULES, false, true, 7),
  new Field("allow_countries", Type.COUNTRIES, false, true, 8),
  new Field("deny_countries", Type.COUNTRIES, false, true, 9),
  new Field("allow_asns", Type.AS_NUMBERS, false, true, 10),
  new Field("deny_asns", Type.AS_NUMBERS, false, true, 11),
]

export const PASSWORD: Fields = [
  new Field("users", Type.ID, true, true, 1),
  new Field("realm", Type.TEXT, true, true, 2),
]

export const EXTERNAL_AUTH: Fields = [
  new Field("location", Type.LABEL, true, true, 1),
  new Field("backend", Type.LABEL, true, true, 2),
  new Field("target", Type.TEMPLATE, true, true, 3),
  new Field("host", Type.TEMPLATE, true, true, 4),
  new Field("method", Type.TOKEN, false, true, 5),
  new Field("headers", Type.HEADERS, false, true, 6),
  new Field("response_headers", Type.TOKENS, false, true, 7),
  new Field("signin", Type.TEMPLATE, false, false, 8),
  new Field("request_redirect", Type.TEMPLATE, false, false, 9),
  new Field("always_set_cookie", Type.MARK, false, false, 10),
  new Field("cache_key", Type.TEMPLATE, false, true, 11),
  new Field("cache_durations", Type.CACHE_DURATIONS, false, true, 12),
  new Field("is_filter", Type.MARK, false, true, 13),
  new Field("request_headers", Type.TOKENS, false, true, 14),
  new Field("backend_tls", Type.BACKEND_TLS, false, true, 15),
]

export const CACHE_DURATION: Fields = [
  new Field("status", Type.CACHED_STATUS, true, false, 0),
  new Field("seconds", Type.CACHE_SECONDS, true, false, 0),
]

export const ACCESS_RULE: Fields = [
  new Field("action", Type.ACCESS_ACTION, true, false, 0),
  new Field("from", Type.ACCESS_FROM, true, false, 0),
]

export const SCRIPT: Fields = [
  new Field("steps", Type.STEPS, false, true, 1),
  new Field("levels", Type.LEVELS, false, true, 2),
]

export const STEP: Fields = [
  new Field("op", Type.STEP_OP, true, true, 1),
  new Field("name", Type.VARIABLE_NAME, false, true, 2),
  new Field("value", Type.STEP_TEXT, false, true, 3),
  new Field("test", Type.STEP_TEST, false, true, 4),
  new Field("pattern", Type.STEP_PATTERN, false, true, 5),
  new Field("against", Type.STEP_TEXT, false, true, 6),
  new Field("skip", Type.STEP_SKIP, false, true, 7),
  new Field("level", Type.STEP_LEVEL, false, true, 8),
  new Field("code", Type.RETURN_CODE, false, true, 9),
  new Field("flag", Type.REWRITE_FLAG, false, true, 10),
  new Field("drops_args", Type.MARK, false, true, 11),
  new Field("is_url", Type.MARK, false, true, 12),
]

export const LEVEL: Fields = [
  new Field("response_headers", Type.RESPONSE_HEADERS, false, false, 1),
  new Field("upstream_headers", Type.HEADERS, false, true, 2),
  new Field("input_headers", Type.INPUT_HEADERS, false, true, 3),
  new Field("hides", Type.TOKENS, false, false, 4),
  new Field("passes", Type.TOKENS, false, false, 5),
  new Field("expires", Type.LINE, false, false, 6),
  new Field("limit_rate", Type.TEMPLATE, false, false, 7),
  new Field("limit_rate_after", Type.TEMPLATE, false, false, 8),
  new Field("access_log_off", Type.MARK, false, false, 9),
  new Field("default_type", Type.LINE, false, false, 10),
  new Field("error_pages", Type.ERROR_PAGES, false, false, 11),
  new Field("auth_variables", Type.ASSIGNMENTS, false, true, 12),
  new Field("request_limits", Type.REQUEST_LIMITS, false, true, 13),
  new Field("connection_limits", Type.CONNECTION_LIMITS, false, true, 14),
  new Field("limit_req_dry_run", Type.FLAG, false, true, 15),
  new Field("limit_conn_dry_run", Type.FLAG, false, true, 16),
  new Field("limit_req_log_level", Type.LOG_LEVEL, false, false, 17),
  new Field("limit_conn_log_level", Type.LOG_LEVEL, false, false, 18),
  new Field("limit_req_status", Type.STATUS, false, false, 19),
  new Field("limit_conn_status", Type.STATUS, false, false, 20),
  new Field("redirects", Type.REPLACEMENTS, false, false, 21),
  new Field("cookie_domains", Type.REPLACEMENTS, false, false, 22),
  new Field("cookie_paths", Type.REPLACEMENTS, false, false, 23),
  new Field("cookie_flags", Type.FLAGS_OF_COOKIES, false, false, 24),
]

export const RESPONSE_HEADER: Fields = [
  new Field("op", Type.HEADER_OP, true, true, 1),
  new Field("name", Type.TOKEN, true, true, 2),
  new Field("value", Type.TEMPLATE, false, true, 3),
  new Field("always", Type.MARK, false, true, 4),
  new Field("statuses", Type.HEADER_STATUSES, false, true, 5),
  new Field("types", Type.LINES, false, true, 6),
]

export const INPUT_HEADER: Fields = [
  new Field("op", Type.INPUT_HEADER_OP, true, true, 1),
  new Field("name", Type.TOKEN, true, true, 2),
  new Field("value", Type.TEMPLATE, false, true, 3),
  new Field("replaces", Type.MARK, false, true, 4),
  new Field("types", Type.LINES, false, true, 5),
]

export const ERROR_PAGE: Fields = [
  new Field("codes", Type.PAGE_CODES, true, false, 1),
  new Field("code", Type.RETURN_CODE, false, false, 2),
  new Field("to", Type.LABEL, true, false, 3),
]

export const REQUEST_LIMIT: Fields = [
  new Field("zone", Type.TOKEN, true, true, 1),
  new Field("burst", Type.LIMIT, false, true, 2),
  new Field("delay", Type.LIMIT, false, true, 3),
  new Field("no_delay", Type.MARK, false, true, 4),
]

export const CONNECTION_LIMIT: Fields = [
  new Field("zone", Type.TOKEN, true, true, 1),
  new Field("connections", Type.CONNECTION_LIMIT, true, true, 2),
]

export const REPLACEMENT: Fields = [
  new Field("from", Type.TEMPLATE, false, true, 1),
  new Field("pattern", Type.STEP_PATTERN, false, true, 2),
  new Field("any_case", Type.MARK, false, true, 3),
  new Field("to", Type.TEMPLATE, true, true, 4),
]

export const COOKIE_FLAGS: Fields = [
  new Field("cookie", Type.TEMPLATE, false, true, 1),
  new Field("pattern", Type.STEP_PATTERN, false, true, 2),
  new Field("any_case", Type.MARK, false, true, 3),
  new Field("secure", Type.FLAG, false, true, 4),
  new Field("http_only", Type.FLAG, false, true, 5),
  new Field("same_site", Type.SAME_SITE_CHANGE, false, true, 6),
]

export const ASSIGNMENT: Fields = [
  new Field("name", Type.VARIABLE_NAME, true, false, 0),
  new Field("value", Type.TEMPLATE, true, false, 0),
]

export const CONDITION: Fields = [
  new Field("of", Type.CONDITION_OF, true, true, 1),
  new Field("name", Type.LINE, false, true, 2),
  new Field("match", Type.VALUE_MATCH, false, true, 3),
  new Field("value", Type.TEXT, true, true, 4),
]

export const WEIGHTED_BACKEND: Fields = [
  new Field("weight", Type.SPLIT_WEIGHT, true, true, 1),
  new Field("backend", Type.LABEL, true, true, 2),
  new Field("service_name", Type.TEXT, false, false, 3),
  new Field("service_port", Type.TEXT, false, false, 4),
  new Field("status", Type.STATUS, false, true, 5),
  new Field("actions", Type.ACTIONS, false, true, 8),
  new Field("location", Type.LABEL, false, true, 9),
  new Field("variables", Type.VARIABLES, false, true, 10),
  new Field("backend_tls", Type.BACKEND_TLS, false, true, 11),
]

export const ACTIONS: Fields = [
  new Field("set_request_headers", Type.HEADERS, false, true, 1),
  new Field("add_request_headers", Type.HEADERS, false, true, 2),
  new Field("set_response_headers", Type.HEADERS, false, false, 3),
  new Field("add_response_headers", Type.HEADERS, false, false, 4),
  new Field("path", Type.PATH, false, true, 5),
  new Field("path_prefix", Type.MARK, false, true, 6),
  new Field("request_timeout_ms", Type.MILLISECONDS, false, false, 7),
  new Field("backend_timeout_ms", Type.MILLISECONDS, false, false, 8),
  new Field("retry_codes", Type.RETRY_CODES, false, false, 9),
  new Field("mirrors", Type.MIRRORS, false, false, 10),
]

export const WAF: Fields = [
  new Field("owner", Type.LABEL, true, true, 1),
  new Field("rules", Type.RULES_DIGEST, true, true, 2),
  new Field("transaction_id", Type.TEMPLATE, false, false, 3),
  new Field("fail_open", Type.MARK, false, false, 4),
]

export const BACKEND_TLS: Fields = [
  new Field("authority", Type.ID, false, true, 1),
  new Field("depth", Type.DEPTH, false, true, 2),
  new Field("alternative_names", Type.LINES, false, true, 3),
  new Field("certificate", Type.ID, false, false, 4),
  new Field("sends_name", Type.MARK, false, false, 5),
  new Field("ciphers", Type.CIPHERS, false, true, 6),
  new Field("version", Type.TLS_VERSION, false, true, 7),
]

export const MIRROR: Fields = [
  new Field("backend", Type.LABEL, true, true, 1),
  new Field("location", Type.LABEL, false, true, 2),
  new Field("variables", Type.VARIABLES, false, true, 3),
  new Field("numerator", Type.PART, false, true, 4),
  new Field("denominator", Type.WHOLE, false, true, 5),
  new Field("backend_tls", Type.BACKEND_TLS, false, true, 6),
]

export const REDIRECT: Fields = [
  new Field("code", Type.REDIRECT_CODE, true, false, 0),
  new Field("to", Type.TEMPLATE, true, false, 0),
]

export const HEADER: Fields = [
  new Field("name", Type.TOKEN, true, false, 0),
  new Field("value", Type.TEXT, true, false, 0),
]

export const CORS: Fields = [
  new Field("origins", Type.ORIGINS, true, false, 1),
  new Field("allow_methods", Type.LINE, false, false, 2),
  new Field("allow_headers", Type.LINE, false, false, 3),
  new Field("expose_headers", Type.LINE, false, false, 4),
  new Field("max_age", Type.LINE, true, false, 5),
  new Field("credentials", Type.MARK, false, false, 6),
  new Field("gateway", Type.MARK, false, false, 7),
]

export const LIMITS: Fields = [
  new Field("key", Type.ID, true, true, 1),
  new Field("rps", Type.LIMIT, false, true, 2),
  new Field("rpm", Type.LIMIT, false, true, 3),
  new Field("burst_multiplier", Type.BURST_MULTIPLIER, false, true, 4),
  new Field("connections", Type.LIMIT, false, true, 5),
  new Field("exempt", Type.ID, false, true, 6),
  new Field("by", Type.LIMIT_BY, false, true, 7),
  new Field("ipv6_bits", Type.IPV6_BITS, false, true, 8),
  new Field("headers", Type.MARK, false, false, 9),
]

export const OVERRIDES: Fields = [
  new Field("proxy_connect_timeout_ms", Type.MILLISECONDS, false, false, 32),
  new Field("proxy_send_timeout_ms", Type.MILLISECONDS, false, false, 33),
  new Field("proxy_read_timeout_ms", Type.MILLISECONDS, false, false, 34),
  new Field("client_max_body_size_bytes", Type.BYTES_OR_NONE, false, false, 35),
  new Field("proxy_next_upstream", Type.NEXT_UPSTREAM, false, false, 36),
  new Field("proxy_next_upstream_tries", Type.TRIES_OR_NONE, false, false, 37),
  new Field("proxy_next_upstream_timeout_ms", Type.MILLISECONDS_OR_NONE, false, false, 38),
  new Field("proxy_buffer_size_bytes", Type.BUFFER_BYTES, false, false, 39),
  new Field("proxy_buffers_number", Type.BUFFERS, false, false, 40),
  new Field("proxy_busy_buffers_size_bytes", Type.BUFFER_BYTES, false, false, 41),
  new Field("proxy_buffering", Type.FLAG, false, false, 42),
  new Field("proxy_request_buffering", Type.FLAG, false, false, 43),
  new Field("proxy_max_temp_file_size_bytes", Type.BYTES_OR_NONE, false, false, 44),
  new Field("client_body_buffer_size_bytes", Type.BUFFER_BYTES, false, false, 45),
  new Field("absolute_redirect", Type.FLAG, false, false, 46),
  new Field("port_in_redirect", Type.FLAG, false, false, 47),
  new Field("limit_rate_bytes", Type.BYTES_OR_NONE, false, false, 48),
  new Field("limit_rate_after_bytes", Type.BYTES_OR_NONE, false, false, 49),
  new Field("client_body_timeout_ms", Type.MILLISECONDS, false, false, 50),
  new Field("send_timeout_ms", Type.MILLISECONDS, false, false, 51),
  new Field("error_pages_400", Type.CODE_SET, false, false, 52),
  new Field("error_pages_450", Type.CODE_SET, false, false, 53),
  new Field("error_pages_500", Type.CODE_SET, false, false, 54),
  new Field("error_pages_550", Type.CODE_SET, false, false, 55),
  new Field("proxy_intercept_errors", Type.FLAG, false, false, 56),
  new Field("limit_req_status", Type.STATUS, false, false, 57),
  new Field("limit_conn_status", Type.STATUS, false, false, 58),
]

export const ADDRESS_LIST: Fields = [
  new Field("id", Type.NAME, true, false, 0),
  new Field("ranges", Type.RANGES, true, false, 1),
]

export const USER_LIST: Fields = [
  new Field("id", Type.NAME, true, false, 0),
  new Field("users", Type.USERS, true, false, 1),
]

export const USER: Fields = [
  new Field("name", Type.TEXT, true, false, 0),
  new Field("hash", Type.LINE, true, false, 0),
]

export const CERTIFICATE: Fields = [
  new Field("id", Type.NAME, true, false, 0),
  new Field("chain", Type.DERS, true, false, 1),
  new Field("key", Type.DER, true, false, 2),
]

export const STAPLE: Fields = [
  new Field("certificate", Type.NAME, true, false, 0),
  new Field("response", Type.DER, true, false, 1),
  new Field("until_ms", Type.MOMENT, true, false, 2),
]

export const AUTHORITY: Fields = [
  new Field("id", Type.NAME, true, false, 0),
  new Field("certificates", Type.DERS, true, false, 1),
  new Field("crls", Type.CRLS, true, true, 2),
]

export const TLS_HOST: Fields = [
  new Field("host", Type.NAME, true, false, 0),
  new Field("certificates", Type.IDS, false, false, 1),
  new Field("ciphers", Type.CIPHERS, false, false, 2),
  new Field("prefer_server_ciphers", Type.FLAG, false, false, 3),
  new Field("listener", Type.LINE, false, true, 7),
  new Field("client_certificate", Type.CLIENT_VERIFICATION, false, true, 0),
]

export const CLIENT_VERIFICATION: Fields = [
  new Field("authority", Type.ID, true, true, 4),
  new Field("verify", Type.VERIFY, true, true, 5),
  new Field("depth", Type.DEPTH, true, true, 6),
]

export const PASSTHROUGH: Fields = [
  new Field("host", Type.NAME, true, false, 0),
  new Field("backend", Type.BACKEND_NAME, true, false, 2),
]

export const STREAM: Fields = [
  new Field("name", Type.NAME, true, false, 0),
  new Field("backend", Type.LABEL, true, false, 1),
  new Field("namespace", Type.TEXT, false, false, 2),
  new Field("service_name", Type.TEXT, false, false, 3),
  new Field("service_port", Type.TEXT, false, false, 4),
  new Field("source", Type.TEXT, false, false, 5),
  new Field("accepts_proxy_protocol", Type.MARK, false, false, 6),
  new Field("sends_proxy_protocol", Type.PROXY_PROTOCOL, false, false, 7),
  new Field("proxy_timeout_ms", Type.MILLISECONDS, false, false, 8),
  new Field("proxy_connect_timeout_ms", Type.MILLISECONDS, false, false, 9),
  new Field("next_upstream", Type.FLAG, false, false, 10),
  new Field("next_upstream_timeout_ms", Type.MILLISECONDS_OR_NONE, false, false, 11),
  new Field("next_upstream_tries", Type.TRIES_OR_NONE, false, false, 12),
  new Field("responses", Type.DATAGRAMS, false, false, 13),
  new Field("requests", Type.DATAGRAMS, false, false, 14),
  new Field("allow", Type.ID, false, true, 15),
  new Field("deny", Type.ID, false, true, 16),
  new Field("connections", Type.LIMIT, false, true, 17),
  new Field("connections_per_second", Type.LIMIT, false, true, 18),
  new Field("upload_bytes", Type.BYTES_OR_NONE, false, false, 19),
  new Field("download_bytes", Type.BYTES_OR_NONE, false, false, 20),
  new Field("proxy_protocol_timeout_ms", Type.MILLISECONDS, false, false, 21),
  new Field("names", Type.SERVER_NAMES, false, true, 22),
  new Field("tls", Type.STREAM_TLS, false, true, 23),
  new Field("backend_tls", Type.STREAM_BACKEND_TLS, false, true, 24),
  new Field("drain_ms", Type.MILLISECONDS_OR_NONE, false, false, 25),
]

export const SERVER_NAME: Fields = [
  new Field("host", Type.HOST_NAME, true, true, 1),
  new Field("backend", Type.LABEL, true, true, 2),
  new Field("namespace", Type.TEXT, false, false, 3),
  new Field("service_name", Type.TEXT, false, false, 4),
  new Field("service_port", Type.TEXT, false, false, 5),
  new Field("tls", Type.STREAM_TLS, false, true, 6),
  new Field("backend_tls", Type.STREAM_BACKEND_TLS, false, true, 7),
]

export const STREAM_TLS: Fields = [
  new Field("certificates", Type.IDS, true, false, 1),
  new Field("authority", Type.ID, false, true, 4),
  new Field("verify", Type.VERIFY, false, true, 5),
  new Field("depth", Type.DEPTH, false, true, 6),
  new Field("alpn", Type.LINES, false, false, 8),
]

export const STREAM_BACKEND_TLS: Fields = [
  new Field("server_name", Type.TEXT, false, false, 1),
  new Field("authority", Type.ID, false, true, 2),
  new Field("depth", Type.DEPTH, false, true, 3),
  new Field("alternative_names", Type.LINES, false, true, 4),
  new Field("certificate", Type.ID, false, false, 5),
]
