/** Bytes as hexadecimal text in small letters, eight digits at a time: without branches, which random digits would mislead. */
import { narrow } from "../../policy-as/assembly/lib/bytes"

const ZEROS: u64 = 0x3030303030303030
/** From `9` to `a` there are so many more characters than from 9 to 10. */
const TO_LETTERS: u64 = 0x61 - 0x30 - 10

/** Writes `count` bytes (a multiple of 4) as twice as many digits. */
export function put(from: usize, count: usize, to: usize): void {
  for (const end = from + count; from < end; from += 4, to += 8)
    store<u64>(to, digits(widen(load<u32>(from))))
}

/** Reads what `put` writes of `count` bytes (a multiple of 4); false if it is anything else. */
export function parse(from: usize, count: usize, to: usize): bool {
  for (const end = to + count; to < end; to += 4, from += 8) {
    const text = load<u64>(from)
    const values = (text & 0x0f0f0f0f0f0f0f0f) + ((text >> 6) & 0x0101010101010101) * 9
    if ((values & 0xf0f0f0f0f0f0f0f0) != 0 || digits(values) != text) return false
    store<u32>(to, narrow(((values & 0x000f000f000f000f) << 4) | ((values >> 8) & 0x000f000f000f000f)))
  }
  return true
}

/** Eight bytes of four bits each, as digits. */
// @ts-ignore: decorator
@inline
function digits(values: u64): u64 {
  const areLetters = ((values + 0x0606060606060606) >> 4) & 0x0101010101010101
  return values + ZEROS + areLetters * TO_LETTERS
}

/** Four bytes as eight of four bits each, the high bits of each first. */
// @ts-ignore: decorator
@inline
function widen(bytes: u32): u64 {
  const pairs = ((<u64>bytes) | ((<u64>bytes) << 16)) & 0x0000ffff0000ffff
  const each = (pairs | (pairs << 8)) & 0x00ff00ff00ff00ff
  return ((each >> 4) | (each << 8)) & 0x0f0f0f0f0f0f0f0f
}
