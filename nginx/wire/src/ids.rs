// Printed by `npm run wire` from wire/: change it there.

pub mod backend {
    pub const VERSION: u8 = 3;
    pub const HASH_KEY: u8 = 1;
    pub const SUBSET_SIZE: u8 = 2;
    pub const COOKIE_NAME: u8 = 3;
    pub const COOKIE_FLAGS: u8 = 4;
    pub const COOKIE_EXPIRES: u8 = 5;
    pub const COOKIE_MAX_AGE: u8 = 6;
    pub const COOKIE_DOMAIN: u8 = 7;
    pub const COOKIE_PATH: u8 = 8;
    pub const COOKIE_SAMESITE: u8 = 9;
    pub const COOKIE_LOCATION: u8 = 10;
    pub const ALTERNATIVE: u8 = 11;
    pub const SHAPING_WEIGHT: u8 = 12;
    pub const SHAPING_HEADER: u8 = 13;
    pub const SHAPING_HEADER_VALUE: u8 = 14;
    pub const SHAPING_HEADER_PATTERN: u8 = 15;
    pub const SHAPING_COOKIE: u8 = 16;
    pub const SLOW_START: u8 = 17;
    pub const OUTLIER_EJECTION: u8 = 18;
    pub const SESSIONS_OF: u8 = 19;
    pub const POLICY: u8 = 20;
    pub const POLICY_CONFIG: u8 = 21;
    pub const POLICY_NEEDS: u8 = 22;
    pub const ENDPOINT_ZONES: u8 = 23;
}

pub mod host {
    pub const VERSION: u8 = 3;
    pub const ROUTES: u8 = 6;
    pub const PARTS: u8 = 7;
    pub const CLOSED: u8 = 8;
    pub const ALIAS_OF: u8 = 9;
    pub const SCRIPT: u8 = 10;
    pub const LISTENER: u8 = 11;
    pub const AUTHORITY: u8 = 1;
    pub const VERIFY: u8 = 2;
    pub const MATCH_CN: u8 = 3;
    pub const ERROR_PAGE: u8 = 4;
    pub const PASS_CERTIFICATE: u8 = 5;
}

pub mod route_part {
    pub const VERSION: u8 = 3;
    pub const ROUTES: u8 = 6;
}

