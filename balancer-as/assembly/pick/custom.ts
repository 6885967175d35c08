/**
 * Somebody else's policy, which the host runs (docs/abi.md, Policies): it is told of the endpoints once and asked for each attempt.
 * Round robin serves where the host has no policies, while this one declines or has failed, and if it chooses an endpoint to keep
 * away from.
 */
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as attempt from "../attempt"
import * as average from "../../../policy-as/assembly/lib/ewma"
import * as avoid from "../avoid"
import * as host from "../host"
import * as record from "../record"
import * as roundRobin from "./round-robin"
import * as slots from "../slots"
import { Backend, NOWHERE } from "../backend"
import { policyNeedsOf } from "../policy-needs"
import { Setting } from "../ids"
import { Status } from "../abi"
import { putEndpoints, REGISTERED_BYTES } from "./registered"
import { Foreign } from "../foreign"
import { MAX_TAGS, PolicyNeed } from "../../../policy-as/assembly/lib/abi"

const SET: host.Name = new host.Name(Foreign.SET_POLICY)
const DROP: host.Name = new host.Name(Foreign.DROP_POLICY)
const PICK: host.Name = new host.Name(Foreign.PICK)
const REPORT: host.Name = new host.Name(Foreign.REPORT)

const NO_HANDLE: u32 = 0xffffffff
/** Head of the arguments of `wick_set_policy`. */
const HEAD_BYTES: usize = 32
/** Head of those of `wick_pick`: u32 handle · u32 are some to be avoided, then the place · u32 how many were tried. */
const PICK_BYTES: usize = 12
const ARGS: usize = memory.data(12, 8)

/** Cell of the moving average, as ewma.ts has it. */
const LATENCY_CELL: u32 = 0


@unmanaged
class State extends roundRobin.State {
  /** By which the host knows the backend. */
  handle: u32
  needs: u32
}

// @ts-ignore: decorator
@inline
function stateOf(backend: Backend): State {
  return changetype<State>(backend.state)
}

export function prepare(backend: Backend, before: Backend | null): void {
  roundRobin.prepareWith(backend, before, offsetof<State>())
  const state = stateOf(backend)
  state.needs = policyNeedsOf(backend.head)
  state.handle = attempt.isOurHost() ? register(backend) : NO_HANDLE
}

/** Tells the host of the backend, or what it is now. */
function register(backend: Backend): u32 {
  const head = backend.head
  const version = record.setting(head, Setting.POLICY)
  const config = record.setting(head, Setting.POLICY_CONFIG)
  const key = record.setting(head, Setting.HASH_KEY)
  const texts = lengthOf(version) + lengthOf(config) + lengthOf(key)
  const length = HEAD_BYTES + texts + <usize>backend.count * REGISTERED_BYTES
  const args = arena.allocate(length)
  store<u64>(args, backend.hash)
  store<u64>(args, NO_HANDLE, 8)
  store<u32>(args, <u32>lengthOf(version), 16)
  store<u32>(args, <u32>lengthOf(config), 20)
  store<u32>(args, <u32>lengthOf(key), 24)
  store<u32>(args, backend.count, 28)
  putEndpoints(backend, put(key, put(config, put(version, args + HEAD_BYTES))))
  return host.inPlace(SET, args, length) == Status.OK ? load<u32>(args, 8) : NO_HANDLE
}

/** 0 for a setting that is not there. */
function lengthOf(setting: usize): usize {
  return setting == 0 ? 0 : record.fieldLength(setting)
}

function put(setting: usize, to: usize): usize {
  if (setting == 0) return to
  memory.copy(to, record.fieldValue(setting), record.fieldLength(setting))
  return to + record.fieldLength(setting)
}

/** The backend is gone, or has another algorithm. */
export function drop(before: Backend): void {
  const handle = stateOf(before).handle
  if (handle == NO_HANDLE) return
  store<u32>(ARGS, handle)
  host.inPlace(DROP, ARGS, 4)
}

export function pick(backend: Backend): u32 {
  const handle = stateOf(backend).handle
  if (handle == NO_HANDLE) return roundRobin.pick(backend)
  const index = avoid.isNeeded ? askWithCare(backend, handle) : ask(handle)
  return index < backend.count ? index : roundRobin.pick(backend)
}

// @ts-ignore: decorator
@inline
function ask(handle: u32): u32 {
  store<u64>(ARGS, handle)
  store<u32>(ARGS, 0, 8)
  return host.inPlace(PICK, ARGS, PICK_BYTES) == Status.OK ? load<u32>(ARGS, 4) : NOWHERE
}

/** Says what was tried and what to keep away from. One of those is no answer. */
function askWithCare(backend: Backend, handle: u32): u32 {
  const bits = (<usize>backend.count + 7) >> 3
  const args = arena.allocate(PICK_BYTES + (MAX_TAGS << 2) + bits)
  const tried = putTried(backend, args + PICK_BYTES)
  const avoided = args + PICK_BYTES + ((<usize>tried) << 2)
  memory.fill(avoided, 0, bits)
  for (let i: u32 = 0; i < backend.count; i++) {
    if (avoid.from(backend, i)) store<u8>(byteOf(avoided, i), load<u8>(byteOf(avoided, i)) | bitOf(i))
  }
  store<u64>(args, ((<u64>1) << 32) | handle)
  store<u32>(args, tried, 8)
  if (host.inPlace(PICK, args, avoided + bits - args) != Status.OK) return NOWHERE
  const index = load<u32>(args, 4)
  if (index >= backend.count) return NOWHERE
  return (load<u8>(byteOf(avoided, index)) & bitOf(index)) == 0 ? index : NOWHERE
}

function byteOf(bits: usize, index: u32): usize {
  return bits + (index >> 3)
}

function bitOf(index: u32): u8 {
  return ((<u32>1) << (index & 7)) as u8
}

/** Places of the endpoints that this request has tried and that are still there. Returns how many. */
function putTried(backend: Backend, to: usize): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < attempt.triedCount(); i++) {
    const place = backend.indexOf(attempt.triedTag(i), 0)
    if (place == NOWHERE) continue
    store<u32>(to + ((<usize>count) << 2), place)
    count++
  }
  return count
}

export function report(backend: Backend, index: u32): void {
  const state = stateOf(backend)
  if ((state.needs & PolicyNeed.TIMES) != 0 && attempt.isTimed()) sample(backend, index)
  if ((state.needs & PolicyNeed.INFO) == 0 || state.handle == NO_HANDLE) return
  store<u32>(ARGS, state.handle)
  store<u32>(ARGS, index, 4)
  host.inPlace(REPORT, ARGS, 8)
}

/** Takes the attempt into the endpoint's moving average. */
function sample(backend: Backend, index: u32): void {
  const now = <u32>attempt.nowMs()
  while (true) {
    // What was read or written last is mostly still there.
    const cell = slots.value(backend, index)
    const next = attempt.hasAnswered()
      ? average.withTime(cell, <f64>attempt.firstByteTime(), 0, now)
      : average.withFailure(cell, 0, now)
    if (slots.swap(backend, index, LATENCY_CELL, cell, next)) return
  }
}
