/** MD5 (RFC 1321): ingress-nginx names endpoints and backends in cookies by it. It protects nothing. */
import * as hex from "./hex"

export const DIGEST_BYTES: usize = 16
/** As hexadecimal text. */
export const HEX_BYTES: usize = 32
const BLOCK_BYTES: usize = 64
const LENGTH_BYTES: usize = 8

/** RFC 1321 3.4: the integer parts of abs(sin(i)) · 2^32 for i from 1 to 64. */
const SINES: usize = memory.data<u32>([
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8,
  0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
  0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87,
  0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
  0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039,
  0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
  0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
  0xeb86d391,
])
/** By how many bits the steps of each round turn; four take turns. */
const TURNS: usize = memory.data<u8>([7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21])

/** The last block or two. */
const TAIL: usize = memory.data(128, 4)

let a: u32 = 0
let b: u32 = 0
let c: u32 = 0
let d: u32 = 0

/** Writes the 16 bytes of the digest to `to`. */
export function digest(at: usize, length: usize, to: usize): void {
  a = 0x67452301
  b = 0xefcdab89
  c = 0x98badcfe
  d = 0x10325476
  const end = at + length
  for (; end - at >= BLOCK_BYTES; at += BLOCK_BYTES) pass(at)
  passTail(at, end - at, length)
  store<u32>(to, a)
  store<u32>(to, b, 4)
  store<u32>(to, c, 8)
  store<u32>(to, d, 12)
}

/** The rest of the text, a bit, zeros, the length in bits. */
function passTail(at: usize, left: usize, length: usize): void {
  const bytes = left + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES
  memory.fill(TAIL, 0, bytes)
  memory.copy(TAIL, at, left)
  store<u8>(TAIL + left, 0x80)
  store<u64>(TAIL + bytes - LENGTH_BYTES, (<u64>length) << 3)
  pass(TAIL)
  if (bytes > BLOCK_BYTES) pass(TAIL + BLOCK_BYTES)
}

/** One block, in four rounds of sixteen steps. */
function pass(block: usize): void {
  let w = a
  let x = b
  let y = c
  let z = d
  for (let step: u32 = 0; step < 64; step++) {
    const round = step >> 4
    const word = load<u32>(block + (((<usize>wordOf(round, step)) & 15) << 2))
    const sum = w + mixed(round, x, y, z) + word + load<u32>(SINES + ((<usize>step) << 2))
    w = z
    z = y
    y = x
    x += rotl<u32>(sum, load<u8>(TURNS + ((round << 2) | (step & 3))))
  }
  a += w
  b += x
  c += y
  d += z
}

/** Which word of the block a step takes, modulo 16. */
function wordOf(round: u32, step: u32): u32 {
  if (round == 0) return step
  if (round == 1) return 5 * step + 1
  if (round == 2) return 3 * step + 5
  return 7 * step
}

function mixed(round: u32, x: u32, y: u32, z: u32): u32 {
  if (round == 0) return (x & y) | (~x & z)
  if (round == 1) return (z & x) | (~z & y)
  if (round == 2) return x ^ y ^ z
  return y ^ (x | ~z)
}

/** Reads a digest as hexadecimal text in small letters to `to`; false if it is none. */
export function parse(at: usize, length: usize, to: usize): bool {
  return length == HEX_BYTES && hex.parse(at, DIGEST_BYTES, to)
}

/** Are two digests the same? */
export function isSame(a: usize, b: usize): bool {
  return load<u64>(a) == load<u64>(b) && load<u64>(a, 8) == load<u64>(b, 8)
}
