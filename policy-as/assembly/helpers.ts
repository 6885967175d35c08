import * as crc32 from "./lib/crc32"
import * as random from "./lib/random"

/** A hash of a text, the one that `upstream-hash-by` takes of a key. */
export function hash(text: string): u32 {
  const bytes = String.UTF8.encode(text)
  return crc32.checksum(changetype<usize>(bytes), bytes.byteLength)
}

/** A random number from 0 to 1, without 1. */
export function chance(): f64 {
  return <f64>(random.bits() >> 11) / 9007199254740992
}
