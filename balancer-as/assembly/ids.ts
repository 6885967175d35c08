// Printed by `npm run wire` from wire/: change it there.

export const BACKEND_VERSION: u8 = 3
export const HOST_VERSION: u8 = 3
export const ROUTE_PART_VERSION: u8 = 3
export const USER_LIST_VERSION: u8 = 3
export const ADDRESS_LIST_VERSION: u8 = 3
export const PAIR_VERSION: u8 = 3
export const STAPLE_VERSION: u8 = 3
export const AUTHORITY_VERSION: u8 = 3
export const TLS_HOST_VERSION: u8 = 3
export const PASSTHROUGH_VERSION: u8 = 3
export const STREAM_VERSION: u8 = 3

/** Ids of the fields of records. */
export namespace Setting {
  export const HASH_KEY: u32 = 1
  export const SUBSET_SIZE: u32 = 2
  export const COOKIE_NAME: u32 = 3
  export const COOKIE_FLAGS: u32 = 4
  export const COOKIE_EXPIRES: u32 = 5
  export const COOKIE_MAX_AGE: u32 = 6
  export const COOKIE_DOMAIN: u32 = 7
  export const COOKIE_PATH: u32 = 8
  export const COOKIE_SAMESITE: u32 = 9
  export const COOKIE_LOCATION: u32 = 10
  export const ALTERNATIVE: u32 = 11
  export const SHAPING_WEIGHT: u32 = 12
  export const SHAPING_HEADER: u32 = 13
  export const SHAPING_HEADER_VALUE: u32 = 14
  export const SHAPING_HEADER_PATTERN: u32 = 15
  export const SHAPING_COOKIE: u32 = 16
  export const SLOW_START: u32 = 17
  export const OUTLIER_EJECTION: u32 = 18
  export const SESSIONS_OF: u32 = 19
  export const POLICY: u32 = 20
  export const POLICY_CONFIG: u32 = 21
  export const POLICY_NEEDS: u32 = 22
  export const ENDPOINT_ZONES: u32 = 23
}

export namespace HostField {
  export const ROUTES: u32 = 6
  export const PARTS: u32 = 7
  export const CLOSED: u32 = 8
  export const ALIAS_OF: u32 = 9
  export const SCRIPT: u32 = 10
  export const LISTENER: u32 = 11
  export const AUTHORITY: u32 = 1
  export const VERIFY: u32 = 2
  export const MATCH_CN: u32 = 3
  export const ERROR_PAGE: u32 = 4
  export const PASS_CERTIFICATE: u32 = 5
}

export namespace RoutePartField {
  export const ROUTES: u32 = 6
}

export namespace RouteField {
  export const PATH: u32 = 1
  export const MATCH: u32 = 2
  export const LOCATION: u32 = 3
  export const BACKEND: u32 = 4
  export const NAMESPACE: u32 = 5
  export const INGRESS_NAME: u32 = 6
  export const SERVICE_NAME: u32 = 7
  export const SERVICE_PORT: u32 = 8
  export const LOCATION_PATH: u32 = 9
  export const STATUS: u32 = 10
  export const REDIRECT: u32 = 11
  export const HTTPS_REDIRECT: u32 = 12
  export const REWRITE: u32 = 13
  export const LOG_REWRITE: u32 = 14
  export const VARIABLES: u32 = 15
  export const HEADERS: u32 = 16
  export const ACCESS: u32 = 17
  export const CORS: u32 = 18
  export const LIMITS: u32 = 19
  export const TRACE: u32 = 20
  export const TRACE_BEGINS: u32 = 21
  export const SPAN_NAME: u32 = 22
  export const REWRITE_RAW: u32 = 23
  export const CONDITIONS: u32 = 24
  export const SPLIT: u32 = 25
  export const SCRIPT: u32 = 26
  export const NO_SLASH_REDIRECT: u32 = 27
  export const WITHIN: u32 = 28
  export const ACTIONS: u32 = 29
  export const WAF: u32 = 30
  export const BACKEND_TLS: u32 = 31
  export const RULE: u32 = 59
  export const PROXY_CONNECT_TIMEOUT_MS: u32 = 32
  export const PROXY_SEND_TIMEOUT_MS: u32 = 33
  export const PROXY_READ_TIMEOUT_MS: u32 = 34
  export const CLIENT_MAX_BODY_SIZE_BYTES: u32 = 35
  export const PROXY_NEXT_UPSTREAM: u32 = 36
  export const PROXY_NEXT_UPSTREAM_TRIES: u32 = 37
  export const PROXY_NEXT_UPSTREAM_TIMEOUT_MS: u32 = 38
  export const PROXY_BUFFER_SIZE_BYTES: u32 = 39
  export const PROXY_BUFFERS_NUMBER: u32 = 40
  export const PROXY_BUSY_BUFFERS_SIZE_BYTES: u32 = 41
  export const PROXY_BUFFERING: u32 = 42
  export const PROXY_REQUEST_BUFFERING: u32 = 43
  export const PROXY_MAX_TEMP_FILE_SIZE_BYTES: u32 = 44
  export const CLIENT_BODY_BUFFER_SIZE_BYTES: u32 = 45
  export const ABSOLUTE_REDIRECT: u32 = 46
  export const PORT_IN_REDIRECT: u32 = 47
  export const LIMIT_RATE_BYTES: u32 = 48
  export const LIMIT_RATE_AFTER_BYTES: u32 = 49
  export const CLIENT_BODY_TIMEOUT_MS: u32 = 50
  export const SEND_TIMEOUT_MS: u32 = 51
  export const ERROR_PAGES_400: u32 = 52
  export const ERROR_PAGES_450: u32 = 53
  export const ERROR_PAGES_500: u32 = 54
  export const ERROR_PAGES_550: u32 = 55
  export const PROXY_INTERCEPT_ERRORS: u32 = 56
  export const LIMIT_REQ_STATUS: u32 = 57
  export const LIMIT_CONN_STATUS: u32 = 58
}

