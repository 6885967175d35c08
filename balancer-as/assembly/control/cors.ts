/** `cors` of a route: JSON → a field with fields of its own → JSON. */
import { showArray } from "./array"
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { readNested, showNested, showText } from "./nested"
import * as numbers from "./numbers"
import { CORS } from "./tables"
import { readLine } from "./text"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readCors(out: Buffer, tag: u32): void {
  readNested(out, tag, CORS, readField)
}

function readField(out: Buffer, field: Field): void {
  if (field.type == Type.ORIGINS) readOrigins(out, field)
  else if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else readText(out, field)
}

function readOrigins(out: Buffer, field: Field): void {
  reader.enterArray()
  while (reader.nextItem()) readText(out, field)
}

function readText(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (reader.length == 0) return error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes the member; false if its field is damaged. */
export function showCors(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, CORS, showValue)
}

/** Of those that are several fields, `field` is the first. */
function showValue(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.ORIGINS) return showArray(out, known.id, field, end, showText)
  return numbers.isNumber(known.type) ? showNumber(out, known.type, field) : showText(out, field)
}

function showNumber(out: Buffer, type: i32, field: usize): bool {
  numbers.show(out, type, field)
  return true
}
