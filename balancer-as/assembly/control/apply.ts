/** Applies the packed writes. Our host does all of them or none; on others they are done one by one. */
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as host from "../host"
import { GENERATION } from "./keys"
import { ABSENT, ANY, DELETE, HEAD_BYTES, packed } from "./writes"
import { Status } from "../abi"
import { Foreign } from "../foreign"

const SET_MANY: host.Name = new host.Name(Foreign.SET_SHARED_DATA_MANY)

export namespace Outcome {
  export const APPLIED: i32 = 0
  /** Somebody else wrote the generation meanwhile. */
  export const OTHER_BASE: i32 = 1
  /** The zone is full. */
  export const FULL: i32 = 2
  /** There is no such zone. */
  export const NO_ZONE: i32 = 3
  /** The host refuses for a reason of its own. */
  export const REFUSED: i32 = 4
}

/** Zone of the write that failed. */
export let zone: usize = 0
export let zoneLength: usize = 0

export function apply(): i32 {
  const status = host.foreign(SET_MANY, packed.at, packed.length)
  // A host that has the function says which write failed; one that lacks it brings nothing.
  const isKnown = status == Status.OK || host.length >= 4
  if (!isKnown) return status == Status.NOT_FOUND ? applyEach() : Outcome.REFUSED
  if (status != Status.OK) noteZone(writeAt(load<u32>(host.at)))
  return outcomeOf(status)
}

function outcomeOf(status: i32): i32 {
  switch (status) {
    case Status.OK:
      return Outcome.APPLIED
    case Status.CAS_MISMATCH:
      return Outcome.OTHER_BASE
    case Status.INTERNAL_FAILURE:
      return Outcome.FULL
    case Status.NOT_FOUND:
      return Outcome.NO_ZONE
    default:
      return Outcome.REFUSED
  }
}

/**
 * In the order of the parts, the generation last. What fails leaves a part behind, and a host may end the callback where a
 * zone is full. So the generation is forgotten first: until all is written there is none, the next change is answered 409,
 * and the controller sends everything anew.
 */
function applyEach(): i32 {
  const end = packed.at + packed.length
  const last = generationWrite(end)
  if (last != 0 && !forgetGeneration(last)) return Outcome.OTHER_BASE
  for (let write = packed.at + 4; write < end; write = behind(write)) {
    const status = applyOne(write)
    if (status == Status.OK) continue
    noteZone(write)
    return outcomeOf(status)
  }
  return Outcome.APPLIED
}

/** The write of the generation, 0 if this is no change. */
function generationWrite(end: usize): usize {
  for (let write = packed.at + 4; write < end; write = behind(write)) {
    if (isGeneration(write + HEAD_BYTES, load<u32>(write))) return write
  }
  return 0
}

function isGeneration(key: usize, length: usize): bool {
  return length == GENERATION.length && bytes.equal(key, GENERATION.at, length)
}

/** False when the change builds on another one. A forgotten one is not known to others until it is written again. */
function forgetGeneration(write: usize): bool {
  const wanted = load<u32>(write, 8)
  const present = casOf(GENERATION.at, GENERATION.length)
  if (!isWanted(wanted, present)) return false
  store<u32>(write, ANY, 8)
  if (present == 0) return true
  return host.setSharedData(GENERATION.at, GENERATION.length, 0, 0, present) == Status.OK
}

/** @param present its cas number, 0 if the key is absent */
function isWanted(wanted: u32, present: u32): bool {
  return wanted == ANY || present == (wanted == ABSENT ? 0 : wanted)
}

/** The numbers of hosts differ in what 0 means for a key that is there; its own cas number means the same to all. */
function applyOne(write: usize): i32 {
  const key = write + HEAD_BYTES
  const keyLength = <usize>load<u32>(write)
  const wanted = load<u32>(write, 8)
  const present = casOf(key, keyLength)
  if (!isWanted(wanted, present)) return Status.CAS_MISMATCH
  const valueLength = load<u32>(write, 4)
  if (valueLength != DELETE) return host.setSharedData(key, keyLength, key + keyLength, valueLength, present)
  return present == 0 ? Status.OK : host.setSharedData(key, keyLength, 0, 0, present)
}

/** 0 if the key is absent. */
function casOf(key: usize, length: usize): u32 {
  const mark = arena.mark()
  const cas = host.sharedData(key, length) ? host.cas : 0
  arena.release(mark)
  return cas
}

/** The `index`th write. */
function writeAt(index: u32): usize {
  let write = packed.at + 4
  while (index-- > 0) write = behind(write)
  return write
}

function behind(write: usize): usize {
  const valueLength = load<u32>(write, 4)
  return write + HEAD_BYTES + load<u32>(write) + (valueLength == DELETE ? 0 : valueLength)
}

function noteZone(write: usize): void {
  zone = write + HEAD_BYTES
  zoneLength = bytes.indexOf(zone, load<u32>(write), 0x2f)
}