pub mod route {
    pub const PATH: u8 = 1;
    pub const MATCH: u8 = 2;
    pub const LOCATION: u8 = 3;
    pub const BACKEND: u8 = 4;
    pub const NAMESPACE: u8 = 5;
    pub const INGRESS_NAME: u8 = 6;
    pub const SERVICE_NAME: u8 = 7;
    pub const SERVICE_PORT: u8 = 8;
    pub const LOCATION_PATH: u8 = 9;
    pub const STATUS: u8 = 10;
    pub const REDIRECT: u8 = 11;
    pub const HTTPS_REDIRECT: u8 = 12;
    pub const REWRITE: u8 = 13;
    pub const LOG_REWRITE: u8 = 14;
    pub const VARIABLES: u8 = 15;
    pub const HEADERS: u8 = 16;
    pub const ACCESS: u8 = 17;
    pub const CORS: u8 = 18;
    pub const LIMITS: u8 = 19;
    pub const TRACE: u8 = 20;
    pub const TRACE_BEGINS: u8 = 21;
    pub const SPAN_NAME: u8 = 22;
    pub const REWRITE_RAW: u8 = 23;
    pub const CONDITIONS: u8 = 24;
    pub const SPLIT: u8 = 25;
    pub const SCRIPT: u8 = 26;
    pub const NO_SLASH_REDIRECT: u8 = 27;
    pub const WITHIN: u8 = 28;
    pub const ACTIONS: u8 = 29;
    pub const WAF: u8 = 30;
    pub const BACKEND_TLS: u8 = 31;
    pub const RULE: u8 = 59;
    pub const PROXY_CONNECT_TIMEOUT_MS: u8 = 32;
    pub const PROXY_SEND_TIMEOUT_MS: u8 = 33;
    pub const PROXY_READ_TIMEOUT_MS: u8 = 34;
    pub const CLIENT_MAX_BODY_SIZE_BYTES: u8 = 35;
    pub const PROXY_NEXT_UPSTREAM: u8 = 36;
    pub const PROXY_NEXT_UPSTREAM_TRIES: u8 = 37;
    pub const PROXY_NEXT_UPSTREAM_TIMEOUT_MS: u8 = 38;
    pub const PROXY_BUFFER_SIZE_BYTES: u8 = 39;
    pub const PROXY_BUFFERS_NUMBER: u8 = 40;
    pub const PROXY_BUSY_BUFFERS_SIZE_BYTES: u8 = 41;
    pub const PROXY_BUFFERING: u8 = 42;
    pub const PROXY_REQUEST_BUFFERING: u8 = 43;
    pub const PROXY_MAX_TEMP_FILE_SIZE_BYTES: u8 = 44;
    pub const CLIENT_BODY_BUFFER_SIZE_BYTES: u8 = 45;
    pub const ABSOLUTE_REDIRECT: u8 = 46;
    pub const PORT_IN_REDIRECT: u8 = 47;
    pub const LIMIT_RATE_BYTES: u8 = 48;
    pub const LIMIT_RATE_AFTER_BYTES: u8 = 49;
    pub const CLIENT_BODY_TIMEOUT_MS: u8 = 50;
    pub const SEND_TIMEOUT_MS: u8 = 51;
    pub const ERROR_PAGES_400: u8 = 52;
    pub const ERROR_PAGES_450: u8 = 53;
    pub const ERROR_PAGES_500: u8 = 54;
    pub const ERROR_PAGES_550: u8 = 55;
    pub const PROXY_INTERCEPT_ERRORS: u8 = 56;
    pub const LIMIT_REQ_STATUS: u8 = 57;
    pub const LIMIT_CONN_STATUS: u8 = 58;
}

pub mod access {
    pub const ALLOW: u8 = 1;
    pub const DENY: u8 = 2;
    pub const SATISFY: u8 = 3;
    pub const BASIC: u8 = 4;
    pub const DIGEST: u8 = 5;
    pub const EXTERNAL: u8 = 6;
    pub const RULES: u8 = 7;
    pub const ALLOW_COUNTRIES: u8 = 8;
    pub const DENY_COUNTRIES: u8 = 9;
    pub const ALLOW_ASNS: u8 = 10;
    pub const DENY_ASNS: u8 = 11;
}

pub mod password {
    pub const USERS: u8 = 1;
    pub const REALM: u8 = 2;
}

pub mod user_list {
    pub const VERSION: u8 = 3;
    pub const USERS: u8 = 1;
}

pub mod external_auth {
    pub const LOCATION: u8 = 1;
    pub const BACKEND: u8 = 2;
    pub const TARGET: u8 = 3;
    pub const HOST: u8 = 4;
    pub const METHOD: u8 = 5;
    pub const HEADERS: u8 = 6;
    pub const RESPONSE_HEADERS: u8 = 7;
    pub const SIGNIN: u8 = 8;
    pub const REQUEST_REDIRECT: u8 = 9;
    pub const ALWAYS_SET_COOKIE: u8 = 10;
    pub const CACHE_KEY: u8 = 11;
    pub const CACHE_DURATIONS: u8 = 12;
    pub const IS_FILTER: u8 = 13;
    pub const REQUEST_HEADERS: u8 = 14;
    pub const BACKEND_TLS: u8 = 15;
}

pub mod address_list {
    pub const VERSION: u8 = 3;
    pub const RANGES: u8 = 1;
}

pub mod condition {
    pub const OF: u8 = 1;
    pub const NAME: u8 = 2;
    pub const MATCH: u8 = 3;
    pub const VALUE: u8 = 4;
}

