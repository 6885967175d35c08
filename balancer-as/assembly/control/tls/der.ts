/** DER: base64 in JSON, plain bytes in records. Nothing here looks into it, and no sentence repeats any of it: it may be a key. */
import * as base64 from "../../base64"
import { Buffer } from "../../buffer"
import { showArray } from "../array"
import * as error from "../../json/error"
import * as reader from "../../json/reader"
import * as record from "../../record"

const WANTED: string = "DER in base64 is expected, with padding and without line breaks"

/** Reads one text and adds a field with its bytes. */
export function read(out: Buffer, tag: u32): void {
  if (!reader.readText(WANTED)) return
  const start = record.openField(out)
  const isRead = reader.length > 0 && base64.decode(out, reader.text, reader.length)
  if (!isRead) error.fail(reader.offset, WANTED)
  record.closeField(out, tag, start)
}

/** Reads an array of `min` to `max` texts and adds a field for each. `rule` is the sentence if there are too few or too many. */
export function readList(out: Buffer, tag: u32, min: i32, max: i32, rule: string): void {
  const offset = reader.place()
  let count = 0
  reader.enterArray()
  for (; reader.nextItem(); count++) {
    if (count == max) error.fail(offset, rule)
    read(out, tag)
  }
  if (count < min) error.fail(offset, rule)
}

/** Writes the bytes of a field as a text in quotes. */
export function show(out: Buffer, field: usize): bool {
  out.u8(0x22)
  base64.encode(out, record.fieldValue(field), record.fieldLength(field))
  out.u8(0x22)
  return true
}

/** Writes an array of all fields with this id from `at` to `end`. */
export function showList(out: Buffer, id: u32, at: usize, end: usize): void {
  showArray(out, id, at, end, show)
}
