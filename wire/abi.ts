// What host and guest speak beyond the functions of Proxy-Wasm (docs/abi.md). `npm run wire` prints from it what Rust, AssemblyScript and TypeScript
// have of it, and the tables of docs/abi.md. Numbers here never change their meaning: filters and policies of others have them.

/** A field of the attempt record. Numbers are little endian. */
export interface Place {
  readonly name: string
  /** in bytes from the start of the record */
  readonly at: number
  readonly type: "u32" | "u64" | "u32[16]" | "bytes"
  readonly writtenBy: string
  readonly meaning: string
}

/** A number with a name; the meaning is for docs/abi.md, and empty where the specification has it. */
export interface Named {
  readonly name: string
  readonly number: number
  readonly meaning: string
}

const beforeSelect = "host, before select"
const beforeInfo = "host, before info"
const beforeBoth = "host, before select and info"
const inSelect = "filter in select"

export const numbers = {
  /** tags of earlier attempts that fit */
  max_tags: 16,
  /** no tag, no key */
  none: 0xffff_ffff,
  /** what the host adds to Proxy-Wasm; other hosts leave 0 in its place */
  host_version: 1,
  /** what a policy exports as `wick_abi_version` is at most this */
  policy_version: 1,
} as const

const tagsAt = 16
const afterTags = tagsAt + 4 * numbers.max_tags
const keyAt = 132

/** Bytes of the record: of the filter's, where 260 of the key are enough for every name that a backend may have, and of a policy's, where 4 KiB fit. */
export const recordBytes = { filter: keyAt + 260, policy: keyAt + 4096 } as const

export const attempt: readonly Place[] = [
  {
    name: "size",
    at: 0,
    type: "u32",
    writtenBy: "filter, before it is started",
    meaning: `bytes of the record that the filter knows; the host writes no further. Today's host knows ${recordBytes.filter}, and ${recordBytes.policy} of a policy's: a key of 4 KiB fits`,
  },
  {
    name: "attempt",
    at: 4,
    type: "u32",
    writtenBy: beforeBoth,
    meaning: "0 for the first attempt of a request, then 1, 2 …",
  },
  {
    name: "tag",
    at: 8,
    type: "u32",
    writtenBy: "filter in select; host before info",
    meaning:
      "any number by which the filter identifies the endpoint it chose; the host keeps it with the attempt. The host sets it to 0xffffffff before select",
  },
  {
    name: "tried",
    at: 12,
    type: "u32",
    writtenBy: beforeSelect,
    meaning: `how many tags follow: those of this request's earlier attempts, at most ${numbers.max_tags}, latest last`,
  },
  { name: "tags", at: tagsAt, type: "u32[16]", writtenBy: beforeSelect, meaning: "" },
  {
    name: "wants",
    at: afterTags,
    type: "u32",
    writtenBy: inSelect,
    meaning:
      "bit 0: call `proxy_on_upstream_info` after this attempt; bit 1: with its times measured. The host sets it to 3 before select. A filter that clears the bits pays for neither",
  },
  {
    name: "outcome",
    at: 84,
    type: "u32",
    writtenBy: beforeInfo,
    meaning: "how the attempt ended, see below",
  },
  {
    name: "status",
    at: 88,
    type: "u32",
    writtenBy: beforeInfo,
    meaning: "status of the response, 0 if there was no (valid) head",
  },
  {
    name: "version",
    at: 92,
    type: "u32",
    writtenBy: "host, once before the first callback",
    meaning: `of what the host adds to Proxy-Wasm: ${numbers.host_version}. 0 on another host, which may trap when it is asked for a foreign function of this page`,
  },
  {
    name: "note",
    at: 96,
    type: "u64",
    writtenBy: inSelect,
    meaning:
      "anything the filter wants to remember. The host keeps it with the attempt, and writes it back before this attempt's info and before the request's next select. 0 before the first",
  },
  {
    name: "now",
    at: 104,
    type: "u64",
    writtenBy: beforeBoth,
    meaning:
      "a clock that all processes share and that never goes back; it advances in steps of some milliseconds at most",
  },
  {
    name: "connect_time",
    at: 112,
    type: "u64",
    writtenBy: beforeInfo,
    meaning:
      "from the choice until the connection stands (TLS included), in steps of nginx's clock; 0 on a kept connection",
  },
  {
    name: "first_byte_time",
    at: 120,
    type: "u64",
    writtenBy: beforeInfo,
    meaning:
      "from the choice to the head of the response, or to the end of the attempt if there was none; to the nanosecond, measured for this attempt alone",
  },
  {
    name: "key_length",
    at: 128,
    type: "u32",
    writtenBy: beforeSelect,
    meaning:
      "length of the value of the variable in `wasm_upstream_select … key=$VARIABLE`; 0xffffffff if there is none or it does not fit",
  },
  {
    name: "key",
    at: keyAt,
    type: "bytes",
    writtenBy: beforeSelect,
    meaning: "the value; as many bytes as the size leaves room for",
  },
]