pub mod weighted_backend {
    pub const WEIGHT: u8 = 1;
    pub const BACKEND: u8 = 2;
    pub const SERVICE_NAME: u8 = 3;
    pub const SERVICE_PORT: u8 = 4;
    pub const STATUS: u8 = 5;
    pub const ACTIONS: u8 = 8;
    pub const LOCATION: u8 = 9;
    pub const VARIABLES: u8 = 10;
    pub const BACKEND_TLS: u8 = 11;
}

pub mod actions {
    pub const SET_REQUEST_HEADERS: u8 = 1;
    pub const ADD_REQUEST_HEADERS: u8 = 2;
    pub const SET_RESPONSE_HEADERS: u8 = 3;
    pub const ADD_RESPONSE_HEADERS: u8 = 4;
    pub const PATH: u8 = 5;
    pub const PATH_PREFIX: u8 = 6;
    pub const REQUEST_TIMEOUT_MS: u8 = 7;
    pub const BACKEND_TIMEOUT_MS: u8 = 8;
    pub const RETRY_CODES: u8 = 9;
    pub const MIRRORS: u8 = 10;
}

pub mod waf {
    pub const OWNER: u8 = 1;
    pub const RULES: u8 = 2;
    pub const TRANSACTION_ID: u8 = 3;
    pub const FAIL_OPEN: u8 = 4;
}

pub mod backend_tls {
    pub const AUTHORITY: u8 = 1;
    pub const DEPTH: u8 = 2;
    pub const ALTERNATIVE_NAMES: u8 = 3;
    pub const CERTIFICATE: u8 = 4;
    pub const SENDS_NAME: u8 = 5;
    pub const CIPHERS: u8 = 6;
    pub const VERSION: u8 = 7;
}

pub mod mirror {
    pub const BACKEND: u8 = 1;
    pub const LOCATION: u8 = 2;
    pub const VARIABLES: u8 = 3;
    pub const NUMERATOR: u8 = 4;
    pub const DENOMINATOR: u8 = 5;
    pub const BACKEND_TLS: u8 = 6;
}

pub mod script {
    pub const STEPS: u8 = 1;
    pub const LEVELS: u8 = 2;
}

pub mod step {
    pub const OP: u8 = 1;
    pub const NAME: u8 = 2;
    pub const VALUE: u8 = 3;
    pub const TEST: u8 = 4;
    pub const PATTERN: u8 = 5;
    pub const AGAINST: u8 = 6;
    pub const SKIP: u8 = 7;
    pub const LEVEL: u8 = 8;
    pub const CODE: u8 = 9;
    pub const FLAG: u8 = 10;
    pub const DROPS_ARGS: u8 = 11;
    pub const IS_URL: u8 = 12;
}

pub mod level {
    pub const RESPONSE_HEADERS: u8 = 1;
    pub const UPSTREAM_HEADERS: u8 = 2;
    pub const INPUT_HEADERS: u8 = 3;
    pub const HIDES: u8 = 4;
    pub const PASSES: u8 = 5;
    pub const EXPIRES: u8 = 6;
    pub const LIMIT_RATE: u8 = 7;
    pub const LIMIT_RATE_AFTER: u8 = 8;
    pub const ACCESS_LOG_OFF: u8 = 9;
    pub const DEFAULT_TYPE: u8 = 10;
    pub const ERROR_PAGES: u8 = 11;
    pub const AUTH_VARIABLES: u8 = 12;
    pub const REQUEST_LIMITS: u8 = 13;
    pub const CONNECTION_LIMITS: u8 = 14;
    pub const LIMIT_REQ_DRY_RUN: u8 = 15;
    pub const LIMIT_CONN_DRY_RUN: u8 = 16;
    pub const LIMIT_REQ_LOG_LEVEL: u8 = 17;
    pub const LIMIT_CONN_LOG_LEVEL: u8 = 18;
    pub const LIMIT_REQ_STATUS: u8 = 19;
    pub const LIMIT_CONN_STATUS: u8 = 20;
    pub const REDIRECTS: u8 = 21;
    pub const COOKIE_DOMAINS: u8 = 22;
    pub const COOKIE_PATHS: u8 = 23;
    pub const COOKIE_FLAGS: u8 = 24;
}

