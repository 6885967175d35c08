/**
 * Text as (address, length) in UTF-8. Literals are ASCII; AssemblyScript keeps them as UTF-16 in static memory. Texts that
 * are hashed or compared lie where eight bytes more may be read, as in the arena.
 */
import * as heap from "./heap"

/** Two texts of the same length are equal. Eight bytes behind each of them are read too, but do not count. */
export function equal(a: usize, b: usize, length: usize): bool {
  const end = a + (length & ~7)
  while (a < end) {
    if (load<u64>(a) != load<u64>(b)) return false
    a += 8
    b += 8
  }
  return ((load<u64>(a) ^ load<u64>(b)) & restMask(length)) == 0
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
export function narrow(units: u64): u32 {
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
 * A hash of the text, eight bytes at a time. Eight bytes behind the text are read too, but do not count. Not for
 * strangers' keys in tables without a bound.
 */
export function hash(at: usize, length: usize): u64 {
  let sum: u64 = length
  const end = at + (length & ~7)
  while (at < end) {
    sum = mix(sum ^ load<u64>(at))
    at += 8
  }
  return mix(sum ^ (load<u64>(at) & restMask(length)))
}

/** The bytes of the last word that belong to a text of this length. */
// @ts-ignore: decorator
@inline
function restMask(length: usize): u64 {
  return ((<u64>1) << (((<u64>length) & 7) << 3)) - 1
}

/** David Stafford's variant 13 of MurmurHash3's finalizer, as in SplitMix64: each bit of the result hangs on all of `x`. */
export function mix(x: u64): u64 {
  x += 0x9e3779b97f4a7c15
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb
  return x ^ (x >> 31)
}
