import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import { checkConf, type Nginx } from "../../../harness/nginx.ts"
import { type Span, spanOf } from "../../support/clock.ts"
import { counters, startHost } from "./support/host.ts"
import { imports } from "./support/imports.ts"
import {
  type Answered,
  assemble,
  basics,
  type Call,
  declaration,
  LAST_BYTE,
  OUTSIDE,
  type RawFilter,
  read,
  result,
  WRAPPING,
  writeRaw,
} from "./support/raw.ts"

const OK = 0
const NOT_FOUND = 1
const BAD_ARGUMENT = 2
const BAD_ADDRESS = 6
const CAS_MISMATCH = 8
const UNIMPLEMENTED = 12
const WASI_BAD_FILE = 8
const WASI_FAULT = 21

const backend = new Backend("served")

/** What a call must answer; `text` is what must then stand at its two result words. */
type Case = readonly [what: string, call: Call, status: number, text?: string]

const [data, size, cas] = [result(0), result(4), result(8)]
const ALL = 0x7fffffff

/** A header map of one pair. */
function pair(name: string, value: string): string {
  const length = (text: string) => String.fromCharCode(text.length, 0, 0, 0)
  return `${length(" ").replace(" ", "")}${length(name)}${length(value)}${name}\0${value}\0`
}

