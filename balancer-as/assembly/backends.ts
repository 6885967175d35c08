/**
 * The backends that this instance was asked for, by name. A record is read when its backend is first used, and again when
 * it is used after its version moved. Names without a record are remembered too; a sweep that goes along with insertions
 * drops what was neither found nor used lately, so that the table stays in proportion to the backends in use.
 */
import * as arena from "../../policy-as/assembly/lib/arena"
import * as backends from "./backend"
import { Backend } from "./backend"
import * as bytes from "../../policy-as/assembly/lib/bytes"
import * as ejection from "./ejection"
import * as heap from "../../policy-as/assembly/lib/heap"
import * as host from "./host"
import * as pick from "./pick"
import * as record from "./record"
import * as running from "./running"
import * as slowStart from "./slow-start"
import * as slots from "./slots"
import * as survivors from "./survivors"
import { Need } from "./need"
import { Status } from "./abi"
import { Foreign } from "./foreign"

const VERSION: host.Name = new host.Name(Foreign.SHARED_DATA_VERSION)
const PREFIX: host.Name = new host.Name("backends/")
const UNREADABLE: host.Name = new host.Name(
  "Cannot read a backend: its record is damaged or of a version that this filter does not know: ",
)

const FIRST_BUCKETS: u32 = 64
/** Buckets that are swept at each insertion; with n backends in use no more than 2n entries stay. */
const SWEPT_BUCKETS: u32 = 4

/** u32 first backend, per bucket. */
let buckets: usize = newBuckets(FIRST_BUCKETS)
let mask: u32 = FIRST_BUCKETS - 1
let count: u32 = 0
/** The bucket that is swept next. */
let hand: u32 = 0

/** How often a record is read again that was written while it was read. */
const MAX_READS: i32 = 8

/** Has no name that could be asked for. */
const NOBODY: Backend = backends.create(0, 0, 0)
/** The one that was asked for last: mostly it is asked for again. */
let last: Backend = NOBODY

/** Changes that this instance was told of. */
let changes: u64 = 1

/** Something was written into the zones: each backend must be looked at before it is used again. */
export function onChange(): void {
  changes++
}

/** Can the host tell when a key was written? If not, `onChange` must be called from time to time. */
export function hostTellsVersions(): bool {
  return host.foreign(VERSION, PREFIX.at, PREFIX.length) == Status.OK
}

/** The backend of this name as it is now; without endpoints if there is none. */
export function find(name: usize, length: usize): Backend {
  if (!isNamed(last, name, length)) last = findOrInsert(name, length)
  bringUpToDate(last)
  return last
}

/** As `find`, for a backend that is looked at beside that of the request. */
export function findBeside(name: usize, length: usize): Backend {
  const backend = findOrInsert(name, length)
  bringUpToDate(backend)
  return backend
}

/** The backend that a property of the request names; one without endpoints if it is not set. */
export function findByProperty(property: host.Name): Backend {
  const isNamed = host.property(property)
  return find(host.at, isNamed ? host.length : 0)
}

/** The backend whose name's hash ends like this, as it was when it was used last; null if this instance has not used it. */
export function ofHash(end: u32): Backend | null {
  let backend = first(end & mask)
  while (backend != null && <u32>backend.hash != end) backend = backend.next
  return backend
}

/** Reads the record again if it was written. */
// @ts-ignore: decorator
@inline
export function bringUpToDate(backend: Backend): void {
  if (backend.checked != changes) refresh(backend)
  backend.wasUsed = true
}

// @ts-ignore: decorator
@inline
function isNamed(backend: Backend, name: usize, length: usize): bool {
  return backend.nameLength == length && bytes.equal(backend.name, name, length)
}

function findOrInsert(name: usize, length: usize): Backend {
  const hash = bytes.hash(name, length)
  const backend = lookUp(hash, name, length)
  return backend == null ? insert(hash, name, length) : backend
}

function lookUp(hash: u64, name: usize, length: usize): Backend | null {
  let backend = first((<u32>hash) & mask)
  while (backend != null && !(backend.hash == hash && isNamed(backend, name, length))) backend = backend.next
  return backend
}

function insert(hash: u64, name: usize, length: usize): Backend {
  const key = arena.allocate(PREFIX.length + length)
  memory.copy(key, PREFIX.at, PREFIX.length)
  memory.copy(key + PREFIX.length, name, length)
  const backend = backends.create(hash, key, PREFIX.length + length)
  sweep()
  if (count > mask) grow()
  link(backend)
  count++
  return backend
}

function refresh(backend: Backend): void {
  backend.checked = changes
  for (let left = MAX_READS; left > 0; left--) if (read(backend, left == 1)) return
}