export namespace AccessField {
  export const ALLOW: u32 = 1
  export const DENY: u32 = 2
  export const SATISFY: u32 = 3
  export const BASIC: u32 = 4
  export const DIGEST: u32 = 5
  export const EXTERNAL: u32 = 6
  export const RULES: u32 = 7
  export const ALLOW_COUNTRIES: u32 = 8
  export const DENY_COUNTRIES: u32 = 9
  export const ALLOW_ASNS: u32 = 10
  export const DENY_ASNS: u32 = 11
}

export namespace PasswordField {
  export const USERS: u32 = 1
  export const REALM: u32 = 2
}

export namespace UserListField {
  export const USERS: u32 = 1
}

export namespace ExternalAuthField {
  export const LOCATION: u32 = 1
  export const BACKEND: u32 = 2
  export const TARGET: u32 = 3
  export const HOST: u32 = 4
  export const METHOD: u32 = 5
  export const HEADERS: u32 = 6
  export const RESPONSE_HEADERS: u32 = 7
  export const SIGNIN: u32 = 8
  export const REQUEST_REDIRECT: u32 = 9
  export const ALWAYS_SET_COOKIE: u32 = 10
  export const CACHE_KEY: u32 = 11
  export const CACHE_DURATIONS: u32 = 12
  export const IS_FILTER: u32 = 13
  export const REQUEST_HEADERS: u32 = 14
  export const BACKEND_TLS: u32 = 15
}

export namespace AddressListField {
  export const RANGES: u32 = 1
}

export namespace ConditionField {
  export const OF: u32 = 1
  export const NAME: u32 = 2
  export const MATCH: u32 = 3
  export const VALUE: u32 = 4
}

export namespace WeightedBackendField {
  export const WEIGHT: u32 = 1
  export const BACKEND: u32 = 2
  export const SERVICE_NAME: u32 = 3
  export const SERVICE_PORT: u32 = 4
  export const STATUS: u32 = 5
  export const ACTIONS: u32 = 8
  export const LOCATION: u32 = 9
  export const VARIABLES: u32 = 10
  export const BACKEND_TLS: u32 = 11
}

export namespace ActionsField {
  export const SET_REQUEST_HEADERS: u32 = 1
  export const ADD_REQUEST_HEADERS: u32 = 2
  export const SET_RESPONSE_HEADERS: u32 = 3
  export const ADD_RESPONSE_HEADERS: u32 = 4
  export const PATH: u32 = 5
  export const PATH_PREFIX: u32 = 6
  export const REQUEST_TIMEOUT_MS: u32 = 7
  export const BACKEND_TIMEOUT_MS: u32 = 8
  export const RETRY_CODES: u32 = 9
  export const MIRRORS: u32 = 10
}

export namespace WafField {
  export const OWNER: u32 = 1
  export const RULES: u32 = 2
  export const TRANSACTION_ID: u32 = 3
  export const FAIL_OPEN: u32 = 4
}

