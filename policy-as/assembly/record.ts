/** The attempt record (docs/abi.md, Policies): the host tells about the attempt, we tell which endpoint we chose. */

/** Room for a key of 4 KiB. */
const BYTES: u32 = 132 + 4096
/** Eight bytes more, for readers that look at eight at a time. */
export const RECORD: usize = memory.data(132 + 4096 + 8, 8)

/** No endpoint, no key. */
export const NONE: u32 = 0xffffffff

store<u32>(RECORD, BYTES)
store<u32>(RECORD, NONE, 128)

/** 0 for the first attempt of a request. */
export function attempt(): u32 {
  return load<u32>(RECORD, 4)
}

/** In report: the endpoint of the attempt. */
export function tag(): u32 {
  return load<u32>(RECORD, 8)
}

export function choose(index: u32): void {
  store<u32>(RECORD, index, 8)
}

/** In pick: are some endpoints to be kept away from? */
export function isCareful(): bool {
  return (load<u32>(RECORD, 84) & 1) != 0
}

export function outcome(): u32 {
  return load<u32>(RECORD, 84)
}

export function status(): u32 {
  return load<u32>(RECORD, 88)
}

export function note(): u64 {
  return load<u64>(RECORD, 96)
}

export function leaveNote(note: u64): void {
  store<u64>(RECORD, note, 96)
}

/** A clock that all processes share, in milliseconds. */
export function nowMs(): u64 {
  return load<u64>(RECORD, 104) / 1_000_000
}

/** Nanoseconds; all bits set: not known. */
export function connectTime(): u64 {
  return load<u64>(RECORD, 112)
}

export function firstByteTime(): u64 {
  return load<u64>(RECORD, 120)
}

export function keyLength(): u32 {
  return load<u32>(RECORD, 128)
}

export function key(): usize {
  return RECORD + 132
}
