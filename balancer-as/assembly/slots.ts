/**
 * What is learned about a backend's endpoints: per endpoint, and for the backend itself, four cells and a gauge. Where the
 * host has shared slots (docs/abi.md) all workers see the same numbers; elsewhere, and while the zone has no slot left, this
 * instance keeps numbers of its own. Who reads and writes them need not know which.
 */
import * as attempt from "./attempt"
import * as bytes from "../../policy-as/assembly/lib/bytes"
import * as arena from "../../policy-as/assembly/lib/arena"
import * as heap from "../../policy-as/assembly/lib/heap"
import * as host from "./host"
import * as record from "./record"
import * as survivors from "./survivors"
import { Backend } from "./backend"
import { policyNeedsOf } from "./policy-needs"
import { Status } from "./abi"
import { Foreign } from "./foreign"
import { PolicyNeed } from "../../policy-as/assembly/lib/abi"

const OPEN: host.Name = new host.Name(Foreign.OPEN_SLOTS)
const FIND: host.Name = new host.Name(Foreign.FIND_SLOTS)
const GET: host.Name = new host.Name(Foreign.GET_SLOTS)
const ADD: host.Name = new host.Name(Foreign.ADD_SLOT)
const SWAP: host.Name = new host.Name(Foreign.SWAP_SLOT)
const NO_SLOTS_LEFT: host.Name = new host.Name(
  "No shared slots are left: each worker learns by itself. Raise slots= of the zone; first met with ",
)

/** Stands for the backend itself where an endpoint's place is asked for. */
export const OWN: u32 = 0xffffffff
/** The gauge: what a process has added ends with the process. */
export const GAUGE: u32 = 4
const CELLS: usize = 5
/** Bit of the id of an endpoint's second slot, which has the numbers of the backend's policy. */
const OWN_NUMBERS: u64 = (<u64>1) << 61

/** Nobody else has these numbers. */
const OF_THIS_INSTANCE: u32 = 0
/** As before, and slots are asked for again when the key's version moves. */
const FOR_THE_TIME_BEING: u32 = 1
const SHARED: u32 = 2

/**
 * Memory of a backend: u32 kind · u32 number of entries · 8 bytes for the head of a call · entries, that of the backend
 * itself first, those with a policy's numbers behind all others. Entry: u64 number of the slot, or address of the numbers · u64 value read last. So the entries are
 * arguments of `wick_get_slots` as they stand, and so is each part of them, whose head takes the value of the entry before.
 */
const ENTRIES: usize = 16
const ENTRY_BYTES: usize = 16
const NUMBERS_BYTES: usize = CELLS << 3

/** Arguments of a call. */
const ARGS: usize = memory.data(40, 8)

/** What `open` made, for `take`. */
let opened: usize = 0
let isReported: bool = false

/**
 * Must slots be asked for when the key's version moves, even if the record is the same? If it was removed and set again in
 * between, those that the backend has are nobody's; and where there were none left, there may be some now.
 */
export function mayHaveMoved(backend: Backend): bool {
  return backend.slots != 0 && load<u32>(backend.slots) != OF_THIS_INSTANCE
}

/**
 * Gets slots for a record that the backend is about to take. False if the record was written since `backend.version`: then
 * nothing happened, and it must be read again; unless `isLastTry`.
 */
export function open(backend: Backend, at: usize, isLastTry: bool): bool {
  const hasOwn = (policyNeedsOf(at) & PolicyNeed.OWN) != 0
  const count = record.count(at) * (hasOwn ? 2 : 1) + 1
  const args = arena.allocate(16 + ((<usize>count) << 3) + backend.keyLength)
  const own = putIds(args + 16, at, 0)
  if (hasOwn) putIds(own, at, OWN_NUMBERS)
  const status = backend.hasVersion ? call(OPEN, backend, args, count) : Status.NOT_FOUND
  if (status == Status.CAS_MISMATCH && !isLastTry) return false
  opened = newBlock(count, kindOf(status))
  if (status == Status.OK) putSlots(args + 16)
  else putNumbers()
  if (status == Status.INTERNAL_FAILURE) report(backend)
  return true
}

/** The record that the backend is about to take needs no slots: gives back those that it has. */
export function openNone(backend: Backend): void {
  opened = 0
  if (!areShared(backend)) return
  call(OPEN, backend, arena.allocate(16 + backend.keyLength), 0)
}

/**
 * Gives a backend that is only looked at the slots that its key has, and opens none. Returns what time it is, in nanoseconds, as
 * of attempts; 0 if there are no slots: the backend is not in use yet, there were none left for it, or the host has none.
 */
