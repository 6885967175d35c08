// Printed by `npm run wire` from wire/: change it there.

/** Where the fields of the attempt record begin, in bytes. */
export namespace At {
  export const SIZE: usize = 0
  export const ATTEMPT: usize = 4
  export const TAG: usize = 8
  export const TRIED: usize = 12
  export const TAGS: usize = 16
  export const WANTS: usize = 80
  export const OUTCOME: usize = 84
  export const STATUS: usize = 88
  export const VERSION: usize = 92
  export const NOTE: usize = 96
  export const NOW: usize = 104
  export const CONNECT_TIME: usize = 112
  export const FIRST_BYTE_TIME: usize = 120
  export const KEY_LENGTH: usize = 128
  export const KEY: usize = 132
}

/** Bytes of the attempt record. */
export namespace RecordBytes {
  export const FILTER: i32 = 392
  export const POLICY: i32 = 4228
}

/** Tags of earlier attempts that fit. */
export const MAX_TAGS: usize = 16

/** No tag, and no key. */
export const NONE: u32 = 0xffffffff

/** Version of the ABI of policies. */
export const POLICY_VERSION: i32 = 1

/** Bits of `wants`: what a filter wants to hear of an attempt. */
export namespace Want {
  export const INFO: u32 = 1
  export const TIMES: u32 = 2
}

/** Bits that a policy finds in the place of the outcome, in select. */
export namespace Flag {
  export const AVOIDS: u32 = 1
}

/** What became of an attempt. */
export namespace Outcome {
  export const ANSWERED: u32 = 0
  export const NOT_CONNECTED: u32 = 1
  export const NO_HEAD: u32 = 2
  export const FAILED_STATUS: u32 = 3
  export const INCONCLUSIVE: u32 = 4
}

/** Bits of `wick_policy_needs`. */
export namespace PolicyNeed {
  export const RUNNING: u32 = 1
  export const TIMES: u32 = 2
  export const INFO: u32 = 4
  export const OWN: u32 = 8
  export const ZONES: u32 = 16
}

/** Kinds of `wick_get_numbers`; 0 to 3 are the policy's own. */
export namespace NumberKind {
  export const RUNNING: u32 = 4
  export const LATENCY: u32 = 5
}

/** What a host function answers. */
export namespace Status {
  export const OK: i32 = 0
  export const NOT_FOUND: i32 = 1
  export const BAD_ARGUMENT: i32 = 2
  export const SERIALIZATION_FAILURE: i32 = 3
  export const PARSE_FAILURE: i32 = 4
  export const BAD_EXPRESSION: i32 = 5
  export const INVALID_MEMORY_ACCESS: i32 = 6
  export const EMPTY: i32 = 7
  export const CAS_MISMATCH: i32 = 8
  export const RESULT_MISMATCH: i32 = 9
  export const INTERNAL_FAILURE: i32 = 10
  export const BROKEN_CONNECTION: i32 = 11
  export const UNIMPLEMENTED: i32 = 12
}

/** Levels of `proxy_log`. */
export namespace LogLevel {
  export const TRACE: i32 = 0
  export const DEBUG: i32 = 1
  export const INFO: i32 = 2
  export const WARN: i32 = 3
  export const ERROR: i32 = 4
  export const CRITICAL: i32 = 5
}

/** What a callback of a stream wants: to go on, or to wait. */
export namespace Action {
  export const CONTINUE: i32 = 0
  export const PAUSE: i32 = 1
}

/** What `proxy_get_buffer_bytes` can read. */
export namespace BufferKind {
  export const HTTP_REQUEST_BODY: i32 = 0
  export const HTTP_RESPONSE_BODY: i32 = 1
  export const DOWNSTREAM_DATA: i32 = 2
  export const UPSTREAM_DATA: i32 = 3
  export const HTTP_CALL_RESPONSE_BODY: i32 = 4
  export const GRPC_CALL_MESSAGE: i32 = 5
  export const VM_CONFIGURATION: i32 = 6
  export const PLUGIN_CONFIGURATION: i32 = 7
  export const FOREIGN_FUNCTION_ARGUMENTS: i32 = 8
  export const UPSTREAM_CONFIGURATION: i32 = 9
}

/** The header maps. */
export namespace MapKind {
  export const HTTP_REQUEST_HEADERS: i32 = 0
  export const HTTP_REQUEST_TRAILERS: i32 = 1
  export const HTTP_RESPONSE_HEADERS: i32 = 2
  export const HTTP_RESPONSE_TRAILERS: i32 = 3
  export const GRPC_CALL_INITIAL_METADATA: i32 = 4
  export const GRPC_CALL_TRAILING_METADATA: i32 = 5
  export const HTTP_CALL_RESPONSE_HEADERS: i32 = 6
  export const HTTP_CALL_RESPONSE_TRAILERS: i32 = 7
  export const HTTP_UPSTREAM_RESPONSE_HEADERS: i32 = 8
}
