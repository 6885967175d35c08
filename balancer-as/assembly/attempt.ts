/** The attempt record (docs/abi.md): the host tells about the attempt, we tell which endpoint we chose. */

import { At, MAX_TAGS, NONE, Outcome, RecordBytes } from "../../policy-as/assembly/lib/abi"

/** Eight bytes more, for readers that look at eight at a time. */
export const RECORD: usize = memory.data(RecordBytes.FILTER + 8, 8)
const TAGS: usize = RECORD + At.TAGS

/** The tag of no endpoint. */
export const NO_TAG: u32 = NONE

/** The value of the variable that the configuration names as key: the backend of this request. */
export const KEY: usize = RECORD + At.KEY

store<u32>(RECORD, RecordBytes.FILTER)
store<u32>(RECORD, NONE, At.KEY_LENGTH)

/** Is it our host, so that it has the functions of docs/abi.md? Others may trap when they are asked for one. */
// @ts-ignore: decorator
@inline
export function isOurHost(): bool {
  return load<u32>(RECORD, At.VERSION) != 0
}

/** Did the host tell the key? Hosts that do not know the record, or no key, do not. */
export function hasKey(): bool {
  return keyLength() != NONE
}

export function keyLength(): u32 {
  return load<u32>(RECORD, At.KEY_LENGTH)
}

/** 0 for the first attempt of a request. Stays 0 on hosts that do not know the record. */
export function number(): u32 {
  return load<u32>(RECORD, At.ATTEMPT)
}

/** How many tags of earlier attempts are known. */
export function triedCount(): u32 {
  return min(load<u32>(RECORD, At.TRIED), <u32>MAX_TAGS)
}

export function triedTag(index: u32): u32 {
  return load<u32>(TAGS + ((<usize>index) << 2))
}

export function wasTried(tag: u32): bool {
  const count = triedCount()
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(TAGS + ((<usize>i) << 2)) == tag) return true
  }
  return false
}

/** In select, before `choose`: will the host keep what we tell, and tell how the attempt ended? Others do not know the record. */
export function isKept(): bool {
  return tag() == NO_TAG
}

/** The tag that `choose` told of the attempt that has ended. */
export function tag(): u32 {
  return load<u32>(RECORD, At.TAG)
}

export function choose(tag: u32): void {
  store<u32>(RECORD, tag, At.TAG)
}

/** Bit 0: tell us when the attempt has ended; bit 1: with its times. */
export function want(bits: u32): void {
  store<u32>(RECORD, bits, At.WANTS)
}

const UNKNOWN_TIME: u64 = 0xffffffffffffffff

/** A clock that all processes share, in milliseconds; 0 on hosts that have none. */
export function nowMs(): u64 {
  return load<u64>(RECORD, At.NOW) / 1_000_000
}

/** What time it is, for who looks at what was learned outside of attempts. The host writes it anew for the next one. */
export function tellNow(nanoseconds: u64): void {
  store<u64>(RECORD, nanoseconds, At.NOW)
}

/** Did a response come, and was it no failure in the eyes of `proxy_next_upstream`, nor of the endpoint itself (5xx)? */
export function hasAnswered(): bool {
  return !hasFailed() && load<u32>(RECORD, At.STATUS) < 500
}

/** Did the attempt that has ended fail, or bring a response? The client may have gone away before either. */
export function wasDecided(): bool {
  return hasFailed() || load<u32>(RECORD, At.STATUS) != 0
}

/** The same, and is its time known? */
export function isTimed(): bool {
  return wasDecided() && firstByteTime() != UNKNOWN_TIME
}

/** Did the endpoint, or the way to it, fail in the eyes of `proxy_next_upstream`? */
export function hasFailed(): bool {
  return load<u32>(RECORD, At.OUTCOME) != Outcome.ANSWERED
}

/** From the choice to the response's head or to the failure, in nanoseconds. */
export function firstByteTime(): u64 {
  return load<u64>(RECORD, At.FIRST_BYTE_TIME)
}

/** What `leaveNote` left: for this attempt if it has ended, else for the one before it. 0 if nothing. */
export function note(): u64 {
  return load<u64>(RECORD, At.NOTE)
}

export function leaveNote(note: u64): void {
  store<u64>(RECORD, note, At.NOTE)
}