export function find(backend: Backend, at: usize): u64 {
  if (!attempt.isOurHost()) return 0
  const count = record.count(at) + 1
  const args = arena.allocate(16 + ((<usize>count) << 3) + backend.keyLength)
  putIds(args + 16, at, 0)
  if (call(FIND, backend, args, count) != Status.OK || load<u64>(args, 16) == 0) return 0
  opened = newBlock(count, SHARED)
  putSlots(args + 16)
  backend.slots = opened
  return load<u64>(args)
}

function call(name: host.Name, backend: Backend, args: usize, count: u32): i32 {
  store<u64>(args, backend.version)
  store<u32>(args, count, 8)
  store<u32>(args, backend.keyLength, 12)
  const key = args + 16 + ((<usize>count) << 3)
  memory.copy(key, backend.key, backend.keyLength)
  return host.inPlace(name, args, key + backend.keyLength - args)
}

/** The backend's own id is that of no address. Returns where the last one stands, over which others may begin with theirs. */
function putIds(ids: usize, at: usize, bits: u64): usize {
  if (bits == 0) store<u64>(ids, 0)
  let endpoint = record.firstEndpoint(at)
  for (let left = record.count(at); left > 0; left--) {
    ids += 8
    store<u64>(ids, idOf(endpoint) ^ bits)
    endpoint = record.nextEndpoint(endpoint)
  }
  return ids
}

/** Address and port, so that an endpoint keeps its slot whatever else changes. */
function idOf(endpoint: usize): u64 {
  const address = record.address(endpoint)
  const port = record.port(endpoint)
  if (record.kind(endpoint) == 4) return ((<u64>load<u32>(address)) << 16) | port | ((<u64>4) << 48)
  return bytes.mix(bytes.hash(address, 16) + port) | ((<u64>1) << 63)
}

function kindOf(status: i32): u32 {
  if (status == Status.OK) return SHARED
  return status == Status.NOT_FOUND ? OF_THIS_INSTANCE : FOR_THE_TIME_BEING
}

function newBlock(count: u32, kind: u32): usize {
  const entryBytes = kind == SHARED ? ENTRY_BYTES : ENTRY_BYTES + NUMBERS_BYTES
  const block = heap.allocate(ENTRIES + <usize>count * entryBytes)
  memory.fill(block, 0, ENTRIES + <usize>count * entryBytes)
  store<u32>(block, kind)
  store<u32>(block, count, 4)
  return block
}

function putSlots(numbers: usize): void {
  const count = load<u32>(opened, 4)
  for (let i: usize = 0; i < count; i++) {
    store<u64>(opened + ENTRIES + i * ENTRY_BYTES, load<u64>(numbers + (i << 3)))
  }
}

/** Numbers of this instance lie behind the entries. */
function putNumbers(): void {
  const count = <usize>load<u32>(opened, 4)
  const numbers = opened + ENTRIES + count * ENTRY_BYTES
  for (let i: usize = 0; i < count; i++) {
    store<u64>(opened + ENTRIES + i * ENTRY_BYTES, numbers + i * NUMBERS_BYTES)
  }
}

function report(backend: Backend): void {
  if (isReported) return
  isReported = true
  const text = arena.allocate(NO_SLOTS_LEFT.length + backend.keyLength)
  memory.copy(text, NO_SLOTS_LEFT.at, NO_SLOTS_LEFT.length)
  memory.copy(text + NO_SLOTS_LEFT.length, backend.key, backend.keyLength)
  host.logError(text, NO_SLOTS_LEFT.length + backend.keyLength)
}

/** The backend has taken the record: gives it the slots that `open` got. Numbers of this instance go along. */
export function take(backend: Backend, before: Backend): void {
  backend.slots = opened
  if (opened == 0 || before.slots == 0 || areShared(backend) || areShared(before)) return
  copyNumbers(backend, OWN, before, OWN)
  for (let i: u32 = 0; i < backend.count; i++) {
    const place = survivors.placeBefore(backend, before, i)
    if (place != survivors.NEW) copyNumbers(backend, i, before, place)
  }
}

function copyNumbers(backend: Backend, index: u32, before: Backend, place: u32): void {
  const from = <usize>load<u64>(entryOf(before, place))
  memory.copy(<usize>load<u64>(entryOf(backend, index)), from, NUMBERS_BYTES)
}

/** The host's number of an endpoint's slot; 0 if it has none that is shared. */
export function numberOf(backend: Backend, index: u32): u64 {
  return areShared(backend) ? load<u64>(entryOf(backend, index)) : 0
}

