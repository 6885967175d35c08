/** `actions` of a route, or of one of its backends: JSON → a field with fields of its own → JSON. */
import { readArray, showArray } from "./array"
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { readMirror, showMirror } from "./mirror"
import { readNested, showNested, showText } from "./nested"
import * as numbers from "./numbers"
import { readHeaders, showHeaders } from "./pairs"
import { ACTIONS } from "./tables"
import { readLine } from "./text"
import * as reader from "../json/reader"
import * as record from "../record"
import { MaxCount, Type } from "../ids"
import * as writer from "../json/writer"

const FEW_MIRRORS: string = " has at most 16 items"
/** All statuses that there are. */
const MAX_CODES: i32 = 200
const FEW_CODES: string = " has at most 200 items"

export function readActions(out: Buffer, tag: u32): void {
  readNested(out, tag, ACTIONS, readField)
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.HEADERS:
      return readHeaders(out, field.tag)
    case Type.PATH:
      return readPath(out, field)
    case Type.RETRY_CODES:
      return readArray(out, field, MAX_CODES, FEW_CODES, readCode)
    case Type.MIRRORS:
      return readArray(out, field, MaxCount.MIRRORS, FEW_MIRRORS, readOneMirror)
    default:
      return numbers.readField(out, field.tag, field.type)
  }
}

function readPath(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (reader.length == 0 || load<u8>(reader.text) != 0x2f)
    return error.failField(reader.offset, field.name, " must begin with a slash")
  record.putField(out, field.tag, reader.text, reader.length)
}

function readCode(out: Buffer, field: Field): void {
  numbers.readField(out, field.tag, Type.RETRY_CODE)
}

function readOneMirror(out: Buffer, field: Field): void {
  readMirror(out, field.tag)
}

/** Writes the member; false if its field is damaged, or says something that must be understood and is not. */
export function showActions(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, ACTIONS, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  switch (known.type) {
    case Type.HEADERS:
      return showHeaders(out, known.id, field, end)
    case Type.PATH:
      return showText(out, field)
    case Type.RETRY_CODES:
      return showArray(out, known.id, field, end, showCode)
    case Type.MIRRORS:
      return showArray(out, known.id, field, end, showMirror)
    default:
      numbers.show(out, known.type, field)
      return true
  }
}

function showCode(out: Buffer, field: usize): bool {
  numbers.show(out, Type.RETRY_CODE, field)
  return true
}
