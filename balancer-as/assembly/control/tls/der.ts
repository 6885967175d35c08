/** DER: base64 in JSON, plain bytes in records. Nothing here looks into it, and no sentence repeats any of it: it may be a key. */
import * as base64 from "../../base64"
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import * as reader from "../../json/reader"

const WANTED: string = "DER in base64 is expected, with padding and without line breaks"

/** Reads one text and adds its bytes. */
export function read(out: Buffer): void {
  if (!reader.readText(WANTED)) return
  if (reader.length == 0 || !base64.decode(out, reader.text, reader.length)) error.fail(reader.offset, WANTED)
}

/** Reads an array of `minCount` to `maxCount` texts and adds u32 length · bytes of each; returns how many. `rule` is the sentence if there are too few or too many. */
export function readList(out: Buffer, minCount: i32, maxCount: i32, rule: string): i32 {
  const offset = reader.place()
  let count = 0
  reader.enterArray()
  for (; reader.nextItem(); count++) {
    if (count == maxCount) error.fail(offset, rule)
    const start = out.length
    out.u32(0)
    read(out)
    out.patch(start, <u32>(out.length - start - 4))
  }
  if (count < minCount) error.fail(offset, rule)
  return count
}

/** Writes bytes as a text in quotes. */
export function show(out: Buffer, at: usize, length: usize): void {
  out.u8(0x22)
  base64.encode(out, at, length)
  out.u8(0x22)
}

/** Writes an array of `count` texts, whose lengths and bytes stand between `at` and `end`; returns the address behind them, or 0 if they do not fit. */
export function showList(out: Buffer, at: usize, end: usize, count: i32): usize {
  out.u8(0x5b)
  for (let i = 0; i < count; i++) {
    const behind = next(at, end)
    if (behind == 0) return 0
    if (i > 0) out.u8(0x2c)
    show(out, at + 4, behind - at - 4)
    at = behind
  }
  out.u8(0x5d)
  return at
}

/** Returns the address behind a length and its bytes, or 0 if they do not fit. */
export function next(at: usize, end: usize): usize {
  if (at > end || end - at < 4 || <usize>load<u32>(at) > end - at - 4) return 0
  return at + 4 + <usize>load<u32>(at)
}