const inRequestHeaders: readonly Case[] = [
  ["log", ["proxy_log", 2, "spoken by a filter"], OK],
  ["log: the last byte of memory", ["proxy_log", 2, LAST_BYTE, 1], OK],
  ["log: one byte too many", ["proxy_log", 2, LAST_BYTE, 2], BAD_ADDRESS],
  ["log: nothing, at the end of memory", ["proxy_log", 2, LAST_BYTE + 1, 0], OK],
  ["log: outside of memory", ["proxy_log", 2, OUTSIDE, 4], BAD_ADDRESS],
  ["log: a range that wraps around", ["proxy_log", 2, WRAPPING, 16], BAD_ADDRESS],
  ["log: a length of -1", ["proxy_log", 2, 16, -1], BAD_ADDRESS],
  ["log: level 6", ["proxy_log", 6, "x"], BAD_ARGUMENT],
  ["log: level -1", ["proxy_log", -1, "x"], BAD_ARGUMENT],
  ["log level", ["proxy_get_log_level", result(0)], OK],
  ["log level at an odd address", ["proxy_get_log_level", result(3)], OK],
  ["log level: across the end", ["proxy_get_log_level", LAST_BYTE - 2], BAD_ADDRESS],
  ["time at an odd address", ["proxy_get_current_time_nanoseconds", result(1)], OK],
  ["time: across the end", ["proxy_get_current_time_nanoseconds", LAST_BYTE - 6], BAD_ADDRESS],
  ["time: outside", ["proxy_get_current_time_nanoseconds", OUTSIDE], BAD_ADDRESS],
  ["tick: none", ["proxy_set_tick_period_milliseconds", 0], OK],

  ["VM configuration", ["proxy_get_buffer_bytes", 6, 0, ALL, data, size], OK, "the vm"],
  ["VM configuration: from 4", ["proxy_get_buffer_bytes", 6, 4, ALL, data, size], OK, "vm"],
  ["VM configuration: 2 bytes from 1", ["proxy_get_buffer_bytes", 6, 1, 2, data, size], OK, "he"],
  ["VM configuration: from its end", ["proxy_get_buffer_bytes", 6, 6, ALL, data, size], OK, ""],
  ["VM configuration: from -1", ["proxy_get_buffer_bytes", 6, -1, -1, data, size], OK, ""],
  ["plugin configuration", ["proxy_get_buffer_bytes", 7, 0, ALL, data, size], OK, ""],
  ["buffer: address nowhere", ["proxy_get_buffer_bytes", 6, 0, ALL, OUTSIDE, size], BAD_ADDRESS],
  ["buffer: size nowhere", ["proxy_get_buffer_bytes", 6, 0, ALL, data, WRAPPING + 6], BAD_ADDRESS],
  ["buffer of a body that was not read", ["proxy_get_buffer_bytes", 0, 0, ALL, data, size], NOT_FOUND],
  ["buffer of the response", ["proxy_get_buffer_bytes", 1, 0, ALL, data, size], UNIMPLEMENTED],
  ["buffer of an upstream's configuration", ["proxy_get_buffer_bytes", 9, 0, ALL, data, size], UNIMPLEMENTED],
  ["buffer 10", ["proxy_get_buffer_bytes", 10, 0, ALL, data, size], BAD_ARGUMENT],
  ["buffer -1", ["proxy_get_buffer_bytes", -1, 0, ALL, data, size], BAD_ARGUMENT],
  ["buffer status", ["proxy_get_buffer_status", 6, result(0), result(4)], OK],
  ["buffer status: nowhere", ["proxy_get_buffer_status", 6, OUTSIDE, result(4)], BAD_ADDRESS],

  ["header", ["proxy_get_header_map_value", 0, "X-Sent", data, size], OK, "by the client"],
  ["header: absent", ["proxy_get_header_map_value", 0, "x-none", data, size], NOT_FOUND],
  ["header: method", ["proxy_get_header_map_value", 0, ":method", data, size], OK, "GET"],
  ["header: no such pseudo header", ["proxy_get_header_map_value", 0, ":nope", data, size], NOT_FOUND],
  ["header: name nowhere", ["proxy_get_header_map_value", 0, OUTSIDE, 6, data, size], BAD_ADDRESS],
  ["header: result nowhere", ["proxy_get_header_map_value", 0, "x-sent", OUTSIDE, size], BAD_ADDRESS],
  ["header: size nowhere", ["proxy_get_header_map_value", 0, "x-sent", data, OUTSIDE], BAD_ADDRESS],
  ["header of a map that we lack", ["proxy_get_header_map_value", 1, "x", data, size], UNIMPLEMENTED],
  ["header of map 9", ["proxy_get_header_map_value", 9, "x", data, size], BAD_ARGUMENT],
  ["header of map -1", ["proxy_get_header_map_value", -1, "x", data, size], BAD_ARGUMENT],
  ["pairs: nowhere", ["proxy_get_header_map_pairs", 0, OUTSIDE, size], BAD_ADDRESS],
  ["pairs", ["proxy_get_header_map_pairs", 0, data, size], OK],
  ["map size", ["proxy_get_header_map_size", 0, result(0)], OK],
  ["map size: nowhere", ["proxy_get_header_map_size", 0, OUTSIDE], BAD_ADDRESS],
  ["add", ["proxy_add_header_map_value", 0, "x-added", "one"], OK],
  ["added is there", ["proxy_get_header_map_value", 0, "x-added", data, size], OK, "one"],
  ["add: a line break in the value", ["proxy_add_header_map_value", 0, "x-bad", "1\r\nx: 2"], BAD_ARGUMENT],
  ["add: a lone LF", ["proxy_add_header_map_value", 0, "x-bad", "1\n2"], BAD_ARGUMENT],
  ["add: a lone CR", ["proxy_add_header_map_value", 0, "x-bad", "1\r2"], BAD_ARGUMENT],
  ["add: NUL", ["proxy_add_header_map_value", 0, "x-bad", "1\u00002"], BAD_ARGUMENT],
  ["add: a name with a colon", ["proxy_add_header_map_value", 0, "x:bad", "1"], BAD_ARGUMENT],
  ["add: a name with a blank", ["proxy_add_header_map_value", 0, "x bad", "1"], BAD_ARGUMENT],
  ["add: a name with a line break", ["proxy_add_header_map_value", 0, "x-bad\r\n", "1"], BAD_ARGUMENT],
  ["add: no name", ["proxy_add_header_map_value", 0, "", "1"], BAD_ARGUMENT],
  ["add: name nowhere", ["proxy_add_header_map_value", 0, OUTSIDE, 3, "1"], BAD_ADDRESS],
  ["add: value nowhere", ["proxy_add_header_map_value", 0, "x-bad", OUTSIDE, 3], BAD_ADDRESS],
  ["nothing bad was added", ["proxy_get_header_map_value", 0, "x-bad", data, size], NOT_FOUND],
  ["add to the response, too early", ["proxy_add_header_map_value", 2, "x-bad", "1"], BAD_ARGUMENT],
  ["replace", ["proxy_replace_header_map_value", 0, "X-Added", "two"], OK],
  ["replaced", ["proxy_get_header_map_value", 0, "x-added", data, size], OK, "two"],
  ["replace: a line break", ["proxy_replace_header_map_value", 0, "x-added", "a\nb"], BAD_ARGUMENT],
  ["replace: value nowhere", ["proxy_replace_header_map_value", 0, "x-added", WRAPPING, 16], BAD_ADDRESS],
  ["still replaced", ["proxy_get_header_map_value", 0, "x-added", data, size], OK, "two"],
  ["remove", ["proxy_remove_header_map_value", 0, "x-added"], OK],
  ["removed", ["proxy_get_header_map_value", 0, "x-added", data, size], NOT_FOUND],
  ["remove: absent", ["proxy_remove_header_map_value", 0, "x-none"], OK],
  ["remove: nowhere", ["proxy_remove_header_map_value", 0, OUTSIDE, 3], BAD_ADDRESS],
  ["remove: the method", ["proxy_remove_header_map_value", 0, ":method"], BAD_ARGUMENT],
  ["set pairs: nowhere", ["proxy_set_header_map_pairs", 0, OUTSIDE, 20], BAD_ADDRESS],
  ["set pairs: truncated", ["proxy_set_header_map_pairs", 0, "\u0001\0\0\0\u0005\0\0\0"], BAD_ARGUMENT],
  ["set pairs: 2^31 of them", ["proxy_set_header_map_pairs", 0, "\0\0\0\u0040"], BAD_ARGUMENT],
  ["set pairs: a line break", ["proxy_set_header_map_pairs", 0, pair("x-a", "1\r\n2")], BAD_ARGUMENT],
  [
    "set pairs kept what there was",
    ["proxy_get_header_map_value", 0, "x-sent", data, size],
    OK,
    "by the client",
  ],

  ["property", ["proxy_get_property", "request\0method", data, size], OK, "GET"],
  ["property: unknown", ["proxy_get_property", "request\0nonsense", data, size], NOT_FOUND],
  ["property: no path", ["proxy_get_property", "", data, size], NOT_FOUND],
  ["property: only separators", ["proxy_get_property", "\0\0\0", data, size], NOT_FOUND],
  ["property: path nowhere", ["proxy_get_property", OUTSIDE, 10, data, size], BAD_ADDRESS],
  ["property: result nowhere", ["proxy_get_property", "request\0method", OUTSIDE, size], BAD_ADDRESS],
  ["property of an attempt, before it", ["proxy_get_property", "upstream\0status", data, size], NOT_FOUND],
  ["set property", ["proxy_set_property", "ngx\0changeable", "changed"], OK],
  ["set property: done", ["proxy_get_property", "ngx\0changeable", data, size], OK, "changed"],
  ["set property: not nginx's", ["proxy_set_property", "request\0method", "POST"], BAD_ARGUMENT],
  ["set property: read-only", ["proxy_set_property", "ngx\0request_method", "POST"], BAD_ARGUMENT],
  ["set property: no such variable", ["proxy_set_property", "ngx\0no_such_one", "x"], NOT_FOUND],
  ["set property: value nowhere", ["proxy_set_property", "ngx\0changeable", OUTSIDE, 4], BAD_ADDRESS],
  ["set property: path nowhere", ["proxy_set_property", OUTSIDE, 4, "x"], BAD_ADDRESS],

  ["response: status 199", ["proxy_send_local_response", 199, "", "", "", -1], BAD_ARGUMENT],
  ["response: status 600", ["proxy_send_local_response", 600, "", "", "", -1], BAD_ARGUMENT],
  ["response: status -200", ["proxy_send_local_response", -200, "", "", "", -1], BAD_ARGUMENT],
  ["response: status 65736", ["proxy_send_local_response", 65736, "", "", "", -1], BAD_ARGUMENT],
  ["response: body nowhere", ["proxy_send_local_response", 200, "", OUTSIDE, 9, "", -1], BAD_ADDRESS],
  ["response: headers nowhere", ["proxy_send_local_response", 200, "", "", OUTSIDE, 9, -1], BAD_ADDRESS],
  ["response: no header map", ["proxy_send_local_response", 200, "", "", "abcde", -1], BAD_ARGUMENT],
  [
    "response: a line break in a header",
    ["proxy_send_local_response", 200, "", "", pair("x", "1\r\n2"), -1],
    BAD_ARGUMENT,
  ],
  [
    "response: a pseudo header",
    ["proxy_send_local_response", 200, "", "", pair(":status", "204"), -1],
    BAD_ARGUMENT,
  ],

  ["shared data: absent", ["proxy_get_shared_data", "backends/abi", data, size, cas], NOT_FOUND],
  ["shared data: set", ["proxy_set_shared_data", "backends/abi", "value", 0], OK],
  ["shared data: get", ["proxy_get_shared_data", "backends/abi", data, size, cas], OK, "value"],
  ["shared data: cas", ["proxy_set_shared_data", "backends/abi", "other", 77], CAS_MISMATCH],
  ["shared data: kept", ["proxy_get_shared_data", "backends/abi", data, size, cas], OK, "value"],
  ["shared data: no such zone", ["proxy_set_shared_data", "nowhere/abi", "value", 0], NOT_FOUND],
  ["shared data: no zone at all", ["proxy_get_shared_data", "abi", data, size, cas], NOT_FOUND],
  ["shared data: key nowhere", ["proxy_get_shared_data", OUTSIDE, 4, data, size, cas], BAD_ADDRESS],
  ["shared data: result nowhere", ["proxy_get_shared_data", "backends/abi", OUTSIDE, size, cas], BAD_ADDRESS],
  ["shared data: cas nowhere", ["proxy_get_shared_data", "backends/abi", data, size, OUTSIDE], BAD_ADDRESS],
  ["shared data: value nowhere", ["proxy_set_shared_data", "backends/abi", OUTSIDE, 4, 0], BAD_ADDRESS],
  ["shared data: a length of -1", ["proxy_set_shared_data", "backends/abi", 64, -1, 0], BAD_ADDRESS],
  ["shared data: delete", ["proxy_set_shared_data", "backends/abi", 0, 0, 0], OK],
  ["shared data: deleted", ["proxy_get_shared_data", "backends/abi", data, size, cas], NOT_FOUND],

  ["foreign: unknown", ["proxy_call_foreign_function", "fly", "", data, size], NOT_FOUND],
  ["foreign: name nowhere", ["proxy_call_foreign_function", OUTSIDE, 3, "", data, size], BAD_ADDRESS],
  [
    "foreign: arguments nowhere",
    ["proxy_call_foreign_function", "wick_list_shared_data", WRAPPING, 99, data, size],
    BAD_ADDRESS,
  ],
  [
    "foreign: version",
    ["proxy_call_foreign_function", "wick_shared_data_version", "backends/abi", data, size],
    OK,
  ],
  [
    "foreign: version, no zone",
    ["proxy_call_foreign_function", "wick_shared_data_version", "abi", data, size],
    NOT_FOUND,
  ],
  [
    "foreign: version, result nowhere",
    ["proxy_call_foreign_function", "wick_shared_data_version", "backends/abi", OUTSIDE, size],
    BAD_ADDRESS,
  ],
  [
    "foreign: list, malformed",
    ["proxy_call_foreign_function", "wick_list_shared_data", "short", data, size],
    BAD_ARGUMENT,
  ],
  [
    "foreign: many, malformed",
    ["proxy_call_foreign_function", "wick_set_shared_data_many", "\u0009\0\0\0", data, size],
    BAD_ARGUMENT,
  ],
  [
    "foreign: many, none",
    ["proxy_call_foreign_function", "wick_set_shared_data_many", "\0\0\0\0", data, size],
    OK,
  ],
  [
    "foreign: callbacks, too late",
    ["proxy_call_foreign_function", "wick_set_callbacks", "log", data, size],
    BAD_ARGUMENT,
  ],

  ...["wick_expand", "wick_get_cookie", "wick_set_cookie", "wick_match", "wick_check_pattern"].flatMap(
    (name): Case[] => [
      [
        `${name}: arguments nowhere`,
        ["proxy_call_foreign_function", name, WRAPPING, 99, data, size],
        BAD_ADDRESS,
      ],
      [`${name}: a length of -1`, ["proxy_call_foreign_function", name, 16, -1, data, size], BAD_ADDRESS],
    ],
  ),
  [
    "foreign: expand",
    ["proxy_call_foreign_function", "wick_expand", "<$request_method>", data, size],
    OK,
    "<GET>",
  ],
  [
    "foreign: expand, result nowhere",
    ["proxy_call_foreign_function", "wick_expand", "$request_method", OUTSIDE, size],
    BAD_ADDRESS,
  ],
  [
    "foreign: cookie, none",
    ["proxy_call_foreign_function", "wick_get_cookie", "route", data, size],
    NOT_FOUND,
  ],
  [
    "foreign: set cookie, short",
    ["proxy_call_foreign_function", "wick_set_cookie", "\u0001\0\0", data, size],
    BAD_ARGUMENT,
  ],
  [
    "foreign: set cookie, too early",
    ["proxy_call_foreign_function", "wick_set_cookie", "\u0001\0\0\0aa=1", data, size],
    BAD_ARGUMENT,
  ],
  [
    "foreign: match",
    ["proxy_call_foreign_function", "wick_match", "\u0001\0\0\0aba", data, size],
    OK,
    "\u0001\0\0\0",
  ],
  [
    "foreign: match, truncated",
    ["proxy_call_foreign_function", "wick_match", "\u0009\0\0\0aba", data, size],
    BAD_ARGUMENT,
  ],
  [
    "foreign: match, result nowhere",
    ["proxy_call_foreign_function", "wick_match", "\u0001\0\0\0aba", data, OUTSIDE],
    BAD_ADDRESS,
  ],
  [
    "foreign: check, a pattern",
    ["proxy_call_foreign_function", "wick_check_pattern", "/a(b)", data, size],
    OK,
    "",
  ],
  [
    "foreign: check, none",
    ["proxy_call_foreign_function", "wick_check_pattern", "/a(b", data, size],
    OK,
    "missing closing parenthesis at byte 4",
  ],
  [
    "foreign: check, result nowhere",
    ["proxy_call_foreign_function", "wick_check_pattern", "/a(b", OUTSIDE, size],
    BAD_ADDRESS,
  ],

  ["fd_write to file 3", ["fd_write", 3, 0, 0, result(0)], WASI_BAD_FILE],
  ["fd_write: vectors nowhere", ["fd_write", 1, OUTSIDE, 1, result(0)], WASI_FAULT],
  ["fd_write: count nowhere", ["fd_write", 1, 0, 0, OUTSIDE], WASI_FAULT],
  ["clock_time_get", ["clock_time_get", 0, 0n, result(1)], OK],
  ["clock_time_get: nowhere", ["clock_time_get", 0, 0n, WRAPPING + 4], WASI_FAULT],
  ["random_get", ["random_get", result(0), 16], OK],
  ["random_get: nowhere", ["random_get", OUTSIDE, 16], WASI_FAULT],
  ["random_get: a length of -1", ["random_get", 64, -1], WASI_FAULT],
  ["environ_sizes_get", ["environ_sizes_get", result(0), result(4)], OK],
  ["environ_sizes_get: nowhere", ["environ_sizes_get", OUTSIDE, result(4)], WASI_FAULT],
  ["args_sizes_get", ["args_sizes_get", result(0), result(4)], OK],
]

