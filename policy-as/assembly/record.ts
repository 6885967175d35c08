/** The attempt record (docs/abi.md, Policies): the host tells about the attempt, we tell which endpoint we chose. */

import { At, Flag, NONE, RecordBytes } from "./lib/abi"
export { NONE } from "./lib/abi"

/** Eight bytes more, for readers that look at eight at a time. */
export const RECORD: usize = memory.data(RecordBytes.POLICY + 8, 8)

store<u32>(RECORD, RecordBytes.POLICY)
store<u32>(RECORD, NONE, At.KEY_LENGTH)

/** 0 for the first attempt of a request. */
export function attempt(): u32 {
  return load<u32>(RECORD, At.ATTEMPT)
}

/** In report: the endpoint of the attempt. */
export function tag(): u32 {
  return load<u32>(RECORD, At.TAG)
}

export function choose(index: u32): void {
  store<u32>(RECORD, index, At.TAG)
}

/** In pick: are some endpoints to be kept away from? */
export function isCareful(): bool {
  return (load<u32>(RECORD, At.OUTCOME) & Flag.AVOIDS) != 0
}

export function outcome(): u32 {
  return load<u32>(RECORD, At.OUTCOME)
}

export function status(): u32 {
  return load<u32>(RECORD, At.STATUS)
}

export function note(): u64 {
  return load<u64>(RECORD, At.NOTE)
}

export function leaveNote(note: u64): void {
  store<u64>(RECORD, note, At.NOTE)
}

/** A clock that all processes share, in milliseconds. */
export function nowMs(): u64 {
  return load<u64>(RECORD, At.NOW) / 1_000_000
}

/** Nanoseconds; all bits set: not known. */
export function connectTime(): u64 {
  return load<u64>(RECORD, At.CONNECT_TIME)
}

export function firstByteTime(): u64 {
  return load<u64>(RECORD, At.FIRST_BYTE_TIME)
}

export function keyLength(): u32 {
  return load<u32>(RECORD, At.KEY_LENGTH)
}

export function key(): usize {
  return RECORD + At.KEY
}