export namespace BackendTlsField {
  export const AUTHORITY: u32 = 1
  export const DEPTH: u32 = 2
  export const ALTERNATIVE_NAMES: u32 = 3
  export const CERTIFICATE: u32 = 4
  export const SENDS_NAME: u32 = 5
  export const CIPHERS: u32 = 6
  export const VERSION: u32 = 7
}

export namespace MirrorField {
  export const BACKEND: u32 = 1
  export const LOCATION: u32 = 2
  export const VARIABLES: u32 = 3
  export const NUMERATOR: u32 = 4
  export const DENOMINATOR: u32 = 5
  export const BACKEND_TLS: u32 = 6
}

export namespace ScriptField {
  export const STEPS: u32 = 1
  export const LEVELS: u32 = 2
}

export namespace StepField {
  export const OP: u32 = 1
  export const NAME: u32 = 2
  export const VALUE: u32 = 3
  export const TEST: u32 = 4
  export const PATTERN: u32 = 5
  export const AGAINST: u32 = 6
  export const SKIP: u32 = 7
  export const LEVEL: u32 = 8
  export const CODE: u32 = 9
  export const FLAG: u32 = 10
  export const DROPS_ARGS: u32 = 11
  export const IS_URL: u32 = 12
}

export namespace LevelField {
  export const RESPONSE_HEADERS: u32 = 1
  export const UPSTREAM_HEADERS: u32 = 2
  export const INPUT_HEADERS: u32 = 3
  export const HIDES: u32 = 4
  export const PASSES: u32 = 5
  export const EXPIRES: u32 = 6
  export const LIMIT_RATE: u32 = 7
  export const LIMIT_RATE_AFTER: u32 = 8
  export const ACCESS_LOG_OFF: u32 = 9
  export const DEFAULT_TYPE: u32 = 10
  export const ERROR_PAGES: u32 = 11
  export const AUTH_VARIABLES: u32 = 12
  export const REQUEST_LIMITS: u32 = 13
  export const CONNECTION_LIMITS: u32 = 14
  export const LIMIT_REQ_DRY_RUN: u32 = 15
  export const LIMIT_CONN_DRY_RUN: u32 = 16
  export const LIMIT_REQ_LOG_LEVEL: u32 = 17
  export const LIMIT_CONN_LOG_LEVEL: u32 = 18
  export const LIMIT_REQ_STATUS: u32 = 19
  export const LIMIT_CONN_STATUS: u32 = 20
  export const REDIRECTS: u32 = 21
  export const COOKIE_DOMAINS: u32 = 22
  export const COOKIE_PATHS: u32 = 23
  export const COOKIE_FLAGS: u32 = 24
}

export namespace ResponseHeaderField {
  export const OP: u32 = 1
  export const NAME: u32 = 2
  export const VALUE: u32 = 3
  export const ALWAYS: u32 = 4
  export const STATUSES: u32 = 5
  export const TYPES: u32 = 6
}

export namespace InputHeaderField {
  export const OP: u32 = 1
  export const NAME: u32 = 2
  export const VALUE: u32 = 3
  export const REPLACES: u32 = 4
  export const TYPES: u32 = 5
}

export namespace ErrorPageField {
  export const CODES: u32 = 1
  export const CODE: u32 = 2
  export const TO: u32 = 3
}

export namespace RequestLimitField {
  export const ZONE: u32 = 1
  export const BURST: u32 = 2
  export const DELAY: u32 = 3
  export const NO_DELAY: u32 = 4
}

export namespace ConnectionLimitField {
  export const ZONE: u32 = 1
  export const CONNECTIONS: u32 = 2
}

export namespace ReplacementField {
  export const FROM: u32 = 1
  export const PATTERN: u32 = 2
  export const ANY_CASE: u32 = 3
  export const TO: u32 = 4
}

export namespace CookieFlagsField {
  export const COOKIE: u32 = 1
  export const PATTERN: u32 = 2
  export const ANY_CASE: u32 = 3
  export const SECURE: u32 = 4
  export const HTTP_ONLY: u32 = 5
  export const SAME_SITE: u32 = 6
}

export namespace CorsField {
  export const ORIGINS: u32 = 1
  export const ALLOW_METHODS: u32 = 2
  export const ALLOW_HEADERS: u32 = 3
  export const EXPOSE_HEADERS: u32 = 4
  export const MAX_AGE: u32 = 5
  export const CREDENTIALS: u32 = 6
  export const GATEWAY: u32 = 7
}