const inConfigure: readonly Case[] = [
  ["headers outside of a request", ["proxy_get_header_map_value", 0, "x", data, size], BAD_ARGUMENT],
  ["a change of headers outside of a request", ["proxy_add_header_map_value", 0, "x", "y"], BAD_ARGUMENT],
  ["the body outside of a request", ["proxy_get_buffer_bytes", 0, 0, ALL, data, size], BAD_ARGUMENT],
  [
    "a property of a request outside of one",
    ["proxy_get_property", "request\0method", data, size],
    NOT_FOUND,
  ],
  ["a variable outside of a request", ["proxy_set_property", "ngx\0changeable", "x"], BAD_ARGUMENT],
  ["a response outside of a request", ["proxy_send_local_response", 200, "", "", "", -1], BAD_ARGUMENT],
  [
    "callbacks",
    [
      "proxy_call_foreign_function",
      "wick_set_callbacks",
      "request_headers\0upstream_select\0upstream_info\0context",
      data,
      size,
    ],
    OK,
  ],
  [
    "callbacks: an unknown one",
    ["proxy_call_foreign_function", "wick_set_callbacks", "log\0lunch", data, size],
    BAD_ARGUMENT,
  ],
  [
    "shared data outside of a request",
    ["proxy_get_shared_data", "backends/none", data, size, cas],
    NOT_FOUND,
  ],
  ["the plugin's name outside of a request", ["proxy_get_property", "plugin_name", data, size], OK, "raw"],
]

