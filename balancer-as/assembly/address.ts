/** IP literals: text → 4 or 16 bytes in network order, and back in the one canonical form (RFC 5952). */
import { hexDigit } from "./json/string"

/** No text that `print` writes is longer. */
export const MAX_TEXT_BYTES: usize = 41

/** The address that was parsed last. */
export const parsed: usize = memory.data(16, 8)

/** Reads an IPv4 literal, or an IPv6 one with or without brackets. Returns 4 or 6, or 0 if it is neither. */
export function parse(at: usize, length: usize): u8 {
  if (length > 2 && load<u8>(at) == 0x5b && load<u8>(at + length - 1) == 0x5d) {
    return parseV6(at + 1, length - 2) ? 6 : 0
  }
  if (parseV4(at, at + length, parsed)) return 4
  return parseV6(at, length) ? 6 : 0
}

/** Four numbers of 0 to 255 without leading zeros. */
function parseV4(at: usize, end: usize, to: usize): bool {
  for (let i: usize = 0; i < 4; i++) {
    if (i > 0 && (at >= end || load<u8>(at++) != 0x2e)) return false
    const first = at
    let number: u32 = 0
    while (at < end && at - first < 4 && isDigit(load<u8>(at))) number = number * 10 + load<u8>(at++) - 48
    if (at == first || number > 255 || (at - first > 1 && load<u8>(first) == 0x30)) return false
    store<u8>(to + i, <u8>number)
  }
  return at == end
}

function isDigit(byte: u8): bool {
  return byte >= 0x30 && byte <= 0x39
}

/** Groups so far, and how many of them stand before `::` (-1: it did not come yet). */
let groups: usize = 0
let gap: isize = -1

/** RFC 4291 2.2: groups, `::` once, the last two groups perhaps as IPv4. */
function parseV6(at: usize, length: usize): bool {
  const end = at + length
  groups = 0
  gap = -1
  if (isGap(at, end)) at = passGap(at)
  else if (length == 0) return false
  while (at < end) {
    const behind = group(at, end)
    if (behind == 0) return false
    at = behind
    if (at == end) break
    if (isGap(at, end) && gap < 0) at = passGap(at)
    else if (load<u8>(at) != 0x3a || ++at == end) return false
  }
  return spread()
}

function isGap(at: usize, end: usize): bool {
  return end - at >= 2 && load<u16>(at) == 0x3a3a
}

function passGap(at: usize): usize {
  gap = groups
  return at + 2
}

/** Reads one group, or the IPv4 address at the end; returns the address behind it, 0 if there is none. */
function group(at: usize, end: usize): usize {
  if (groups <= 6 && parseV4(at, end, parsed + (groups << 1))) {
    groups += 2
    return end
  }
  const first = at
  let number: u32 = 0
  while (at < end && at - first < 4 && hexDigit(load<u8>(at)) >= 0) {
    number = (number << 4) | hexDigit(load<u8>(at++))
  }
  if (at == first || groups == 8) return 0
  store<u16>(parsed + (groups << 1), bswap<u16>(<u16>number))
  groups++
  return at
}

/** Moves the groups behind `::` to the end; it stands for one group at least. */
function spread(): bool {
  if (gap < 0) return groups == 8
  if (groups == 8) return false
  const after = (groups - gap) << 1
  const hole = parsed + ((<usize>gap) << 1)
  memory.copy(parsed + 16 - after, hole, after)
  memory.fill(hole, 0, 16 - (groups << 1))
  return true
}

/** Writes the address to `to`, which has room for `MAX_TEXT_BYTES`; returns the address behind it. */
export function print(kind: u8, address: usize, to: usize): usize {
  return kind == 4 ? printV4(address, to) : printV6(address, to)
}

function printV4(address: usize, to: usize): usize {
  for (let i: usize = 0; i < 4; i++) {
    if (i > 0) store<u8>(to++, 0x2e)
    const number = <u32>load<u8>(address + i)
    if (number >= 100) store<u8>(to++, <u8>(48 + number / 100))
    if (number >= 10) store<u8>(to++, <u8>(48 + ((number / 10) % 10)))
    store<u8>(to++, <u8>(48 + (number % 10)))
  }
  return to
}

/** Lower case, no leading zeros; the first of the longest runs of zero groups becomes `::` (one group alone does not). */
function printV6(address: usize, to: usize): usize {
  const run = longestRun(address)
  const from = run & 15
  const behind = from + (run >> 4)
  for (let i: u32 = 0; i < 8; i++) {
    if (behind > from && i == from) {
      store<u16>(to, 0x3a3a)
      to += 2
      i = behind - 1
      continue
    }
    if (i > 0 && !(behind > from && i == behind)) store<u8>(to++, 0x3a)
    to = printHex(bswap<u16>(load<u16>(address + ((<usize>i) << 1))), to)
  }
  return to
}

/** Start + 16 · length; 0 if no two zero groups follow each other. */
function longestRun(address: usize): u32 {
  let best: u32 = 0
  let from: u32 = 0
  for (let i: u32 = 0; i < 8; i++) {
    if (load<u16>(address + ((<usize>i) << 1)) != 0) from = i + 1
    else if (i + 1 - from > max(best >> 4, 1)) best = from | ((i + 1 - from) << 4)
  }
  return best
}

function printHex(number: u16, to: usize): usize {
  let shift: i32 = number >= 0x1000 ? 12 : number >= 0x100 ? 8 : number >= 0x10 ? 4 : 0
  for (; shift >= 0; shift -= 4) {
    const digit = (number >> (<u16>shift)) & 15
    store<u8>(to++, <u8>(digit < 10 ? 48 + digit : 87 + digit))
  }
  return to
}
