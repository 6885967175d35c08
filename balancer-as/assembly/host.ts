/**
 * The host's functions with types. What the host returns lies in the arena and is found at `at`, `length` bytes long,
 * until the next callback (or until the caller releases the arena).
 */
import * as abi from "./abi"
import * as attempt from "./attempt"
import * as bytes from "../../policy-as/assembly/lib/bytes"
import { BufferKind, LogLevel, MapKind, Status } from "./abi"
import { Foreign } from "./foreign"

/** Address of what the last call brought. */
export let at: usize = 0
/** Its length in bytes. */
export let length: usize = 0
/** The cas number that came with shared data. */
export let cas: u32 = 0

/** The host stores addresses and numbers here: u32 address · u32 length · u32 cas. */
const RESULT: usize = memory.data(12, 4)
const TIME: usize = memory.data(8, 8)

/** Before a call: a host may leave the places alone when it has nothing. */
function forget(): void {
  store<u64>(RESULT, 0)
}

/** Notes what the call brought. */
function taken(status: i32): bool {
  at = <usize>load<u32>(RESULT)
  length = <usize>load<u32>(RESULT, 4)
  return status == Status.OK
}

/** A fixed text that goes to the host: kept in memory as bytes from the start on. */
export class Name {
  readonly at: usize
  readonly length: usize

  constructor(text: string) {
    this.at = bytes.ascii(text)
    this.length = text.length
  }
}

/** A header or pseudo header of the request; false when it has none of this name. */
export function requestHeader(name: Name): bool {
  forget()
  const kind = MapKind.HTTP_REQUEST_HEADERS
  return taken(abi.proxy_get_header_map_value(kind, name.at, <i32>name.length, RESULT, RESULT + 4))
}

/** `size` bytes from the start of the request's body. */
export function requestBody(size: i32): bool {
  forget()
  return taken(abi.proxy_get_buffer_bytes(BufferKind.HTTP_REQUEST_BODY, 0, size, RESULT, RESULT + 4))
}

/** The text behind the filter's name in its `proxy_wasm` directive. */
export function configuration(size: i32): bool {
  forget()
  return taken(abi.proxy_get_buffer_bytes(BufferKind.PLUGIN_CONFIGURATION, 0, size, RESULT, RESULT + 4))
}

/** A property, by its path joined with NUL. */
export function property(path: Name): bool {
  forget()
  return taken(abi.proxy_get_property(path.at, <i32>path.length, RESULT, RESULT + 4))
}

/** A property whose path is no fixed text. */
export function propertyAt(path: usize, length: usize): bool {
  forget()
  return taken(abi.proxy_get_property(path, <i32>length, RESULT, RESULT + 4))
}

export function setProperty(path: Name, value: usize, valueLength: usize): void {
  abi.proxy_set_property(path.at, <i32>path.length, value, <i32>valueLength)
}

export function sharedData(key: usize, keyLength: usize): bool {
  forget()
  const isThere = taken(abi.proxy_get_shared_data(key, <i32>keyLength, RESULT, RESULT + 4, RESULT + 8))
  cas = isThere ? load<u32>(RESULT, 8) : 0
  return isThere
}

/** Writes one key, or deletes it when `value` is 0. Returns the host's status. */
export function setSharedData(key: usize, keyLength: usize, value: usize, valueLength: usize, cas: u32): i32 {
  return abi.proxy_set_shared_data(key, <i32>keyLength, value, <i32>valueLength, cas)
}

function nothing(): i32 {
  taken(Status.NOT_FOUND)
  return Status.NOT_FOUND
}

/** Calls a foreign function. It may bring something even when it fails; one that the host lacks answers NOT_FOUND and
 * brings nothing. So do all of them on a host that is not ours: it is not asked. */
export function foreign(name: Name, args: usize, argsLength: usize): i32 {
  forget()
  if (!attempt.isOurHost()) return nothing()
  const status = abi.proxy_call_foreign_function(
    name.at,
    <i32>name.length,
    args,
    <i32>argsLength,
    RESULT,
    RESULT + 4,
  )
  taken(status)
  return status
}

/** Calls a foreign function of our host that brings nothing but what it writes back into its arguments. */
export function inPlace(name: Name, args: usize, argsLength: usize): i32 {
  return abi.proxy_call_foreign_function(name.at, <i32>name.length, args, <i32>argsLength, RESULT, RESULT + 4)
}

const EXPAND: Name = new Name(Foreign.EXPAND)
const GET_COOKIE: Name = new Name(Foreign.GET_COOKIE)
const SET_COOKIE: Name = new Name(Foreign.SET_COOKIE)
const MATCH: Name = new Name(Foreign.MATCH)
const CHECK_PATTERN: Name = new Name(Foreign.CHECK_PATTERN)

/** The request's text for a template such as `$host$request_uri`; false if the host cannot say. */
export function expand(template: usize, templateLength: usize): bool {
  return foreign(EXPAND, template, templateLength) == Status.OK
}

/** The value of the request's cookie of this name, as it was sent; false if there is none. */
export function cookie(name: usize, nameLength: usize): bool {
  return foreign(GET_COOKIE, name, nameLength) == Status.OK
}

/** Sends a cookie with the response. `args`: u32 length of its name · name · all of the header's value. */
export function setCookie(args: usize, argsLength: usize): bool {
  return foreign(SET_COOKIE, args, argsLength) == Status.OK
}

export enum Match {
  NO,
  YES,
  /** A bad pattern, or one that takes too long. */
  FAILED,
}

/** Does a pattern match somewhere? `args`: u32 length of the pattern · pattern · subject. */
export function match(args: usize, argsLength: usize): Match {
  if (foreign(MATCH, args, argsLength) != Status.OK || length != 4) return Match.FAILED
  return load<u32>(at) == 1 ? Match.YES : Match.NO
}

/** Brings why a pattern cannot be a route's, nothing if it can; false if the host cannot say. */
export function checkPattern(pattern: usize, patternLength: usize): bool {
  return foreign(CHECK_PATTERN, pattern, patternLength) == Status.OK
}

/** `headers` are serialized as in the specification, 0 for none. */
export function localResponse(
  code: i32,
  details: Name,
  body: usize,
  bodyLength: usize,
  headers: usize,
  headersLength: usize,
): void {
  const status = abi.proxy_send_local_response(
    code,
    details.at,
    <i32>details.length,
    body,
    <i32>bodyLength,
    headers,
    <i32>headersLength,
    -1,
  )
  // A host that cannot even say no is a fault like any other: let it deal with a trap.
  if (status != Status.OK) unreachable()
}

/** `address` an IP literal without port. */
export function setUpstream(address: usize, length: usize, port: u16): bool {
  return abi.proxy_set_upstream(address, <i32>length, <i32>port, 0, 0, 0) == Status.OK
}

/** Seconds since 1970. */
export function time(): i64 {
  abi.proxy_get_current_time_nanoseconds(TIME)
  return <i64>(load<u64>(TIME) / 1_000_000_000)
}

export function tickEvery(milliseconds: i32): void {
  abi.proxy_set_tick_period_milliseconds(milliseconds)
}

export function logError(text: usize, length: usize): void {
  abi.proxy_log(LogLevel.ERROR, text, <i32>length)
}