pub mod response_header {
    pub const OP: u8 = 1;
    pub const NAME: u8 = 2;
    pub const VALUE: u8 = 3;
    pub const ALWAYS: u8 = 4;
    pub const STATUSES: u8 = 5;
    pub const TYPES: u8 = 6;
}

pub mod input_header {
    pub const OP: u8 = 1;
    pub const NAME: u8 = 2;
    pub const VALUE: u8 = 3;
    pub const REPLACES: u8 = 4;
    pub const TYPES: u8 = 5;
}

pub mod error_page {
    pub const CODES: u8 = 1;
    pub const CODE: u8 = 2;
    pub const TO: u8 = 3;
}

pub mod request_limit {
    pub const ZONE: u8 = 1;
    pub const BURST: u8 = 2;
    pub const DELAY: u8 = 3;
    pub const NO_DELAY: u8 = 4;
}

pub mod connection_limit {
    pub const ZONE: u8 = 1;
    pub const CONNECTIONS: u8 = 2;
}

pub mod replacement {
    pub const FROM: u8 = 1;
    pub const PATTERN: u8 = 2;
    pub const ANY_CASE: u8 = 3;
    pub const TO: u8 = 4;
}

pub mod cookie_flags {
    pub const COOKIE: u8 = 1;
    pub const PATTERN: u8 = 2;
    pub const ANY_CASE: u8 = 3;
    pub const SECURE: u8 = 4;
    pub const HTTP_ONLY: u8 = 5;
    pub const SAME_SITE: u8 = 6;
}

pub mod cors {
    pub const ORIGINS: u8 = 1;
    pub const ALLOW_METHODS: u8 = 2;
    pub const ALLOW_HEADERS: u8 = 3;
    pub const EXPOSE_HEADERS: u8 = 4;
    pub const MAX_AGE: u8 = 5;
    pub const CREDENTIALS: u8 = 6;
    pub const GATEWAY: u8 = 7;
}

pub mod limits {
    pub const KEY: u8 = 1;
    pub const RPS: u8 = 2;
    pub const RPM: u8 = 3;
    pub const BURST_MULTIPLIER: u8 = 4;
    pub const CONNECTIONS: u8 = 5;
    pub const EXEMPT: u8 = 6;
    pub const BY: u8 = 7;
    pub const IPV6_BITS: u8 = 8;
    pub const HEADERS: u8 = 9;
}

pub mod pair {
    pub const VERSION: u8 = 3;
    pub const CHAIN: u8 = 1;
    pub const KEY: u8 = 2;
}

pub mod staple {
    pub const VERSION: u8 = 3;
    pub const RESPONSE: u8 = 1;
    pub const UNTIL_MS: u8 = 2;
}

pub mod authority {
    pub const VERSION: u8 = 3;
    pub const CERTIFICATES: u8 = 1;
    pub const CRLS: u8 = 2;
}

pub mod tls_host {
    pub const VERSION: u8 = 3;
    pub const CERTIFICATES: u8 = 1;
    pub const CIPHERS: u8 = 2;
    pub const PREFER_SERVER_CIPHERS: u8 = 3;
    pub const LISTENER: u8 = 7;
    pub const AUTHORITY: u8 = 4;
    pub const VERIFY: u8 = 5;
    pub const DEPTH: u8 = 6;
}

pub mod passthrough {
    pub const VERSION: u8 = 3;
    pub const BACKEND: u8 = 2;
}

