/** Base64 (RFC 4648 4): with padding, without line breaks or anything else that is not part of it. */
import { Buffer } from "./buffer"

const ALPHABET: string = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
/** What a byte that is no digit stands for. */
const NO_DIGIT: u8 = 0x40

/** 64 digits, then for each byte the digit's number. */
const DIGITS: usize = memory.data(64, 8)
const NUMBERS: usize = memory.data(256, 8)

memory.fill(NUMBERS, NO_DIGIT, 256)
for (let number = 0; number < 64; number++) {
  const digit = <u8>ALPHABET.charCodeAt(number)
  store<u8>(DIGITS + number, digit)
  store<u8>(NUMBERS + digit, <u8>number)
}

/** Adds the bytes that the text stands for; false, and nothing of sense was added, if it is not base64 from end to end. The empty text stands for none. */
export function decode(out: Buffer, text: usize, length: usize): bool {
  if ((length & 3) != 0) return false
  if (length == 0) return true
  const padding: usize = load<u8>(text + length - 1) != 0x3d ? 0 : load<u8>(text + length - 2) != 0x3d ? 1 : 2
  const whole = padding == 0 ? length : length - 4
  let to = out.extend((length >> 2) * 3)
  out.length -= padding
  const end = text + whole
  let wrong: u32 = 0
  for (let at = text; at < end; at += 4, to += 3) {
    const group = load<u32>(at)
    const a = number(group)
    const b = number(group >> 8)
    const c = number(group >> 16)
    const d = number(group >> 24)
    wrong |= a | b | c | d
    store<u8>(to, <u8>((a << 2) | (b >> 4)))
    store<u8>(to, <u8>((b << 4) | (c >> 2)), 1)
    store<u8>(to, <u8>((c << 6) | d), 2)
  }
  return (wrong & NO_DIGIT) == 0 && (padding == 0 || decodeLast(end, to, padding))
}

/** The last group, of two or three digits: the bits that stand for nothing must be 0. */
function decodeLast(text: usize, to: usize, padding: usize): bool {
  const a = number(load<u8>(text))
  const b = number(load<u8>(text, 1))
  const c = padding == 2 ? 0 : number(load<u8>(text, 2))
  store<u8>(to, <u8>((a << 2) | (b >> 4)))
  if (padding == 1) store<u8>(to, <u8>((b << 4) | (c >> 2)), 1)
  const rest = padding == 2 ? b & 15 : c & 3
  return ((a | b | c) & NO_DIGIT) == 0 && rest == 0
}

// @ts-ignore: decorator
@inline
function number(byte: u32): u32 {
  return load<u8>(NUMBERS + (byte & 0xff))
}

/** Writes the bytes as text. */
export function encode(out: Buffer, at: usize, length: usize): void {
  const end = at + length
  let to = out.extend(((length + 2) / 3) << 2)
  for (; end - at >= 3; at += 3, to += 4) {
    putGroup(to, ((<u32>load<u8>(at)) << 16) | ((<u32>load<u8>(at, 1)) << 8) | load<u8>(at, 2))
  }
  if (at == end) return
  const second = end - at == 2 ? <u32>load<u8>(at, 1) : 0
  putGroup(to, ((<u32>load<u8>(at)) << 16) | (second << 8))
  if (end - at == 1) store<u8>(to, 0x3d, 2)
  store<u8>(to, 0x3d, 3)
}

/** Four digits for 24 bits. */
// @ts-ignore: decorator
@inline
function putGroup(to: usize, bits: u32): void {
  store<u8>(to, digit(bits >> 18))
  store<u8>(to, digit(bits >> 12), 1)
  store<u8>(to, digit(bits >> 6), 2)
  store<u8>(to, digit(bits), 3)
}

// @ts-ignore: decorator
@inline
function digit(bits: u32): u8 {
  return load<u8>(DIGITS + (bits & 63))
}
