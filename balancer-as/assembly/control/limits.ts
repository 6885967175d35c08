/** `limits` of a route: JSON → a field with fields of its own → JSON. */
import { showArray } from "./array"
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { readNested, showNested, showText } from "./nested"
import { readListId } from "./list-id"
import * as numbers from "./numbers"
import { LIMITS } from "./tables"
import { readLine } from "./text"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readLimits(out: Buffer, tag: u32): void {
  readNested(out, tag, LIMITS, readField)
}

function readField(out: Buffer, field: Field): void {
  if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else if (field.type == Type.LIMIT_BY) readBy(out, field)
  else readListId(out, field.tag, "An id is expected")
}

/** What is no such part closes the route: the module knows them. */
function readBy(out: Buffer, field: Field): void {
  reader.enterArray()
  while (reader.nextItem()) {
    if (!readLine(field.name)) return
    if (reader.length == 0) return error.failField(reader.offset, field.name, " must not be empty")
    record.putField(out, field.tag, reader.text, reader.length)
  }
}

/** Writes the member; false if its field is damaged. */
export function showLimits(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, LIMITS, showValue)
}

/** Of those that are several fields, `field` is the first. */
function showValue(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.LIMIT_BY) return showArray(out, known.id, field, end, showText)
  if (!numbers.isNumber(known.type)) return showText(out, field)
  numbers.show(out, known.type, field)
  return true
}