export namespace LimitsField {
  export const KEY: u32 = 1
  export const RPS: u32 = 2
  export const RPM: u32 = 3
  export const BURST_MULTIPLIER: u32 = 4
  export const CONNECTIONS: u32 = 5
  export const EXEMPT: u32 = 6
  export const BY: u32 = 7
  export const IPV6_BITS: u32 = 8
  export const HEADERS: u32 = 9
}

export namespace PairField {
  export const CHAIN: u32 = 1
  export const KEY: u32 = 2
}

export namespace StapleField {
  export const RESPONSE: u32 = 1
  export const UNTIL_MS: u32 = 2
}

export namespace AuthorityField {
  export const CERTIFICATES: u32 = 1
  export const CRLS: u32 = 2
}

export namespace TlsHostField {
  export const CERTIFICATES: u32 = 1
  export const CIPHERS: u32 = 2
  export const PREFER_SERVER_CIPHERS: u32 = 3
  export const LISTENER: u32 = 7
  export const AUTHORITY: u32 = 4
  export const VERIFY: u32 = 5
  export const DEPTH: u32 = 6
}

export namespace PassthroughField {
  export const BACKEND: u32 = 2
}

export namespace StreamField {
  export const BACKEND: u32 = 1
  export const NAMESPACE: u32 = 2
  export const SERVICE_NAME: u32 = 3
  export const SERVICE_PORT: u32 = 4
  export const SOURCE: u32 = 5
  export const ACCEPTS_PROXY_PROTOCOL: u32 = 6
  export const SENDS_PROXY_PROTOCOL: u32 = 7
  export const PROXY_TIMEOUT_MS: u32 = 8
  export const PROXY_CONNECT_TIMEOUT_MS: u32 = 9
  export const NEXT_UPSTREAM: u32 = 10
  export const NEXT_UPSTREAM_TIMEOUT_MS: u32 = 11
  export const NEXT_UPSTREAM_TRIES: u32 = 12
  export const RESPONSES: u32 = 13
  export const REQUESTS: u32 = 14
  export const ALLOW: u32 = 15
  export const DENY: u32 = 16
  export const CONNECTIONS: u32 = 17
  export const CONNECTIONS_PER_SECOND: u32 = 18
  export const UPLOAD_BYTES: u32 = 19
  export const DOWNLOAD_BYTES: u32 = 20
  export const PROXY_PROTOCOL_TIMEOUT_MS: u32 = 21
  export const NAMES: u32 = 22
  export const TLS: u32 = 23
  export const BACKEND_TLS: u32 = 24
  export const DRAIN_MS: u32 = 25
}

export namespace ServerNameField {
  export const HOST: u32 = 1
  export const BACKEND: u32 = 2
  export const NAMESPACE: u32 = 3
  export const SERVICE_NAME: u32 = 4
  export const SERVICE_PORT: u32 = 5
  export const TLS: u32 = 6
  export const BACKEND_TLS: u32 = 7
}

export namespace StreamTlsField {
  export const CERTIFICATES: u32 = 1
  export const AUTHORITY: u32 = 4
  export const VERIFY: u32 = 5
  export const DEPTH: u32 = 6
  export const ALPN: u32 = 8
}

export namespace StreamBackendTlsField {
  export const SERVER_NAME: u32 = 1
  export const AUTHORITY: u32 = 2
  export const DEPTH: u32 = 3
  export const ALTERNATIVE_NAMES: u32 = 4
  export const CERTIFICATE: u32 = 5
}

/** Ids of settings are smaller than this. */
export const SETTINGS_END: u32 = 24

/** What the field of a setting begins with, by id. */
export const SETTING_TAGS: StaticArray<u8> = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
]

/** Bytes of the settings that are always as long, by id; 0: of any length. */
export const SETTING_BYTES: StaticArray<u8> = [
  0, 0, 4, 0, 1, 8, 8, 0, 0, 1, 0, 0, 8, 0, 0, 0, 0, 4, 8, 0, 0, 0, 4, 0,
]

export namespace CookieFlag {
  export const SECURE: u8 = 1
  export const CONDITIONAL_SAMESITE_NONE: u8 = 2
  export const CHANGE_ON_FAILURE: u8 = 4
}

