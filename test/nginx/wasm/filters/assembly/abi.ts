// Raw imports of Proxy-Wasm and a thin layer over them: just enough for test filters, which may be slow.

// @ts-ignore: decorator
@external("env", "proxy_log")
declare function proxy_log(level: i32, message: usize, len: i32): i32
// @ts-ignore: decorator
@external("env", "proxy_get_buffer_bytes")
declare function proxy_get_buffer_bytes(buffer: i32, start: i32, max: i32, data: usize, size: usize): i32
// @ts-ignore: decorator
@external("env", "proxy_get_property")
declare function proxy_get_property(path: usize, len: i32, data: usize, size: usize): i32
// @ts-ignore: decorator
@external("env", "proxy_set_property")
declare function proxy_set_property(path: usize, len: i32, value: usize, valueLen: i32): i32
// @ts-ignore: decorator
@external("env", "proxy_send_local_response")
declare function proxy_send_local_response(
  code: i32,
  details: usize,
  detailsLen: i32,
  body: usize,
  bodyLen: i32,
  headers: usize,
  headersLen: i32,
  grpc: i32,
): i32
// @ts-ignore: decorator
@external("env", "proxy_get_shared_data")
declare function proxy_get_shared_data(key: usize, len: i32, data: usize, size: usize, cas: usize): i32
// @ts-ignore: decorator
@external("env", "proxy_set_shared_data")
declare function proxy_set_shared_data(key: usize, len: i32, value: usize, valueLen: i32, cas: i32): i32
// @ts-ignore: decorator
@external("env", "proxy_call_foreign_function")
declare function proxy_call_foreign_function(
  name: usize,
  len: i32,
  args: usize,
  argsLen: i32,
  data: usize,
  size: usize,
): i32
// @ts-ignore: decorator
@external("env", "proxy_get_header_map_value")
declare function proxy_get_header_map_value(map: i32, key: usize, len: i32, data: usize, size: usize): i32
// @ts-ignore: decorator
@external("env", "proxy_get_header_map_pairs")
declare function proxy_get_header_map_pairs(map: i32, data: usize, size: usize): i32
// @ts-ignore: decorator
@external("env", "proxy_set_header_map_pairs")
declare function proxy_set_header_map_pairs(map: i32, data: usize, size: i32): i32
// @ts-ignore: decorator
@external("env", "proxy_add_header_map_value")
declare function proxy_add_header_map_value(map: i32, key: usize, len: i32, value: usize, valueLen: i32): i32
// @ts-ignore: decorator
@external("env", "proxy_replace_header_map_value")
declare function proxy_replace_header_map_value(
  map: i32,
  key: usize,
  len: i32,
  value: usize,
  valueLen: i32,
): i32
// @ts-ignore: decorator
@external("env", "proxy_remove_header_map_value")
declare function proxy_remove_header_map_value(map: i32, key: usize, len: i32): i32
// @ts-ignore: decorator
@external("env", "proxy_set_upstream")
declare function proxy_set_upstream(
  address: usize,
  len: i32,
  port: i32,
  tls: i32,
  sni: usize,
  sniLen: i32,
): i32

/** A result: status, and the bytes that came with it. */
export class Result {
  constructor(
    public status: i32,
    public bytes: ArrayBuffer,
    public cas: u32 = 0,
  ) {}
  get text(): string {
    return String.UTF8.decode(this.bytes)
  }
}

const out = memory.data(16, 8)

function result(status: i32): Result {
  if (status != 0) return new Result(status, new ArrayBuffer(0))
  return taken(status)
}

function taken(status: i32): Result {
  const bytes = new ArrayBuffer(load<i32>(out, 4))
  memory.copy(changetype<usize>(bytes), load<u32>(out), bytes.byteLength)
  if (bytes.byteLength > 0) heap.free(load<u32>(out))
  return new Result(status, bytes, load<u32>(out, 8))
}

function at(bytes: ArrayBuffer): usize {
  return changetype<usize>(bytes)
}

export function utf8(text: string): ArrayBuffer {
  return String.UTF8.encode(text)
}

export function log(text: string, level: i32 = 2): void {
  const bytes = utf8(text)
  proxy_log(level, at(bytes), bytes.byteLength)
}

export function buffer(id: i32, start: i32 = 0, max: i32 = i32.MAX_VALUE): Result {
  return result(proxy_get_buffer_bytes(id, start, max, out, out + 4))
}

/** `path` has dots between its segments. */
export function property(path: string): Result {
  const bytes = utf8(path.split(".").join("\0"))
  return result(proxy_get_property(at(bytes), bytes.byteLength, out, out + 4))
}

export function setProperty(path: string, value: string): i32 {
  const bytes = utf8(path.split(".").join("\0"))
  const text = utf8(value)
  return proxy_set_property(at(bytes), bytes.byteLength, at(text), text.byteLength)
}

/** `headers` is a serialized header map. */
export function respond(status: i32, body: string, headers: ArrayBuffer = new ArrayBuffer(0)): i32 {
  const bytes = utf8(body)
  return proxy_send_local_response(
    status,
    0,
    0,
    at(bytes),
    bytes.byteLength,
    at(headers),
    headers.byteLength,
    -1,
  )
}

export function sharedData(key: string): Result {
  const bytes = utf8(key)
  return result(proxy_get_shared_data(at(bytes), bytes.byteLength, out, out + 4, out + 8))
}

export function setSharedData(key: string, value: ArrayBuffer, cas: u32 = 0): i32 {
  const bytes = utf8(key)
  return proxy_set_shared_data(at(bytes), bytes.byteLength, at(value), value.byteLength, cas)
}