pub mod stream {
    pub const VERSION: u8 = 3;
    pub const BACKEND: u8 = 1;
    pub const NAMESPACE: u8 = 2;
    pub const SERVICE_NAME: u8 = 3;
    pub const SERVICE_PORT: u8 = 4;
    pub const SOURCE: u8 = 5;
    pub const ACCEPTS_PROXY_PROTOCOL: u8 = 6;
    pub const SENDS_PROXY_PROTOCOL: u8 = 7;
    pub const PROXY_TIMEOUT_MS: u8 = 8;
    pub const PROXY_CONNECT_TIMEOUT_MS: u8 = 9;
    pub const NEXT_UPSTREAM: u8 = 10;
    pub const NEXT_UPSTREAM_TIMEOUT_MS: u8 = 11;
    pub const NEXT_UPSTREAM_TRIES: u8 = 12;
    pub const RESPONSES: u8 = 13;
    pub const REQUESTS: u8 = 14;
    pub const ALLOW: u8 = 15;
    pub const DENY: u8 = 16;
    pub const CONNECTIONS: u8 = 17;
    pub const CONNECTIONS_PER_SECOND: u8 = 18;
    pub const UPLOAD_BYTES: u8 = 19;
    pub const DOWNLOAD_BYTES: u8 = 20;
    pub const PROXY_PROTOCOL_TIMEOUT_MS: u8 = 21;
    pub const NAMES: u8 = 22;
    pub const TLS: u8 = 23;
    pub const BACKEND_TLS: u8 = 24;
    pub const DRAIN_MS: u8 = 25;
}

pub mod server_name {
    pub const HOST: u8 = 1;
    pub const BACKEND: u8 = 2;
    pub const NAMESPACE: u8 = 3;
    pub const SERVICE_NAME: u8 = 4;
    pub const SERVICE_PORT: u8 = 5;
    pub const TLS: u8 = 6;
    pub const BACKEND_TLS: u8 = 7;
}

pub mod stream_tls {
    pub const CERTIFICATES: u8 = 1;
    pub const AUTHORITY: u8 = 4;
    pub const VERIFY: u8 = 5;
    pub const DEPTH: u8 = 6;
    pub const ALPN: u8 = 8;
}

pub mod stream_backend_tls {
    pub const SERVER_NAME: u8 = 1;
    pub const AUTHORITY: u8 = 2;
    pub const DEPTH: u8 = 3;
    pub const ALTERNATIVE_NAMES: u8 = 4;
    pub const CERTIFICATE: u8 = 5;
}

/// What a number may be.
pub mod numbers {
    use crate::fields::Number;

