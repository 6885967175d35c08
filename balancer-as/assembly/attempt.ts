/** The attempt record (docs/abi.md): the host tells about the attempt, we tell which endpoint we chose. */

const BYTES: u32 = 344
/**
 * 0: u32 size · 4: u32 attempt · 8: u32 tag · 12: u32 number of tags · 16: u32[16] tags of earlier attempts ·
 * 80: u32 length of the key · 84: the key. Eight bytes more, which the hash of a key may read.
 */
export const RECORD: usize = memory.data(352, 8)
const TAGS: usize = RECORD + 16
/** What the host was told to choose by: the backend's name. */
export const KEY: usize = RECORD + 84

/** The tag of no endpoint. */
export const NO_TAG: u32 = 0xffffffff

/** The host has no key, or none that fits. */
const NO_KEY: u32 = 0xffffffff

store<u32>(RECORD, BYTES)
store<u32>(RECORD, NO_KEY, 80)

/** False on hosts that do not know the record, and for a key that is too long. */
export function hasKey(): bool {
  return load<u32>(RECORD, 80) != NO_KEY
}

export function keyLength(): usize {
  return <usize>load<u32>(RECORD, 80)
}

/** 0 for the first attempt of a request. Stays 0 on hosts that do not know the record. */
export function number(): u32 {
  return load<u32>(RECORD, 4)
}

/** How many tags of earlier attempts are known. */
export function triedCount(): u32 {
  return min(load<u32>(RECORD, 12), 16)
}

export function wasTried(tag: u32): bool {
  const count = triedCount()
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(TAGS + ((<usize>i) << 2)) == tag) return true
  }
  return false
}

export function choose(tag: u32): void {
  store<u32>(RECORD, tag, 8)
}
