/** The path of a request and the arguments behind its question mark. */
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { hexDigit } from "../json/string"

export let path: usize = 0
export let pathLength: usize = 0
let query: usize = 0
let queryLength: usize = 0

/** The argument that was found last, percent-decoded. */
export let at: usize = 0
export let length: usize = 0

export function split(target: usize, targetLength: usize): void {
  path = target
  pathLength = bytes.indexOf(target, targetLength, 0x3f)
  const from = min(pathLength + 1, targetLength)
  query = target + from
  queryLength = targetLength - from
}

/** Is the path this literal? */
export function pathIs(literal: string): bool {
  return bytes.is(path, pathLength, literal)
}

/** Finds the first argument of this name; false if there is none. */
export function find(name: string): bool {
  const end = query + queryLength
  for (let from = query; from < end;) {
    const count = bytes.indexOf(from, end - from, 0x26)
    const nameLength = bytes.indexOf(from, count, 0x3d)
    if (nameLength < count && bytes.is(from, nameLength, name)) {
      decode(from + nameLength + 1, count - nameLength - 1)
      return true
    }
    from += count + 1
  }
  return false
}

/** Puts another text in the place of the argument that was found last. */
export function set(text: usize, textLength: usize): void {
  at = text
  length = textLength
}

/** The number of the argument that was found last, behind its first `skipped` bytes. */
export let number: u64 = 0

/** Reads it; false if there is anything but digits. */
export function readNumber(skipped: usize): bool {
  number = 0
  for (let i = skipped; i < length; i++) {
    const digit = <u32>load<u8>(at + i) - 48
    if (digit > 9) return false
    number = number * 10 + digit
  }
  return length > skipped
}

/** A `%` without two digits behind it stands for itself. */
function decode(from: usize, count: usize): void {
  const end = from + count
  at = arena.allocate(count)
  let to = at
  while (from < end) {
    const isEscape = load<u8>(from) == 0x25 && end - from > 2
    const high = isEscape ? hexDigit(load<u8>(from + 1)) : -1
    const low = isEscape ? hexDigit(load<u8>(from + 2)) : -1
    const isByte = high >= 0 && low >= 0
    store<u8>(to++, isByte ? <u8>((high << 4) | low) : load<u8>(from))
    from += isByte ? 3 : 1
  }
  length = to - at
}