    pub const STATUS: Number = Number { bytes: 2, min: 400, max: 599 };
    pub const REDIRECT_CODE: Number = Number { bytes: 2, min: 300, max: 308 };
    pub const MILLISECONDS: Number = Number { bytes: 8, min: 1, max: 2147483647 };
    pub const MILLISECONDS_OR_NONE: Number = Number { bytes: 8, min: 0, max: 2147483647 };
    pub const TRIES_OR_NONE: Number = Number { bytes: 8, min: 0, max: 2147483647 };
    pub const BYTES_OR_NONE: Number = Number { bytes: 8, min: 0, max: 9007199254740992 };
    pub const BUFFER_BYTES: Number = Number { bytes: 8, min: 1, max: 2147483647 };
    pub const BUFFERS: Number = Number { bytes: 8, min: 1, max: 2147483647 };
    pub const DEPTH: Number = Number { bytes: 4, min: 1, max: 100 };
    pub const MOMENT: Number = Number { bytes: 8, min: 0, max: 9007199254740992 };
    pub const WEIGHT: Number = Number { bytes: 2, min: 1, max: 100 };
    pub const WINDOW: Number = Number { bytes: 4, min: 1, max: 2147483647 };
    pub const FAILURES: Number = Number { bytes: 4, min: 1, max: 1000 };
    pub const LIMIT: Number = Number { bytes: 4, min: 1, max: 2147483647 };
    pub const BURST_MULTIPLIER: Number = Number { bytes: 4, min: 0, max: 2147483647 };
    pub const IPV6_BITS: Number = Number { bytes: 1, min: 1, max: 128 };
    pub const SUBSET_SIZE: Number = Number { bytes: 4, min: 0, max: 2147483647 };
    pub const CACHED_STATUS: Number = Number { bytes: 2, min: 0, max: 599 };
    pub const POLICY_NEEDS: Number = Number { bytes: 4, min: 0, max: 31 };
    pub const CODE_SET: Number = Number { bytes: 8, min: 0, max: 1125899906842623 };
    pub const DATAGRAMS: Number = Number { bytes: 4, min: 0, max: 2147483647 };
    pub const CACHE_SECONDS: Number = Number { bytes: 4, min: 0, max: 2147483647 };
    pub const SPLIT_WEIGHT: Number = Number { bytes: 4, min: 0, max: 1000000 };
    pub const RETRY_CODE: Number = Number { bytes: 2, min: 400, max: 599 };
    pub const PART: Number = Number { bytes: 4, min: 0, max: 2147483647 };
    pub const WHOLE: Number = Number { bytes: 4, min: 1, max: 2147483647 };
    pub const STEP_SKIP: Number = Number { bytes: 2, min: 0, max: 255 };
    pub const STEP_LEVEL: Number = Number { bytes: 1, min: 1, max: 63 };
    pub const AS_NUMBER: Number = Number { bytes: 4, min: 1, max: 4294967295 };
    pub const RETURN_CODE: Number = Number { bytes: 2, min: 0, max: 999 };
    pub const HEADER_STATUS: Number = Number { bytes: 2, min: 100, max: 999 };
    pub const PAGE_CODE: Number = Number { bytes: 2, min: 300, max: 599 };
    pub const CONNECTION_LIMIT: Number = Number { bytes: 2, min: 1, max: 65535 };
}

/// How long, and how many.
pub mod max {
    pub const TEXT_BYTES: usize = 4096;
    pub const NAME_BYTES: usize = 253;
    pub const ID_BYTES: usize = 64;
    pub const OWNER_BYTES: usize = 1024;
    pub const VARIABLE_BYTES: usize = 63;
    pub const SERVER_BYTES: usize = 63;
    pub const PATH_BYTES: usize = 65535;
    pub const CIPHERS_BYTES: usize = 4096;
    pub const CHAIN: usize = 16;
    pub const AUTHORITY_CERTIFICATES: usize = 1024;
    pub const AUTHORITY_CRLS: usize = 64;
    pub const HOST_CERTIFICATES: usize = 4;
    pub const ADDRESS_RANGES: usize = 16384;
    pub const USERS: usize = 10000;
    pub const CONDITIONS: usize = 64;
    pub const MIRRORS: usize = 16;
    pub const SERVER_NAMES: usize = 1024;
    pub const STREAM_LINES: usize = 16;
    pub const STEPS: usize = 256;
    pub const LEVELS: usize = 64;
    pub const LEVEL_ITEMS: usize = 256;
    pub const ACCESS_RULES: usize = 1024;
    pub const COUNTRIES: usize = 300;
    pub const AS_NUMBERS: usize = 1024;
    pub const USER_NAME_BYTES: usize = 255;
    pub const PASSWORD_HASH_BYTES: usize = 512;
    pub const POLICY_NAME_BYTES: usize = 63;
    pub const POLICY_CONFIG_BYTES: usize = 16384;
}