const inSelect: readonly Case[] = [
  ["set_upstream: address nowhere", ["proxy_set_upstream", OUTSIDE, 9, 80, 0, 0, 0], BAD_ADDRESS],
  ["set_upstream: a range that wraps around", ["proxy_set_upstream", WRAPPING, 16, 80, 0, 0, 0], BAD_ADDRESS],
  ["set_upstream: no address", ["proxy_set_upstream", "", 80, 0, 0, 0], BAD_ARGUMENT],
  ["set_upstream: port -1", ["proxy_set_upstream", "127.0.0.1", -1, 0, 0, 0], BAD_ARGUMENT],
  ["set_upstream: tls 2", ["proxy_set_upstream", "127.0.0.1", 80, 2, 0, 0], BAD_ARGUMENT],
  ["set_upstream: SNI nowhere", ["proxy_set_upstream", "127.0.0.1", 80, 0, OUTSIDE, 5], BAD_ARGUMENT],
  ["get_upstream_timeouts: nowhere", ["proxy_get_upstream_timeouts", data, OUTSIDE, cas], BAD_ADDRESS],
  ["get_upstream_timeouts", ["proxy_get_upstream_timeouts", result(1), result(5), result(9)], OK],
  ["set_upstream_timeouts: negative", ["proxy_set_upstream_timeouts", -1, 0, 0], BAD_ARGUMENT],
  ["set_upstream_timeouts", ["proxy_set_upstream_timeouts", 0, 0, 0], OK],
  ["a header that comes too late", ["proxy_add_header_map_value", 0, "x-late", "1"], BAD_ARGUMENT],
  ["a header of the client", ["proxy_get_header_map_value", 0, "x-sent", data, size], OK, "by the client"],
  ["set_upstream", ["proxy_set_upstream", "127.0.0.1", () => backend.port, 0, 0, 0], OK],
  ["set_upstream: again", ["proxy_set_upstream", "127.0.0.1", 1, 0, 0, 0], BAD_ARGUMENT],
]