export namespace Algorithm {
  export const ROUND_ROBIN: u8 = 0
  export const EWMA: u8 = 1
  export const CHASH: u8 = 2
  export const CHASHSUBSET: u8 = 3
  export const STICKY_BALANCED: u8 = 4
  export const STICKY_PERSISTENT: u8 = 5
  export const LEAST_CONN: u8 = 6
  export const P2C: u8 = 7
  export const CUSTOM: u8 = 8
}

export namespace MaxBytes {
  export const TEXT: usize = 4096
  export const NAME: usize = 253
  export const ID: usize = 64
  export const OWNER: usize = 1024
  export const VARIABLE: usize = 63
  export const SERVER: usize = 63
  export const PATH: usize = 65535
  export const CIPHERS: usize = 4096
  export const USER_NAME: usize = 255
  export const PASSWORD_HASH: usize = 512
  export const POLICY_NAME: usize = 63
  export const POLICY_CONFIG: usize = 16384
}

export namespace MaxCount {
  export const CHAIN: i32 = 16
  export const AUTHORITY_CERTIFICATES: i32 = 1024
  export const AUTHORITY_CRLS: i32 = 64
  export const HOST_CERTIFICATES: i32 = 4
  export const ADDRESS_RANGES: i32 = 16384
  export const USERS: i32 = 10000
  export const CONDITIONS: i32 = 64
  export const MIRRORS: i32 = 16
  export const SERVER_NAMES: i32 = 1024
  export const STREAM_LINES: i32 = 16
  export const STEPS: i32 = 256
  export const LEVELS: i32 = 64
  export const LEVEL_ITEMS: i32 = 256
  export const ACCESS_RULES: i32 = 1024
  export const COUNTRIES: i32 = 300
  export const AS_NUMBERS: i32 = 1024
}