export function deleteSharedData(key: string): i32 {
  const bytes = utf8(key)
  return proxy_set_shared_data(at(bytes), bytes.byteLength, 0, 0, 0)
}

export function foreign(name: string, args: ArrayBuffer): Result {
  const bytes = utf8(name)
  store<u64>(out, 0)
  return taken(
    proxy_call_foreign_function(at(bytes), bytes.byteLength, at(args), args.byteLength, out, out + 4),
  )
}

export function header(map: i32, name: string): Result {
  const bytes = utf8(name)
  return result(proxy_get_header_map_value(map, at(bytes), bytes.byteLength, out, out + 4))
}

export function headers(map: i32): Result {
  return result(proxy_get_header_map_pairs(map, out, out + 4))
}

/** Arguments of two texts: u32 length of the first, the first, the second. */
export function two(first: string, second: string): ArrayBuffer {
  const a = utf8(first)
  const b = utf8(second)
  const both = new ArrayBuffer(4 + a.byteLength + b.byteLength)
  store<u32>(at(both), a.byteLength)
  memory.copy(at(both) + 4, at(a), a.byteLength)
  memory.copy(at(both) + 4 + a.byteLength, at(b), b.byteLength)
  return both
}

export function setHeaders(map: i32, pairs: ArrayBuffer): i32 {
  return proxy_set_header_map_pairs(map, at(pairs), pairs.byteLength)
}

export function addHeader(map: i32, name: string, value: string): i32 {
  const key = utf8(name)
  const bytes = utf8(value)
  return proxy_add_header_map_value(map, at(key), key.byteLength, at(bytes), bytes.byteLength)
}

export function replaceHeader(map: i32, name: string, value: string): i32 {
  const key = utf8(name)
  const bytes = utf8(value)
  return proxy_replace_header_map_value(map, at(key), key.byteLength, at(bytes), bytes.byteLength)
}

export function removeHeader(map: i32, name: string): i32 {
  const key = utf8(name)
  return proxy_remove_header_map_value(map, at(key), key.byteLength)
}

export function setUpstream(address: string, port: i32, tls: i32 = 0, sni: string = ""): i32 {
  const bytes = utf8(address)
  const name = utf8(sni)
  return proxy_set_upstream(at(bytes), bytes.byteLength, port, tls, at(name), name.byteLength)
}

/** A serialized header map of `name: value` lines. */
export function headerMap(lines: string[]): ArrayBuffer {
  let size = 4
  const names: ArrayBuffer[] = []
  const values: ArrayBuffer[] = []
  for (let i = 0; i < lines.length; i++) {
    const colon = lines[i].indexOf(": ")
    names.push(utf8(lines[i].substring(0, colon)))
    values.push(utf8(lines[i].substring(colon + 2)))
    size += 8 + names[i].byteLength + 1 + values[i].byteLength + 1
  }
  const map = new ArrayBuffer(size)
  store<u32>(at(map), lines.length)
  let p = at(map) + 4
  for (let i = 0; i < lines.length; i++, p += 8) {
    store<u32>(p, names[i].byteLength)
    store<u32>(p, values[i].byteLength, 4)
  }
  for (let i = 0; i < lines.length; i++) {
    p = put(p, names[i])
    p = put(p, values[i])
  }
  return map
}

function put(p: usize, bytes: ArrayBuffer): usize {
  memory.copy(p, at(bytes), bytes.byteLength)
  return p + bytes.byteLength + 1
}

// @ts-ignore: decorator
@external("env", "proxy_get_upstream_timeouts")
declare function proxy_get_upstream_timeouts(connect: usize, send: usize, read: usize): i32
// @ts-ignore: decorator
@external("env", "proxy_set_upstream_timeouts")
declare function proxy_set_upstream_timeouts(connect: i32, send: i32, read: i32): i32
// @ts-ignore: decorator
@external("env", "proxy_accept_upstream_response")
declare function proxy_accept_upstream_response(): i32
// @ts-ignore: decorator
@external("env", "proxy_set_tick_period_milliseconds")
declare function proxy_set_tick_period_milliseconds(period: i32): i32
// @ts-ignore: decorator
@external("env", "proxy_get_current_time_nanoseconds")
declare function proxy_get_current_time_nanoseconds(time: usize): i32
// @ts-ignore: decorator
@external("env", "proxy_http_call")
declare function proxy_http_call(
  a: i32,
  b: i32,
  c: i32,
  d: i32,
  e: i32,
  f: i32,
  g: i32,
  h: i32,
  timeout: i32,
  id: i32,
): i32
// @ts-ignore: decorator
@external("env", "proxy_get_shared_data")
declare function get_shared_data_raw(key: usize, len: i32, data: usize, size: usize, cas: usize): i32

export function timeouts(): string {
  const status = proxy_get_upstream_timeouts(out, out + 4, out + 8)
  return `${status}:${load<u32>(out)},${load<u32>(out, 4)},${load<u32>(out, 8)}`
}

export const setTimeouts = proxy_set_upstream_timeouts
export const accept = proxy_accept_upstream_response
export const setTick = proxy_set_tick_period_milliseconds

export function now(): u64 {
  proxy_get_current_time_nanoseconds(out)
  return load<u64>(out)
}

/** A function that the host has only for linking. */
export function httpCall(): i32 {
  return proxy_http_call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/** A call with every pointer far outside of memory. */
export function badPointer(): i32 {
  return get_shared_data_raw(0x7fff0000, 100, 0x7fff0000, 0x7fff0000, 0x7fff0000)
}

/** A call whose result is to be written outside of memory. */
export function badResultPointer(key: string): i32 {
  const bytes = utf8(key)
  return get_shared_data_raw(at(bytes), bytes.byteLength, 0xfffffffe, 0xffffffff, 0xffffffff)
}
