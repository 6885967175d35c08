/** Walks the keys of a zone. The order is the host's; a key that exists during the whole walk comes exactly once. */
import * as arena from "../arena"
import { Buffer } from "../buffer"
import * as host from "../host"
import { Status } from "../abi"

const LIST: host.Name = new host.Name("wick_list_shared_data")
const KEYS_AT_ONCE: u32 = 512
/** Result: u64 next cursor · u32 number of keys · per key u32 length and its bytes. */
const HEAD_BYTES: usize = 12

/** The key without the prefix. */
export let at: usize = 0
export let length: usize = 0
/** The host could not list. */
export let failed: bool = false

let prefix: host.Name = LIST
let cursor: u64 = 0
/** Where the next key stands in the host's answer, and how many are left in it. */
let entry: usize = 0
let left: u32 = 0
let isLast: bool = false
/** The answer before is forgotten when the next one comes. */
let mark: usize = 0

const args: Buffer = new Buffer()

export function begin(wanted: host.Name): void {
  prefix = wanted
  cursor = 0
  left = 0
  isLast = false
  failed = false
  mark = arena.mark()
}

/** Goes to the next key; ours, which begin with a colon, are passed over. */
export function next(): bool {
  while (left > 0 || fetch()) {
    left--
    at = entry + 4 + prefix.length
    length = load<u32>(entry) - prefix.length
    entry += 4 + <usize>load<u32>(entry)
    if (length == 0 || load<u8>(at) != 0x3a) return true
  }
  return false
}

/** Gets the next keys; false when there are none. */
function fetch(): bool {
  while (left == 0 && !isLast) {
    arena.release(mark)
    ask()
    if (failed) return false
    cursor = load<u64>(host.at)
    left = load<u32>(host.at, 8)
    entry = host.at + HEAD_BYTES
    isLast = cursor == 0
  }
  return left > 0
}

function ask(): void {
  args.clear()
  args.u64(cursor)
  args.u32(KEYS_AT_ONCE)
  args.bytes(prefix.at, prefix.length)
  const status = host.foreign(LIST, args.at, args.length)
  failed = status != Status.OK || host.length < HEAD_BYTES
}