const inInfo: readonly Case[] = [
  ["status of the attempt", ["proxy_get_property", "upstream\0status", data, size], OK, "200"],
  ["address: result nowhere", ["proxy_get_property", "upstream\0address", OUTSIDE, size], BAD_ADDRESS],
  ["a response, too late", ["proxy_send_local_response", 200, "", "", "", -1], BAD_ARGUMENT],
]

const unimplemented: readonly Case[] = imports
  .filter(([, name]) =>
    /queue|metric|http_call|grpc|_stream$|proxy_done|effective|get_status|set_buffer|get_configuration|continue_re|clear_route/.test(
      name,
    ),
  )
  .map(([, name, parameters]) => [
    name,
    [name, ...[...parameters].map((letter) => (letter === "I" ? 0n : 0))],
    UNIMPLEMENTED,
  ])

const cases = [...inConfigure, ...inRequestHeaders, ...unimplemented, ...inSelect, ...inInfo]
const calls = (list: readonly Case[]) => list.map(([, call]) => call)
const raw: RawFilter = {
  steps: {
    configure: calls(inConfigure),
    request_headers: calls([...inRequestHeaders, ...unimplemented]),
    upstream_select: calls(inSelect),
    upstream_info: calls(inInfo),
  },
}

let nginx: Nginx
let worker: number | undefined
let answered: Answered[]
let span: Span

