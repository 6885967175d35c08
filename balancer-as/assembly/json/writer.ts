/** Writes JSON into a buffer. */
import { Buffer } from "../buffer"
import { areAscii, needNoEscape } from "./eight"
import { characterBytes } from "./utf8"

/** U+FFFD. */
const REPLACEMENT: usize = memory.data<u8>([0xef, 0xbf, 0xbd])
const HEX: string = "0123456789abcdef"

/** `"name":`, for a literal that needs no escape. */
export function key(out: Buffer, name: string): void {
  out.u8(0x22)
  out.literal(name)
  out.literal('":')
}

/** As `key`, behind a comma unless the object was just opened. */
export function member(out: Buffer, name: string): void {
  comma(out)
  key(out, name)
}

/** A comma, unless the object was just opened. */
export function comma(out: Buffer): void {
  if (load<u8>(out.at + out.length - 1) != 0x7b) out.u8(0x2c)
}

/** A member that is an object; its closing brace is for the caller. */
export function open(out: Buffer, name: string): void {
  member(out, name)
  out.u8(0x7b)
}

/** A member that is a number. */
export function number(out: Buffer, name: string, number: u64): void {
  member(out, name)
  out.number(number)
}

/** A member that is true. */
export function isTrue(out: Buffer, name: string): void {
  member(out, name)
  out.literal("true")
}

/** A text in quotes. What is not UTF-8 in it, written by somebody else, becomes a replacement character. */
export function text(out: Buffer, at: usize, length: usize): void {
  const end = at + length
  out.u8(0x22)
  while (at < end) {
    const plain = skipPlain(at, end)
    out.bytes(at, plain - at)
    at = plain < end ? special(out, plain, end) : end
  }
  out.u8(0x22)
}

/** Goes over ASCII that needs no escape. */
function skipPlain(at: usize, end: usize): usize {
  while (end - at >= 8 && areAscii(load<u64>(at)) && needNoEscape(load<u64>(at))) at += 8
  while (at < end) {
    const byte = load<u8>(at)
    if (byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5c) break
    at++
  }
  return at
}

/** Writes one character; returns the address behind it. */
function special(out: Buffer, at: usize, end: usize): usize {
  const byte = load<u8>(at)
  if (byte < 0x80) {
    escaped(out, byte)
    return at + 1
  }
  const count = characterBytes(at)
  if (count == 0 || count > end - at) {
    out.bytes(REPLACEMENT, 3)
    return at + 1
  }
  out.bytes(at, count)
  return at + count
}

function escaped(out: Buffer, byte: u8): void {
  out.u8(0x5c)
  if (byte >= 0x20) {
    out.u8(byte)
    return
  }
  out.literal("u00")
  out.u8(<u8>HEX.charCodeAt(byte >> 4))
  out.u8(<u8>HEX.charCodeAt(byte & 15))
}