/**
 * The version is asked for before the record is read: so a write in between is noticed next time. False if it was noticed
 * already.
 */
function read(backend: Backend, isLastTry: bool): bool {
  const version = versionOf(backend)
  const hasVersion = host.length == 8
  if (hasVersion && backend.hasVersion && backend.version == version) return true
  backend.version = version
  backend.hasVersion = hasVersion
  if (host.sharedData(backend.key, backend.keyLength)) return take(backend, host.at, isLastTry)
  empty(backend)
  return true
}

/** 0, and nothing in host.length, if the host cannot tell. */
function versionOf(backend: Backend): u64 {
  host.foreign(VERSION, backend.key, backend.keyLength)
  return host.length == 8 ? load<u64>(host.at) : 0
}

/** Takes a record, unless it is the one that was taken before: a version may move for nothing. */
function take(backend: Backend, at: usize, isLastTry: bool): bool {
  const length = host.length
  const fingerprint = bytes.hash(at, length) | 1
  if (backend.fingerprint == fingerprint && !slots.mayHaveMoved(backend)) return true
  if (!record.isBackend(at, length)) {
    logUnreadable(backend)
    empty(backend)
    return true
  }
  const needs = needsOf(at)
  if ((needs & Need.SLOTS) == 0) slots.openNone(backend)
  else if (!slots.open(backend, at, isLastTry)) return false
  const before = backends.retire(backend)
  backends.decode(backend, at)
  backend.fingerprint = fingerprint
  backend.needs = needs
  handOn(backend, before)
  return true
}

/** What a record needs for each attempt, see need.ts. */
export function needsOf(at: usize): u32 {
  return pick.needsOf(at) | ejection.needsOf(at) | slowStart.needsOf(at)
}

/** Hands on what was learned under the record before. */
function handOn(backend: Backend, before: Backend): void {
  survivors.forget()
  slots.take(backend, before)
  running.take(backend, before)
  ejection.take(backend)
  slowStart.take(backend)
  pick.prepare(backend, before)
  pick.forget(backend, before)
  backends.discard(before)
}

/** There is no record that could be used. */
function empty(backend: Backend): void {
  const before = backends.retire(backend)
  pick.forget(backend, before)
  backends.discard(before)
}

function logUnreadable(backend: Backend): void {
  const text = arena.allocate(UNREADABLE.length + backend.keyLength)
  memory.copy(text, UNREADABLE.at, UNREADABLE.length)
  memory.copy(text + UNREADABLE.length, backend.key, backend.keyLength)
  host.logError(text, UNREADABLE.length + backend.keyLength)
}

function sweep(): void {
  for (let i: u32 = 0; i < SWEPT_BUCKETS; i++) {
    hand = (hand + 1) & mask
    sweepBucket(hand)
  }
}

function sweepBucket(bucket: u32): void {
  let backend = first(bucket)
  setFirst(bucket, null)
  while (backend != null) {
    const next = backend.next
    if (!backend.wasUsed && isIdle(backend)) {
      destroy(backend)
      count--
    } else {
      backend.wasUsed = false
      link(backend)
    }
    backend = next
  }
}

function destroy(backend: Backend): void {
  empty(backend)
  if (backend == last) last = NOBODY
  heap.free(changetype<usize>(backend))
}

/** Nothing is lost when it goes: it is absent, or would be read again anyway. */
function isIdle(backend: Backend): bool {
  if (backend.fingerprint == 0) return true
  return backend.checked != changes && versionOf(backend) != backend.version
}

function link(backend: Backend): void {
  const bucket = (<u32>backend.hash) & mask
  backend.next = first(bucket)
  setFirst(bucket, backend)
}

function first(bucket: u32): Backend | null {
  return changetype<Backend | null>(<usize>load<u32>(buckets + ((<usize>bucket) << 2)))
}

function setFirst(bucket: u32, backend: Backend | null): void {
  store<u32>(buckets + ((<usize>bucket) << 2), <u32>changetype<usize>(backend))
}

function newBuckets(count: u32): usize {
  const bytes = (<usize>count) << 2
  const at = heap.allocate(bytes)
  memory.fill(at, 0, bytes)
  return at
}

function grow(): void {
  const before = buckets
  const beforeCount = mask + 1
  buckets = newBuckets(beforeCount << 1)
  mask = (beforeCount << 1) - 1
  for (let i: u32 = 0; i < beforeCount; i++) relink(<usize>load<u32>(before + ((<usize>i) << 2)))
  heap.free(before)
}

function relink(at: usize): void {
  let backend = changetype<Backend | null>(at)
  while (backend != null) {
    const next = backend.next
    link(backend)
    backend = next
  }
}