/// Words, each by its number in a record.
pub mod words {
    pub mod path_match {
        pub const EXACT: u8 = 0;
        pub const PREFIX: u8 = 1;
        pub const REGEX: u8 = 2;
        pub const STRING_PREFIX: u8 = 3;
        pub const STRING_PREFIX_FINAL: u8 = 4;
        pub const PATTERN: u8 = 5;
        pub const PATTERN_ANY_CASE: u8 = 6;
    }
    pub mod condition_of {
        pub const METHOD: u8 = 1;
        pub const HEADER: u8 = 2;
        pub const QUERY: u8 = 3;
        pub const SCHEME: u8 = 4;
    }
    pub mod value_match {
        pub const EXACT: u8 = 1;
        pub const REGEX: u8 = 2;
    }
    pub mod step_op {
        pub const SET: u8 = 1;
        pub const IF: u8 = 2;
        pub const REWRITE: u8 = 3;
        pub const RETURN: u8 = 4;
        pub const BREAK: u8 = 5;
    }
    pub mod step_test {
        pub const FILLED: u8 = 1;
        pub const EQUAL: u8 = 2;
        pub const UNEQUAL: u8 = 3;
        pub const MATCH: u8 = 4;
        pub const MATCH_ANY_CASE: u8 = 5;
        pub const MISMATCH: u8 = 6;
        pub const MISMATCH_ANY_CASE: u8 = 7;
    }
    pub mod rewrite_flag {
        pub const NONE: u8 = 1;
        pub const LAST: u8 = 2;
        pub const BREAK: u8 = 3;
        pub const REDIRECT: u8 = 4;
        pub const PERMANENT: u8 = 5;
    }
    pub mod header_op {
        pub const ADD: u8 = 1;
        pub const SET: u8 = 2;
        pub const CLEAR: u8 = 3;
        pub const APPEND: u8 = 4;
    }
    pub mod input_header_op {
        pub const SET: u8 = 1;
        pub const CLEAR: u8 = 2;
    }
    pub mod log_level {
        pub const INFO: u8 = 1;
        pub const NOTICE: u8 = 2;
        pub const WARN: u8 = 3;
        pub const ERROR: u8 = 4;
    }
    pub mod access_action {
        pub const ALLOW: u8 = 1;
        pub const DENY: u8 = 2;
    }
    pub mod verify {
        pub const ON: u8 = 1;
        pub const OPTIONAL: u8 = 2;
        pub const OPTIONAL_NO_CA: u8 = 3;
        pub const REQUIRED: u8 = 4;
    }
    pub mod host_verify {
        pub const ON: u8 = 1;
        pub const OPTIONAL: u8 = 2;
        pub const OPTIONAL_NO_CA: u8 = 3;
        pub const OFF: u8 = 4;
        pub const REQUIRED: u8 = 5;
    }
    pub mod samesite {
        pub const NONE: u8 = 1;
        pub const LAX: u8 = 2;
        pub const STRICT: u8 = 3;
    }
    pub mod same_site_change {
        pub const STRICT: u8 = 1;
        pub const LAX: u8 = 2;
        pub const NONE: u8 = 3;
        pub const OFF: u8 = 4;
    }
    pub mod algorithm {
        pub const ROUND_ROBIN: u8 = 0;
        pub const EWMA: u8 = 1;
        pub const CHASH: u8 = 2;
        pub const CHASHSUBSET: u8 = 3;
        pub const STICKY_BALANCED: u8 = 4;
        pub const STICKY_PERSISTENT: u8 = 5;
        pub const LEAST_CONN: u8 = 6;
        pub const P2C: u8 = 7;
        pub const CUSTOM: u8 = 8;
    }
    pub mod zone {
        pub const NONE: u8 = 0;
        pub const OURS: u8 = 1;
        pub const ANOTHER: u8 = 2;
    }
    pub const NEXT_UPSTREAM: [&str; 12] = [
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
    ];
    pub mod satisfy {
        pub const ALL: u8 = 1;
        pub const ANY: u8 = 2;
    }
    pub mod proxy_protocol {
        pub const V1: u8 = 1;
        pub const V2: u8 = 2;
    }
    pub mod tls_version {
        pub const TLSV1_2: u8 = 1;
        pub const TLSV1_3: u8 = 2;
    }
}