/** The same of the slot with the numbers of the backend's policy. */
export function ownNumberOf(backend: Backend, index: u32): u64 {
  const hasOwn = areShared(backend) && load<u32>(backend.slots, 4) > backend.count + 1
  return hasOwn ? load<u64>(entryOf(backend, backend.count + index)) : 0
}

// @ts-ignore: decorator
@inline
function areShared(backend: Backend): bool {
  return backend.slots != 0 && load<u32>(backend.slots) == SHARED
}

// @ts-ignore: decorator
@inline
function entryOf(backend: Backend, index: u32): usize {
  return backend.slots + ENTRIES + <usize>(index + 1) * ENTRY_BYTES
}

/** A cell, or the gauge, of one endpoint. */
export function get(backend: Backend, index: u32, cell: u32): u64 {
  getMany(backend, index, 1, cell)
  return value(backend, index)
}

/** Reads a cell, or the gauge, of two endpoints; `value` has the numbers then. */
export function getTwo(backend: Backend, a: u32, b: u32, cell: u32): void {
  if (!areShared(backend)) {
    getMany(backend, a, 1, cell)
    getMany(backend, b, 1, cell)
    return
  }
  store<u32>(ARGS, cell)
  store<u32>(ARGS, 2, 4)
  store<u64>(ARGS, load<u64>(entryOf(backend, a)), 8)
  store<u64>(ARGS, load<u64>(entryOf(backend, b)), 24)
  host.inPlace(GET, ARGS, 40)
  store<u64>(entryOf(backend, a), load<u64>(ARGS, 16), 8)
  store<u64>(entryOf(backend, b), load<u64>(ARGS, 32), 8)
}

/** Reads a cell, or the gauge, of `count` endpoints from `first` on; `value` has the numbers then. */
export function getMany(backend: Backend, first: u32, count: u32, cell: u32): void {
  const entries = entryOf(backend, first)
  if (areShared(backend)) {
    const args = entries - 8
    store<u32>(args, cell)
    store<u32>(args, count, 4)
    host.inPlace(GET, args, 8 + <usize>count * ENTRY_BYTES)
    return
  }
  const end = entries + <usize>count * ENTRY_BYTES
  for (let entry = entries; entry < end; entry += ENTRY_BYTES) {
    store<u64>(entry, load<u64>(<usize>load<u64>(entry) + ((<usize>cell) << 3)), 8)
  }
}

/** What was read or written last of this endpoint. Reading a part of the list disturbs the number of the one before it. */
export function value(backend: Backend, index: u32): u64 {
  return load<u64>(entryOf(backend, index), 8)
}

/** Adds to a cell or the gauge (two's complement) and returns the sum; 0 when the slot was released. */
export function add(backend: Backend, index: u32, cell: u32, by: u64): u64 {
  const slot = load<u64>(entryOf(backend, index))
  if (!areShared(backend)) return addHere(<usize>slot + ((<usize>cell) << 3), cell, by)
  store<u64>(ARGS, cell)
  store<u64>(ARGS, slot, 8)
  store<u64>(ARGS, by, 16)
  return host.inPlace(ADD, ARGS, 24) == Status.OK ? load<u64>(ARGS, 16) : 0
}

/** As the host does: a gauge does not go below 0. */
function addHere(at: usize, cell: u32, by: u64): u64 {
  const sum = load<u64>(at) + by
  store<u64>(at, cell == GAUGE && <i64>sum < 0 ? 0 : sum)
  return load<u64>(at)
}

/**
 * Writes a cell if it holds what is expected. False if it holds something else, which `value` has then: think again. True as
 * well when there is no slot any more to write to.
 */
export function swap(backend: Backend, index: u32, cell: u32, expected: u64, wanted: u64): bool {
  const entry = entryOf(backend, index)
  store<u32>(ARGS, cell)
  store<u32>(ARGS, 0, 4)
  store<u64>(ARGS, load<u64>(entry), 8)
  store<u64>(ARGS, expected, 16)
  store<u64>(ARGS, wanted, 24)
  const status = areShared(backend) ? host.inPlace(SWAP, ARGS, 32) : swapHere(cell)
  const isMismatch = status == Status.CAS_MISMATCH
  store<u64>(entry, isMismatch ? load<u64>(ARGS, 16) : wanted, 8)
  return !isMismatch
}

/** As the host does. */
function swapHere(cell: u32): i32 {
  const at = <usize>load<u64>(ARGS, 8) + ((<usize>cell) << 3)
  const present = load<u64>(at)
  const isExpected = present == load<u64>(ARGS, 16)
  if (isExpected) store<u64>(at, load<u64>(ARGS, 24))
  else store<u64>(ARGS, present, 16)
  return isExpected ? Status.OK : Status.CAS_MISMATCH
}