/** What the value of a field may be; numbers first. */
export namespace Type {
  export const STATUS: i32 = 0
  export const REDIRECT_CODE: i32 = 1
  export const MILLISECONDS: i32 = 2
  export const MILLISECONDS_OR_NONE: i32 = 3
  export const TRIES_OR_NONE: i32 = 4
  export const BYTES_OR_NONE: i32 = 5
  export const BUFFER_BYTES: i32 = 6
  export const BUFFERS: i32 = 7
  export const DEPTH: i32 = 8
  export const MOMENT: i32 = 9
  export const WEIGHT: i32 = 10
  export const WINDOW: i32 = 11
  export const FAILURES: i32 = 12
  export const LIMIT: i32 = 13
  export const BURST_MULTIPLIER: i32 = 14
  export const IPV6_BITS: i32 = 15
  export const SUBSET_SIZE: i32 = 16
  export const CACHED_STATUS: i32 = 17
  export const POLICY_NEEDS: i32 = 18
  export const CODE_SET: i32 = 19
  export const DATAGRAMS: i32 = 20
  export const CACHE_SECONDS: i32 = 21
  export const SPLIT_WEIGHT: i32 = 22
  export const RETRY_CODE: i32 = 23
  export const PART: i32 = 24
  export const WHOLE: i32 = 25
  export const STEP_SKIP: i32 = 26
  export const STEP_LEVEL: i32 = 27
  export const AS_NUMBER: i32 = 28
  export const RETURN_CODE: i32 = 29
  export const HEADER_STATUS: i32 = 30
  export const PAGE_CODE: i32 = 31
  export const CONNECTION_LIMIT: i32 = 32
  export const MATCH: i32 = 33
  export const CONDITION_OF: i32 = 34
  export const VALUE_MATCH: i32 = 35
  export const STEP_OP: i32 = 36
  export const STEP_TEST: i32 = 37
  export const REWRITE_FLAG: i32 = 38
  export const HEADER_OP: i32 = 39
  export const INPUT_HEADER_OP: i32 = 40
  export const LOG_LEVEL: i32 = 41
  export const ACCESS_ACTION: i32 = 42
  export const VERIFY: i32 = 43
  export const HOST_VERIFY: i32 = 44
  export const SAMESITE: i32 = 45
  export const SAME_SITE_CHANGE: i32 = 46
  export const ALGORITHM: i32 = 47
  export const ZONE: i32 = 48
  export const NEXT_UPSTREAM: i32 = 49
  export const SATISFY: i32 = 50
  export const PROXY_PROTOCOL: i32 = 51
  export const TLS_VERSION: i32 = 52
  export const FLAG: i32 = 53
  export const MARK: i32 = 54
  export const TEXT: i32 = 55
  export const PATH: i32 = 56
  export const LABEL: i32 = 57
  export const TEMPLATE: i32 = 58
  export const LINE: i32 = 59
  export const TOKEN: i32 = 60
  export const TOKENS: i32 = 61
  export const ATTRIBUTE: i32 = 62
  export const ID: i32 = 63
  export const IDS: i32 = 64
  export const PART_IDS: i32 = 65
  export const NAME: i32 = 66
  export const SERVER: i32 = 67
  export const HOST_NAME: i32 = 68
  export const CIPHERS: i32 = 69
  export const DER: i32 = 70
  export const DERS: i32 = 71
  export const CRLS: i32 = 72
  export const CONDITIONS: i32 = 73
  export const SERVER_NAMES: i32 = 74
  export const STREAM_TLS: i32 = 75
  export const STREAM_BACKEND_TLS: i32 = 76
  export const BACKEND_TLS: i32 = 77
  export const SPLIT: i32 = 78
  export const ACTIONS: i32 = 79
  export const MIRRORS: i32 = 80
  export const RETRY_CODES: i32 = 81
  export const WAF: i32 = 82
  export const RULES_DIGEST: i32 = 83
  export const SCRIPT: i32 = 84
  export const STEPS: i32 = 85
  export const LEVELS: i32 = 86
  export const RESPONSE_HEADERS: i32 = 87
  export const INPUT_HEADERS: i32 = 88
  export const ERROR_PAGES: i32 = 89
  export const REQUEST_LIMITS: i32 = 90
  export const CONNECTION_LIMITS: i32 = 91
  export const ASSIGNMENTS: i32 = 92
  export const REPLACEMENTS: i32 = 93
  export const FLAGS_OF_COOKIES: i32 = 94
  export const STEP_TEXT: i32 = 95
  export const STEP_PATTERN: i32 = 96
  export const VARIABLE_NAME: i32 = 97
  export const LINES: i32 = 98
  export const HEADER_STATUSES: i32 = 99
  export const PAGE_CODES: i32 = 100
  export const REDIRECT: i32 = 101
  export const VARIABLES: i32 = 102
  export const HEADERS: i32 = 103
  export const CORS: i32 = 104
  export const LIMITS: i32 = 105
  export const LIMIT_BY: i32 = 106
  export const ORIGINS: i32 = 107
  export const OVERRIDES: i32 = 108
  export const ROUTES: i32 = 109
  export const ACCESS: i32 = 110
  export const PASSWORD: i32 = 111
  export const EXTERNAL_AUTH: i32 = 112
  export const CACHE_DURATIONS: i32 = 113
  export const CLIENT_CERTIFICATE: i32 = 114
  export const CLIENT_VERIFICATION: i32 = 115
  export const BACKEND_NAME: i32 = 116
  export const RANGES: i32 = 117
  export const ACCESS_FROM: i32 = 118
  export const ACCESS_RULES: i32 = 119
  export const COUNTRIES: i32 = 120
  export const AS_NUMBERS: i32 = 121
  export const USERS: i32 = 122
  export const LOAD_BALANCE: i32 = 123
  export const ENDPOINTS: i32 = 124
  export const ADDRESS: i32 = 125
  export const PORT: i32 = 126
  export const AFFINITY: i32 = 127
  export const AFFINITY_NAME: i32 = 128
  export const AFFINITY_MODE: i32 = 129
  export const COOKIE: i32 = 130
  export const COOKIE_FLAG: i32 = 131
  export const COOKIE_FLAGS: i32 = 132
  export const SECONDS: i32 = 133
  export const LOCATIONS: i32 = 134
  export const HASH_BY: i32 = 135
  export const ALTERNATIVES: i32 = 136
  export const SHAPING: i32 = 137
  export const SHAPING_WEIGHT: i32 = 138
  export const SHAPING_TOTAL: i32 = 139
  export const SHAPING_WEIGHTS: i32 = 140
  export const SLOW_START: i32 = 141
  export const OUTLIER_EJECTION: i32 = 142
  export const EJECTION: i32 = 143
  export const POLICY: i32 = 144
  export const POLICY_NAME: i32 = 145
  export const DIGEST: i32 = 146
  export const POLICY_CONFIG: i32 = 147
  export const POLICY_VERSION: i32 = 148
  export const ENDPOINT_ZONES: i32 = 149
  export const IGNORED: i32 = 150
}