beforeAll(async () => {
  await backend.start()
  nginx = await startHost((site) => ({
    wasm: `module raw ${writeRaw(site.dir, "raw", raw)} 'the vm';`,
    http: `upstream chosen { server 127.0.0.1:${backend.port}; wasm_upstream_select; }`,
    server: `set $changeable ""; location /calls { proxy_wasm raw; proxy_set_header x-added $http_x_added; proxy_pass http://chosen; }
      location /dump { proxy_wasm raw dump; return 500; }`,
  }))
  worker = nginx.workers()[0]
  span = await spanOf(async () => {
    const { body } = await nginx.get("/calls", { headers: { "x-sent": "by the client" } })
    expect(body).toBe("served")
  })
  const dump = await fetch(`http://127.0.0.1:${nginx.port}/dump`)
  answered = read(raw, new Uint8Array(await dump.arrayBuffer()))
})
afterAll(() => Promise.all([nginx?.stop(), backend.stop()]))

describe("every function answers", () => {
  test.each(
    cases.map(([what, call, status, text], i) => ({ i, what: `${what}: ${call[0]}`, status, text })),
  )("$status to $what", ({ i, status, text }) => {
    expect(answered[i]?.status).toBe(status)
    if (text !== undefined) expect(answered[i]?.text).toBe(text)
  })

  test("and whatever it was asked, no fault came of it", async () => {
    expect(await counters(nginx)).toMatchObject({ faults: 0 })
    expect(nginx.workers()).toEqual([worker])
  })

  test("with the truth", () => {
    const word = (what: string, offset = 0) => {
      const i = cases.findIndex(([name]) => name === what)
      return answered[i]?.word(offset) ?? Number.NaN
    }
    const seconds = (what: string) => {
      const ns = (BigInt(word(what, 5)) << 32n) | BigInt(word(what, 1))
      return Number(ns / 1_000_000_000n)
    }
    expect(word("log level")).toBe(2) // error_log … info
    expect(word("log level at an odd address", 3)).toBe(2)
    span.includes(seconds("time at an odd address") * 1000)
    span.includes(seconds("clock_time_get") * 1000)
    expect(word("buffer status")).toBe("the vm".length)
    expect(word("get_upstream_timeouts", 1)).toBe(60_000)
    expect(new Set([0, 4, 8, 12].map((offset) => word("random_get", offset))).size).toBeGreaterThan(1)
    expect(nginx.errorLog()).toMatch(/\[info\].*\["raw" #\d+\] spoken by a filter/)
  })
})

describe("linking", () => {
  const everything = assemble(`(module ${imports.map(declaration).join("\n")} ${basics}
    (func (export "malloc") (param i32) (result i32) (i32.const 1024))
    (table funcref (elem ${imports.map(([, name]) => `$${name}`).join(" ")})))`)

  test("a filter that imports everything is loaded", async () => {
    const { ok, output } = await checkConf((site) => {
      const file = join(site.dir, "everything.wasm")
      writeFileSync(file, everything)
      return {
        main: `load_module ${site.modules}/ngx_http_wasm_module.so; wasm { module m ${file}; }`,
        http: "proxy_wasm m;",
      }
    })
    expect(ok, output).toBe(true)
  })
})
