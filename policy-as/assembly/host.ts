/** The host's functions with types. What the host returns lies in the arena, at `at` and `length` bytes long, until the next callback. */
import "./runtime"
import * as abi from "./abi"
import * as bytes from "./lib/bytes"
import { Status } from "./abi"

export let at: usize = 0
export let length: usize = 0

/** The host stores the address and length of a result here. */
const RESULT: usize = memory.data(8, 4)

/** A fixed text that goes to the host: kept in memory as bytes from the start on. */
export class Name {
  readonly at: usize
  readonly length: i32

  constructor(text: string) {
    this.at = bytes.ascii(text)
    this.length = text.length
  }
}

/** Calls a foreign function. */
export function foreign(name: Name, args: usize, argsLength: usize): i32 {
  store<u64>(RESULT, 0)
  const status = abi.proxy_call_foreign_function(
    name.at,
    name.length,
    args,
    <i32>argsLength,
    RESULT,
    RESULT + 4,
  )
  taken(status)
  return status
}

/** Calls a foreign function that brings nothing but what it writes back into its arguments. */
export function inPlace(name: Name, args: usize, argsLength: usize): i32 {
  return abi.proxy_call_foreign_function(name.at, name.length, args, <i32>argsLength, RESULT, RESULT + 4)
}

/** Calls one whose argument is a text and whose result is one; null if it has none. */
export function textFor(name: Name, argument: string): string | null {
  const sent = String.UTF8.encode(argument)
  return foreign(name, changetype<usize>(sent), sent.byteLength) == Status.OK ? text() : null
}

/** A header of the request or the response; null if there is none of this name, or the operator has not made it readable. */
export function header(map: i32, name: string): string | null {
  const key = String.UTF8.encode(name)
  store<u64>(RESULT, 0)
  const status = abi.proxy_get_header_map_value(
    map,
    changetype<usize>(key),
    key.byteLength,
    RESULT,
    RESULT + 4,
  )
  return taken(status) ? text() : null
}

/** The configuration of the root context that is being configured. */
export function configuration(size: i32): string {
  if (size == 0) return ""
  store<u64>(RESULT, 0)
  const status = abi.proxy_get_buffer_bytes(abi.BufferKind.PLUGIN_CONFIGURATION, 0, size, RESULT, RESULT + 4)
  return taken(status) ? text() : ""
}

/** What the last call brought, as text. */
export function text(): string {
  return String.UTF8.decodeUnsafe(at, length)
}

function taken(status: i32): bool {
  at = <usize>load<u32>(RESULT)
  length = <usize>load<u32>(RESULT, 4)
  return status == Status.OK
}

const WARN: i32 = 3

/** A line in nginx's error log; the host writes one per second at most. */
export function log(line: string): void {
  const sent = String.UTF8.encode(line)
  abi.proxy_log(WARN, changetype<usize>(sent), sent.byteLength)
}

const SEED: usize = memory.data(8, 8)

/** 64 random bits. Not before the host has the instance's memory: it has none while the start section runs. */
export function seed(): u64 {
  abi.random_get(SEED, 8)
  return load<u64>(SEED)
}
