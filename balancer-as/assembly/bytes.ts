/** Text as (address, length) in UTF-8. Literals are ASCII; AssemblyScript keeps them as UTF-16 in static memory. */
import * as heap from "./heap"

/** Two texts of the same length are equal. */
export function equal(a: usize, b: usize, length: usize): bool {
  if (length < 8) return equalShort(a, b, length)
  // The last eight bytes may overlap those before them.
  const last = length - 8
  for (let i: usize = 0; i < last; i += 8) {
    if (load<u64>(a + i) != load<u64>(b + i)) return false
  }
  return load<u64>(a + last) == load<u64>(b + last)
}

function equalShort(a: usize, b: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) {
    if (load<u8>(a + i) != load<u8>(b + i)) return false
  }
  return true
}

/** The text is this literal. */
export function is(at: usize, length: usize, literal: string): bool {
  return length == <usize>literal.length && startsWith(at, length, literal)
}

export function startsWith(at: usize, length: usize, literal: string): bool {
  let left = <usize>literal.length
  if (length < left) return false
  let wide = changetype<usize>(literal)
  while (left >= 4) {
    if (load<u32>(at) != narrow(load<u64>(wide))) return false
    at += 4
    wide += 8
    left -= 4
  }
  while (left != 0) {
    if (load<u8>(at) != load<u8>(wide)) return false
    at++
    wide += 2
    left--
  }
  return true
}

/** Where `byte` is first, or `length`. */
export function indexOf(at: usize, length: usize, byte: u8): usize {
  let i: usize = 0
  while (i < length && load<u8>(at + i) != byte) i++
  return i
}

/** Writes a literal; returns the address behind it. */
export function put(at: usize, literal: string): usize {
  let left = <usize>literal.length
  let wide = changetype<usize>(literal)
  while (left >= 4) {
    store<u32>(at, narrow(load<u64>(wide)))
    at += 4
    wide += 8
    left -= 4
  }
  while (left != 0) {
    store<u8>(at, load<u8>(wide))
    at++
    wide += 2
    left--
  }
  return at
}

/** Four UTF-16 units below 256 as four bytes. */
// @ts-ignore: decorator
@inline
function narrow(units: u64): u32 {
  const pairs = (units | (units >> 8)) & 0x0000ffff0000ffff
  return <u32>(pairs | (pairs >> 16))
}

/** The literal as bytes for the host, kept for good: only for the start. */
export function ascii(literal: string): usize {
  const at = heap.allocate(literal.length)
  put(at, literal)
  return at
}

/**
 * A hash of the text, eight bytes at a time. Eight bytes behind the text are read too, but do not count: so it must lie in
 * the arena or have them to spare. Not for strangers' keys in tables without a bound.
 */
export function hash(at: usize, length: usize): u64 {
  let sum: u64 = length
  const end = at + (length & ~7)
  while (at < end) {
    sum = mix(sum ^ load<u64>(at))
    at += 8
  }
  const restBits = ((<u64>length) & 7) << 3
  return mix(sum ^ (load<u64>(at) & (((<u64>1) << restBits) - 1)))
}

/** David Stafford's variant 13 of MurmurHash3's finalizer, as in SplitMix64: each bit of the result hangs on all of `x`. */
export function mix(x: u64): u64 {
  x += 0x9e3779b97f4a7c15
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb
  return x ^ (x >> 31)
}