/** Bits of `wants`. */
export const wants: readonly Named[] = [
  { name: "info", number: 1, meaning: "`proxy_on_upstream_info` follows the attempt" },
  { name: "times", number: 2, meaning: "with its times measured" },
]

/** Bits of the word at `outcome` in a policy's select. */
export const flags: readonly Named[] = [
  { name: "avoids", number: 1, meaning: "some endpoints are to be kept away from" },
]

export const outcomes: readonly Named[] = [
  {
    name: "answered",
    number: 0,
    meaning:
      "a response head arrived and is used, whatever happens to the body. The status may be an error that `proxy_next_upstream` does not list",
  },
  {
    name: "not_connected",
    number: 1,
    meaning: "no connection, or no TLS: refused, unreachable, timed out",
  },
  { name: "no_head", number: 2, meaning: "connected, but no (valid) head in time" },
  {
    name: "failed_status",
    number: 3,
    meaning: "a head with a status that `proxy_next_upstream` lists, and the filter did not accept it",
  },
  {
    name: "inconclusive",
    number: 4,
    meaning:
      "says nothing about the endpoint: the request ended first (the client left, for instance), the endpoint had already closed a kept connection (nginx sends the request again and counts no try), or a later filter of the chain answered instead",
  },
]

/** Bits of what a policy exports as `wick_policy_needs`. What nobody needs costs nothing. */
export const needs: readonly Named[] = [
  { name: "running", number: 1, meaning: "attempts that run are counted, over all workers" },
  { name: "times", number: 2, meaning: "attempts are measured, and their moving average is kept" },
  { name: "info", number: 4, meaning: "`proxy_on_upstream_info`: the policy is told how each attempt ended" },
  { name: "own", number: 8, meaning: "four shared numbers of its own per endpoint" },
  { name: "zones", number: 16, meaning: "the zones of endpoints" },
]

/** What is known of an endpoint: kinds of `wick_get_numbers` behind the policy's own, which are cells 0 to 3. */
export const kinds: readonly Named[] = [
  { name: "running", number: 4, meaning: "attempts that run, over all workers" },
  {
    name: "latency",
    number: 5,
    meaning: "moving average, u32 milliseconds when it was touched and f32 nanoseconds in the high bits",
  },
]

/** Variables of nginx that the filter reads or sets, by the property `ngx\0NAME`. The name of a header or cookie follows `http_` and `cookie_`. */
export const variables = [
  "proxy_upstream_name",
  "proxy_alternative_upstream_name",
  "route_session",
  "ingress_host",
  "location_path",
  "https",
  "http_",
  "cookie_",
] as const

/** Codes of Proxy-Wasm 0.2.1 by kind: what the specification calls them. */
export const codes: Readonly<Record<string, { readonly about: string; readonly codes: readonly Named[] }>> = {
  Status: {
    about: "What a host function answers.",
    codes: listed(
      "ok",
      "not_found",
      "bad_argument",
      "serialization_failure",
      "parse_failure",
      "bad_expression",
      "invalid_memory_access",
      "empty",
      "cas_mismatch",
      "result_mismatch",
      "internal_failure",
      "broken_connection",
      "unimplemented",
    ),
  },
  LogLevel: {
    about: "Levels of `proxy_log`.",
    codes: listed("trace", "debug", "info", "warn", "error", "critical"),
  },
  Action: {
    about: "What a callback of a stream wants: to go on, or to wait.",
    codes: listed("continue", "pause"),
  },
  Buffer: {
    about: "What `proxy_get_buffer_bytes` can read.",
    codes: [
      ...listed(
        "http_request_body",
        "http_response_body",
        "downstream_data",
        "upstream_data",
        "http_call_response_body",
        "grpc_call_message",
        "vm_configuration",
        "plugin_configuration",
        "foreign_function_arguments",
      ),
      { name: "upstream_configuration", number: 9, meaning: "Of the upstream-selection extension." },
    ],
  },
  Map: {
    about: "The header maps.",
    codes: [
      ...listed(
        "http_request_headers",
        "http_request_trailers",
        "http_response_headers",
        "http_response_trailers",
        "grpc_call_initial_metadata",
        "grpc_call_trailing_metadata",
        "http_call_response_headers",
        "http_call_response_trailers",
      ),
      {
        name: "http_upstream_response_headers",
        number: 8,
        meaning: "Of the upstream-selection extension: the response that is being judged.",
      },
    ],
  },
  Stream: {
    about: "The two directions of the two kinds of traffic.",
    codes: listed("http_request", "http_response", "downstream", "upstream"),
  },
  Peer: {
    about: "Who closed a connection.",
    codes: listed("unknown", "local", "remote"),
  },
  Metric: {
    about: "Kinds of metrics.",
    codes: listed("counter", "gauge", "histogram"),
  },
}

function listed(...names: readonly string[]): Named[] {
  return names.map((name, number) => ({ name, number, meaning: "" }))
}
