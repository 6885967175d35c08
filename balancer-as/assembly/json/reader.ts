/**
 * Reads JSON (RFC 8259) value by value, as its reader asks. The text is checked where it is read; what the reader does
 * not want it must skip (skip.ts). After a failure every question is answered with false, so that loops end by themselves;
 * error.ts says why and where. A byte 0 must stand behind the text.
 */
import * as error from "./error"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as input from "./input"
import { failAt } from "./input"
import { isNegative, isWhole, readNumber, value } from "./number"
import { length, readString, setText, text } from "./string"

/** How deep arrays and objects may be nested. */
const MAX_DEPTH: i32 = 64

/** What is read next. */
export let cursor: usize = 0
/** The value that is next would be the first of its array or object. */
let isFirst: bool = false
let depth: i32 = 0

/** The string or key that was read last; escapes are resolved. */
export { length, setText, text }
/** Where the string, key or number that was read last is, in bytes from the start of the whole text. */
export let offset: usize = 0

export function begin(at: usize, bytes: usize): void {
  input.set(at, bytes)
  cursor = at
  depth = 0
  error.clear()
  space()
}

/** Nothing but white space may follow. */
export function finish(): void {
  if (!error.failed && !input.isEnd(cursor)) failHere("Something follows the end of the JSON text")
}

/** The first byte of the value that is next; 0 at the end of the text. */
export function next(): u8 {
  return load<u8>(cursor)
}

/** Where the next value stands, in bytes from the start. */
export function place(): usize {
  return input.offsetOf(cursor)
}

/** Goes on behind a value that was read elsewhere. */
export function goOn(at: usize): void {
  cursor = at
  space()
}

function failHere(sentence: string): void {
  error.fail(place(), sentence)
}

export function enterObject(): bool {
  return enter(0x7b, "An object is expected")
}

/** Goes to the next key of the object and reads it; false behind the last one. */
export function nextKey(): bool {
  if (!another(0x7d, "A comma or the end of the object is expected")) return false
  if (!readText("A key in quotes is expected")) return false
  if (next() != 0x3a) {
    failAt(cursor, "A colon is expected")
    return false
  }
  cursor++
  space()
  return true
}

export function enterArray(): bool {
  return enter(0x5b, "An array is expected")
}

/** Goes to the next item of the array; false behind the last one. */
export function nextItem(): bool {
  return another(0x5d, "A comma or the end of the array is expected")
}

/** Reads a string; `wanted` is the sentence if something else stands there. */
export function readText(wanted: string): bool {
  if (error.failed) return false
  offset = place()
  if (next() != 0x22) {
    failAt(cursor, wanted)
    return false
  }
  const behind = readString(cursor + 1)
  if (behind == 0) return false
  goOn(behind)
  return true
}

/** Reads a whole number from `lowest` to `highest` (0 to 2^53); `wanted` is the sentence if it is something else. */
export function readInteger(lowest: u64, highest: u64, wanted: string): u64 {
  if (error.failed) return 0
  offset = place()
  const behind = readNumber(cursor)
  if (behind == 0 || !isWhole || isNegative || value < lowest || value > highest) {
    failAt(cursor, wanted)
    return 0
  }
  goOn(behind)
  return value
}

/** Reads a whole number from `-highest` to `highest` (up to 2^53); `wanted` is the sentence if it is something else. */
export function readSigned(highest: u64, wanted: string): i64 {
  if (error.failed) return 0
  offset = place()
  const behind = readNumber(cursor)
  if (behind == 0 || !isWhole || value > highest) {
    failAt(cursor, wanted)
    return 0
  }
  goOn(behind)
  return isNegative ? -(<i64>value) : <i64>value
}

/** Reads `true` or `false`. */
export function readBool(): bool {
  if (error.failed) return false
  offset = place()
  const isTrue = bytes.startsWith(cursor, 4, "true")
  if (!isTrue && !bytes.startsWith(cursor, 5, "false")) {
    failAt(cursor, "true or false is expected")
    return false
  }
  goOn(cursor + (isTrue ? 4 : 5))
  return isTrue
}

/** Reads past a `null`; false if it is anything else. */
export function skipNull(): bool {
  if (error.failed || next() != 0x6e) return false
  if (bytes.startsWith(cursor, 4, "null")) goOn(cursor + 4)
  else failAt(cursor, "A value is expected")
  return true
}

/** Is the text that was read last a whole number? number.ts has it then. */
export function isTextNumber(): bool {
  const behind = text + length
  // The closing quote, or what is left of an escape: it is not needed any more.
  store<u8>(behind, 0)
  return readNumber(text) == behind && isWhole
}

function space(): void {
  let at = cursor
  while (true) {
    const byte = load<u8>(at)
    if (byte > 0x20 || !(byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09)) break
    at++
  }
  cursor = at
}

function enter(bracket: u8, wanted: string): bool {
  if (error.failed) return false
  if (next() != bracket) {
    failAt(cursor, wanted)
    return false
  }
  if (depth == MAX_DEPTH) {
    failHere("Arrays and objects are nested too deep")
    return false
  }
  depth++
  isFirst = true
  goOn(cursor + 1)
  return true
}

/** Is there another key or item before the closing bracket? */
function another(bracket: u8, wanted: string): bool {
  if (error.failed) return false
  if (next() == bracket) {
    leave()
    return false
  }
  if (!isFirst) {
    if (next() != 0x2c) {
      failAt(cursor, wanted)
      return false
    }
    goOn(cursor + 1)
    if (next() == bracket) failHere("Nothing follows the comma")
  }
  isFirst = false
  return !error.failed
}

function leave(): void {
  depth--
  isFirst = false
  goOn(cursor + 1)
}
