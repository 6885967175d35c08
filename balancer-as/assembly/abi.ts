/** The host's functions as Proxy-Wasm 0.2.1 names them, and its codes. Only host.ts calls them. */

export { Action, BufferKind, LogLevel, MapKind, Status } from "../../policy-as/assembly/lib/abi"


@external("env", "proxy_log")
export declare function proxy_log(level: i32, message: usize, length: i32): i32


@external("env", "proxy_set_tick_period_milliseconds")
export declare function proxy_set_tick_period_milliseconds(period: i32): i32

/** Stores u64 nanoseconds since 1970. */
@external("env", "proxy_get_current_time_nanoseconds")
export declare function proxy_get_current_time_nanoseconds(time: usize): i32


@external("env", "proxy_get_buffer_bytes")
export declare function proxy_get_buffer_bytes(kind: i32, start: i32, max: i32, data: usize, size: usize): i32


@external("env", "proxy_get_header_map_value")
export declare function proxy_get_header_map_value(
  kind: i32,
  key: usize,
  keyLength: i32,
  data: usize,
  size: usize,
): i32


@external("env", "proxy_get_property")
export declare function proxy_get_property(path: usize, length: i32, data: usize, size: usize): i32


@external("env", "proxy_set_property")
export declare function proxy_set_property(path: usize, length: i32, value: usize, valueLength: i32): i32


@external("env", "proxy_send_local_response")
export declare function proxy_send_local_response(
  code: i32,
  details: usize,
  detailsLength: i32,
  body: usize,
  bodyLength: i32,
  headers: usize,
  headersLength: i32,
  grpcStatus: i32,
): i32


@external("env", "proxy_get_shared_data")
export declare function proxy_get_shared_data(
  key: usize,
  length: i32,
  data: usize,
  size: usize,
  cas: usize,
): i32

/** A value pointer of 0 deletes. `cas` 0: no check. */
@external("env", "proxy_set_shared_data")
export declare function proxy_set_shared_data(
  key: usize,
  length: i32,
  value: usize,
  valueLength: i32,
  cas: u32,
): i32


@external("env", "proxy_call_foreign_function")
export declare function proxy_call_foreign_function(
  name: usize,
  nameLength: i32,
  args: usize,
  argsLength: i32,
  data: usize,
  size: usize,
): i32

/** Upstream selection (proposed for Proxy-Wasm): address without port, 1 for TLS and its server name. */
@external("env", "proxy_set_upstream")
export declare function proxy_set_upstream(
  address: usize,
  length: i32,
  port: i32,
  tls: i32,
  serverName: usize,
  serverNameLength: i32,
): i32

/** WASI: fills memory with random bytes; 0 if it did. Every host of Proxy-Wasm has it. */
@external("wasi_snapshot_preview1", "random_get")
export declare function random_get(at: usize, length: i32): i32
