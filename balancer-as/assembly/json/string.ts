/** Reads strings. Escapes are resolved in place: the text never gets longer by that. */
import * as error from "./error"
import { areAscii, needNoEscape } from "./eight"
import { characterBytes } from "./utf8"
import { failAt } from "./input"

const QUOTE: u8 = 0x22
const BACKSLASH: u8 = 0x5c

/** The string that was read last, or what took its place; escapes are resolved. */
export let text: usize = 0
export let length: usize = 0

export function setText(at: usize, bytes: usize): void {
  text = at
  length = bytes
}

/** Reads from behind the opening quote; returns the address behind the closing one, or 0 after a failure. */
export function readString(at: usize): usize {
  const plain = skipPlain(at)
  if (load<u8>(plain) == QUOTE) {
    setText(at, plain - at)
    return plain + 1
  }
  return readRest(at, plain)
}

/** Goes over bytes that need no thought (0x20 to 0x7f, but for quote and backslash), eight at a time. */
function skipPlain(at: usize): usize {
  while (areAscii(load<u64>(at)) && needNoEscape(load<u64>(at))) at += 8
  while (isPlain(load<u8>(at))) at++
  return at
}

// @ts-ignore: decorator
@inline
function isPlain(byte: u8): bool {
  return byte >= 0x20 && byte < 0x80 && byte != QUOTE && byte != BACKSLASH
}

/** The general case: `from` is the first byte that needs thought. */
function readRest(begin: usize, from: usize): usize {
  let at = from
  let to = from
  while (true) {
    const byte = load<u8>(at)
    if (byte == QUOTE) break
    const count = byte == BACKSLASH ? escape(at, to) : byte < 0x80 ? plain(at, to, byte) : character(at, to)
    if (count == 0) return 0
    at += count & 0xff
    to += count >> 8
  }
  setText(begin, to - begin)
  return at + 1
}

/** These three copy one character from `at` to `to` and return bytes read + 256 · bytes written; 0 after a failure. */
function plain(at: usize, to: usize, byte: u8): usize {
  if (byte < 0x20) return refuse(at, "A control character must be escaped")
  store<u8>(to, byte)
  return 0x101
}

/** A character of two to four bytes. */
function character(at: usize, to: usize): usize {
  const count = characterBytes(at)
  if (count == 0) return refuse(at, "A byte that is not UTF-8")
  for (let i: usize = 0; i < count; i++) store<u8>(to + i, load<u8>(at + i))
  return count | (count << 8)
}

function escape(at: usize, to: usize): usize {
  const letter = load<u8>(at, 1)
  if (letter == 0x75) return unicode(at, to)
  const byte = unescaped(letter)
  if (byte == 0) return refuse(at, "An unknown escape")
  store<u8>(to, byte)
  return 0x102
}

function unescaped(letter: u8): u8 {
  switch (letter) {
    case 0x22:
    case 0x5c:
    case 0x2f:
      return letter
    case 0x62:
      return 0x08
    case 0x66:
      return 0x0c
    case 0x6e:
      return 0x0a
    case 0x72:
      return 0x0d
    case 0x74:
      return 0x09
    default:
      return 0
  }
}

/** `\uXXXX`, or two of them for a character beyond U+FFFF. */
function unicode(at: usize, to: usize): usize {
  const unit = hex4(at + 2)
  if (unit < 0) return refuse(at, "Four hexadecimal digits must follow \\u")
  if ((unit & 0xf800) != 0xd800) return 6 | (encode(unit, to) << 8)
  const low = load<u16>(at, 6) == 0x755c ? hex4(at + 8) : -1
  if (unit >= 0xdc00 || low < 0xdc00 || low > 0xdfff) return refuse(at, "Half of a surrogate pair")
  return 12 | (encode(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), to) << 8)
}

/** Four hexadecimal digits as a number, -1 if they are not. */
function hex4(at: usize): i32 {
  let number: i32 = 0
  for (let i: usize = 0; i < 4; i++) {
    const digit = hexDigit(load<u8>(at + i))
    if (digit < 0) return -1
    number = (number << 4) | digit
  }
  return number
}

/** -1 if the byte is no hexadecimal digit. */
export function hexDigit(byte: u8): i32 {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Writes a character as UTF-8; returns its length. */
function encode(point: i32, to: usize): usize {
  if (point < 0x80) {
    store<u8>(to, <u8>point)
    return 1
  }
  const count: usize = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  for (let i = count - 1; i > 0; i--) {
    store<u8>(to + i, <u8>(0x80 | (point & 0x3f)))
    point >>= 6
  }
  store<u8>(to, (<u8>((0xf00 >> (<i32>count)) & 0xff)) | (<u8>point))
  return count
}

function refuse(at: usize, sentence: string): usize {
  failAt(at, sentence)
  return 0
}
