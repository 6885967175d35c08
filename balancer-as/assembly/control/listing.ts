/** Walks the keys of a zone. The order is the host's; a key that exists during the whole walk comes exactly once. */
import * as arena from "../../../policy-as/assembly/lib/arena"
import { BACKENDS, HOSTS } from "./kinds"
import { Buffer } from "../buffer"
import * as host from "../host"
import { Status } from "../abi"
import { Foreign } from "../foreign"

const LIST: host.Name = new host.Name(Foreign.LIST_SHARED_DATA)
/** Result: u64 next cursor · u32 number of keys · per key u32 length and its bytes. */
const HEAD_BYTES: usize = 12

/** The key without the prefix. */
export let at: usize = 0
export let length: usize = 0
/** Where the host goes on; 0 behind the last page. */
export let cursor: u64 = 0
/** The last page was got. */
export let isDone: bool = false
/** The host ended the last page before it had as many keys as were asked for: it has looked at much, and found little. */
export let isShort: bool = false
/** The host could not list. */
export let failed: bool = false

let prefix: host.Name = LIST
/** Where the next key stands in the host's answer, and how many are left in it. */
let entry: usize = 0
let left: u32 = 0
/** The answer before is forgotten when the next one comes. */
let mark: usize = 0

const args: Buffer = new Buffer()

/** @param from a cursor, 0 for the start */
export function begin(wanted: host.Name, from: u64): void {
  prefix = wanted
  cursor = from
  left = 0
  isDone = false
  failed = false
  mark = arena.mark()
}

/** Gets a page of about `limit` keys; false behind the last one. */
export function nextPage(limit: u32): bool {
  if (isDone) return false
  arena.release(mark)
  const status = ask(prefix, cursor, limit)
  isDone = status == Status.NOT_FOUND && hasFunction()
  failed = !isDone && (status != Status.OK || host.length < HEAD_BYTES)
  if (isDone || failed) return false
  cursor = load<u64>(host.at)
  left = load<u32>(host.at, 8)
  entry = host.at + HEAD_BYTES
  isDone = cursor == 0
  isShort = !isDone && left < limit
  return true
}

/** Goes to the next key of the page. Keys that are no names, as the generation's and those of parts of hosts, are passed over. */
export function next(): bool {
  while (left > 0) {
    left--
    const keyLength = <usize>load<u32>(entry)
    at = entry + 4 + prefix.length
    length = keyLength - prefix.length
    entry += 4 + keyLength
    if (!isOther()) return true
  }
  return false
}

/** No name of these begins with a colon. */
function isOther(): bool {
  const mayBe = prefix == BACKENDS.prefix || prefix == HOSTS.prefix
  return mayBe && length > 0 && load<u8>(at) == 0x3a
}

/** `NOT_FOUND` if there is no such zone, and from hosts that lack the function. */
function ask(wanted: host.Name, from: u64, limit: u32): i32 {
  args.clear()
  args.u64(from)
  args.u32(limit)
  args.bytes(wanted.at, wanted.length)
  return host.foreign(LIST, args.at, args.length)
}

/** There is always a zone of the backends. */
function hasFunction(): bool {
  return ask(BACKENDS.prefix, 0, 1) == Status.OK
}
