/** Numbers of endpoints that the host keeps for all workers: those of the policy, the attempts that run, the average times. */
import * as host from "./host"
import { List } from "./list"
import { Status } from "./abi"
import { Foreign } from "./foreign"

const GET: host.Name = new host.Name(Foreign.GET_NUMBERS)
const ADD: host.Name = new host.Name(Foreign.ADD_NUMBER)
const SWAP: host.Name = new host.Name(Foreign.SWAP_NUMBER)

/** Kinds 0 to 3 are the policy's own. */
export const RUNNING: u32 = 4
export const LATENCY: u32 = 5

/** u32 kind · u32 count or 0 · u64 index · up to two words. */
const ARGS: usize = memory.data(32, 8)

export function get(kind: u32, index: i32): u64 {
  put(kind, 1, index)
  store<u64>(ARGS, 0, 16)
  host.inPlace(GET, ARGS, 24)
  return load<u64>(ARGS, 16)
}

/** Reads those of `count` endpoints from `first` on in one call: `value` has them then. */
export function getMany(list: List, kind: u32, first: i32, count: i32): void {
  // The head takes the place of the value before.
  const args = list.numbers + <usize>first * 16
  store<u32>(args, kind)
  store<u32>(args, count, 4)
  host.inPlace(GET, args, 8 + <usize>count * 16)
}

/** What was read by the last `getMany` over this endpoint. */
export function value(list: List, index: i32): u64 {
  return load<u64>(list.numbers + <usize>index * 16, 16)
}

/** Returns the sum. */
export function add(cell: u32, index: i32, by: u64): u64 {
  put(cell, 0, index)
  store<u64>(ARGS, by, 16)
  return host.inPlace(ADD, ARGS, 24) == Status.OK ? load<u64>(ARGS, 16) : 0
}

/** False if the cell holds something else than expected. True as well when there is nothing any more to write to. */
export function swap(cell: u32, index: i32, expected: u64, wanted: u64): bool {
  put(cell, 0, index)
  store<u64>(ARGS, expected, 16)
  store<u64>(ARGS, wanted, 24)
  return host.inPlace(SWAP, ARGS, 32) != Status.CAS_MISMATCH
}

function put(kind: u32, count: u32, index: i32): void {
  store<u32>(ARGS, kind)
  store<u32>(ARGS, count, 4)
  store<u64>(ARGS, index, 8)
}
