/** Writes JSON into a buffer. */
import { Buffer } from "../buffer"
import { needNoEscape } from "./eight"

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

/** A text in quotes; it is UTF-8 already. */
export function text(out: Buffer, at: usize, length: usize): void {
  const end = at + length
  out.u8(0x22)
  while (at < end) {
    const plain = skipPlain(at, end)
    out.bytes(at, plain - at)
    if (plain < end) escaped(out, load<u8>(plain))
    at = plain + 1
  }
  out.u8(0x22)
}

function skipPlain(at: usize, end: usize): usize {
  while (end - at >= 8 && needNoEscape(load<u64>(at))) at += 8
  while (at < end) {
    const byte = load<u8>(at)
    if (byte < 0x20 || byte == 0x22 || byte == 0x5c) break
    at++
  }
  return at
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
