/** One of the `request_limits` or `connection_limits` of a level: JSON → a field with fields of its own → JSON. */
import { Buffer } from "../../buffer"
import { Field } from "../field"
import { readNested, showObject, showText } from "../nested"
import * as numbers from "../numbers"
import { CONNECTION_LIMIT, REQUEST_LIMIT } from "../tables"
import { checkToken, putText, readFilled } from "../text"
import * as writer from "../../json/writer"

export function readRequestLimit(out: Buffer, tag: u32): void {
  readNested(out, tag, REQUEST_LIMIT, readField)
}

export function readConnectionLimit(out: Buffer, tag: u32): void {
  readNested(out, tag, CONNECTION_LIMIT, readField)
}

function readField(out: Buffer, field: Field): void {
  if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else if (readFilled(field) && checkToken(field.name)) putText(out, field)
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showRequestLimit(out: Buffer, field: usize): bool {
  return showObject(out, field, REQUEST_LIMIT, showField)
}

/** As `showRequestLimit`. */
export function showConnectionLimit(out: Buffer, field: usize): bool {
  return showObject(out, field, CONNECTION_LIMIT, showField)
}

function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  if (!numbers.isNumber(known.type)) return showText(out, field)
  numbers.show(out, known.type, field)
  return true
}
