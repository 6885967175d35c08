/** The attempt record (docs/abi.md): the host tells about the attempt, we tell which endpoint we chose. */

/** 260 bytes of the key are enough for every name that a backend may have. */
const BYTES: u32 = 392
/**
 * 0: u32 size · 4: u32 attempt · 8: u32 tag · 12: u32 number of tags · 16: u32[16] tags of earlier attempts · 80: u32 wants ·
 * 84: u32 outcome · 88: u32 status · 92: u32 version of the host · 96: u64 note · 104: u64 now · 112: u64 connect time · 120: u64 first byte time ·
 * 128: u32 length of the key · 132: key. Eight bytes more, for readers that look at eight at a time.
 */
export const RECORD: usize = memory.data(392 + 8, 8)
const TAGS: usize = RECORD + 16

/** The tag of no endpoint. */
export const NO_TAG: u32 = 0xffffffff

/** The value of the variable that the configuration names as key: the backend of this request. */
export const KEY: usize = RECORD + 132
const NO_KEY: u32 = 0xffffffff

store<u32>(RECORD, BYTES)
store<u32>(RECORD, NO_KEY, 128)

/** Is it our host, so that it has the functions of docs/abi.md? Others may trap when they are asked for one. */
// @ts-ignore: decorator
@inline
export function isOurHost(): bool {
  return load<u32>(RECORD, 92) != 0
}

/** Did the host tell the key? Hosts that do not know the record, or no key, do not. */
export function hasKey(): bool {
  return keyLength() != NO_KEY
}

export function keyLength(): u32 {
  return load<u32>(RECORD, 128)
}

/** 0 for the first attempt of a request. Stays 0 on hosts that do not know the record. */
export function number(): u32 {
  return load<u32>(RECORD, 4)
}

/** So many tags of earlier attempts the record has. */
export const MAX_TAGS: usize = 16

/** How many tags of earlier attempts are known. */
export function triedCount(): u32 {
  return min(load<u32>(RECORD, 12), <u32>MAX_TAGS)
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
  return load<u32>(RECORD, 8)
}

export function choose(tag: u32): void {
  store<u32>(RECORD, tag, 8)
}

/** Bit 0: tell us when the attempt has ended; bit 1: with its times. */
export function want(bits: u32): void {
  store<u32>(RECORD, bits, 80)
}

const UNKNOWN_TIME: u64 = 0xffffffffffffffff

/** A clock that all processes share, in milliseconds; 0 on hosts that have none. */
export function nowMs(): u64 {
  return load<u64>(RECORD, 104) / 1_000_000
}

/** What time it is, for who looks at what was learned outside of attempts. The host writes it anew for the next one. */
export function tellNow(nanoseconds: u64): void {
  store<u64>(RECORD, nanoseconds, 104)
}

/** Did a response come, and was it no failure in the eyes of `proxy_next_upstream`, nor of the endpoint itself (5xx)? */
export function hasAnswered(): bool {
  return !hasFailed() && load<u32>(RECORD, 88) < 500
}

/** Did the attempt that has ended fail, or bring a response? The client may have gone away before either. */
export function wasDecided(): bool {
  return hasFailed() || load<u32>(RECORD, 88) != 0
}

/** The same, and is its time known? */
export function isTimed(): bool {
  return wasDecided() && firstByteTime() != UNKNOWN_TIME
}

/** Did the endpoint, or the way to it, fail in the eyes of `proxy_next_upstream`? */
export function hasFailed(): bool {
  return load<u32>(RECORD, 84) != 0
}

/** From the choice to the response's head or to the failure, in nanoseconds. */
export function firstByteTime(): u64 {
  return load<u64>(RECORD, 120)
}

/** What `leaveNote` left: for this attempt if it has ended, else for the one before it. 0 if nothing. */
export function note(): u64 {
  return load<u64>(RECORD, 96)
}

export function leaveNote(note: u64): void {
  store<u64>(RECORD, note, 96)
}
