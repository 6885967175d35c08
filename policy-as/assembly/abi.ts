/** The host's functions as Proxy-Wasm 0.2.1 names them. Only host.ts calls them. */

export { BufferKind, MapKind, Status } from "./lib/abi"


@external("env", "proxy_log")
export declare function proxy_log(level: i32, message: usize, length: i32): i32


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


@external("env", "proxy_call_foreign_function")
export declare function proxy_call_foreign_function(
  name: usize,
  nameLength: i32,
  args: usize,
  argsLength: i32,
  data: usize,
  size: usize,
): i32

/** WASI: fills memory with random bytes. */
@external("wasi_snapshot_preview1", "random_get")
export declare function random_get(at: usize, length: i32): i32
