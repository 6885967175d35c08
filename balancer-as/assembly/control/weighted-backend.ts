/** `split` of a route: JSON → for each backend a field with fields of its own → JSON. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { readNested, showObject, showText } from "./nested"
import * as numbers from "./numbers"
import { readHeaders, showHeaders } from "./pairs"
import { WEIGHTED_BACKEND } from "./tables"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readSplit(out: Buffer, tag: u32): void {
  reader.enterArray()
  while (reader.nextItem()) readBackend(out, tag)
}

function readBackend(out: Buffer, tag: u32): void {
  readNested(out, tag, WEIGHTED_BACKEND, readField)
}

function readField(out: Buffer, field: Field): void {
  if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else if (field.type == Type.HEADERS) readHeaders(out, field.tag)
  else readText(out, field)
}

function readText(out: Buffer, field: Field): void {
  if (!reader.readText("A text in quotes is expected")) return
  if (field.type == Type.LABEL && reader.length == 0)
    return error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showWeightedBackend(out: Buffer, field: usize): bool {
  return showObject(out, field, WEIGHTED_BACKEND, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.HEADERS) return showHeaders(out, known.id, field, end)
  if (!numbers.isNumber(known.type)) return showText(out, field)
  numbers.show(out, known.type, field)
  return true
}
