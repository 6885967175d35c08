/** What becomes of a header of the response or of the request: JSON → a field with fields of its own → JSON. */
import { readArray, showArray } from "../array"
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import { Field } from "../field"
import { readNested, showObject, showText } from "../nested"
import * as numbers from "../numbers"
import { MaxCount, Type } from "../../ids"
import { HEADER_OP_WORD, INPUT_HEADER, INPUT_HEADER_OP_WORD, RESPONSE_HEADER } from "../tables"
import { checkToken, putText, readFilled, readLine } from "../text"
import { readWord, showWord } from "../words"
import * as reader from "../../json/reader"
import * as writer from "../../json/writer"

const FEW: string = " has at most 256 items"

export function readResponseHeader(out: Buffer, tag: u32): void {
  readNested(out, tag, RESPONSE_HEADER, readField)
}

export function readInputHeader(out: Buffer, tag: u32): void {
  readNested(out, tag, INPUT_HEADER, readField)
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.HEADER_OP:
      return readWord(out, field.tag, HEADER_OP_WORD)
    case Type.INPUT_HEADER_OP:
      return readWord(out, field.tag, INPUT_HEADER_OP_WORD)
    case Type.HEADER_STATUSES:
      return readArray(out, field, MaxCount.LEVEL_ITEMS, FEW, readStatus)
    case Type.LINES:
      return readArray(out, field, MaxCount.LEVEL_ITEMS, FEW, readType)
    case Type.TOKEN:
      return readName(out, field)
    case Type.MARK:
      return numbers.readField(out, field.tag, field.type)
    default:
      return readValue(out, field)
  }
}

function readStatus(out: Buffer, field: Field): void {
  numbers.readField(out, field.tag, Type.HEADER_STATUS)
}

function readName(out: Buffer, field: Field): void {
  if (!reader.readText("The name of a header is expected")) return
  if (reader.length == 0) error.failField(reader.offset, field.name, " must not be empty")
  else if (checkToken(field.name)) putText(out, field)
}

function readType(out: Buffer, field: Field): void {
  if (readFilled(field)) putText(out, field)
}

function readValue(out: Buffer, field: Field): void {
  if (readLine(field.name)) putText(out, field)
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showResponseHeader(out: Buffer, field: usize): bool {
  return showObject(out, field, RESPONSE_HEADER, showField)
}

/** As `showResponseHeader`. */
export function showInputHeader(out: Buffer, field: usize): bool {
  return showObject(out, field, INPUT_HEADER, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  switch (known.type) {
    case Type.HEADER_OP:
      return showWord(out, HEADER_OP_WORD, field)
    case Type.INPUT_HEADER_OP:
      return showWord(out, INPUT_HEADER_OP_WORD, field)
    case Type.HEADER_STATUSES:
      return showArray(out, known.id, field, end, showStatus)
    case Type.LINES:
      return showArray(out, known.id, field, end, showText)
    case Type.MARK:
      numbers.show(out, known.type, field)
      return true
    default:
      return showText(out, field)
  }
}

/** Writes the number of a field. */
export function showStatus(out: Buffer, field: usize): bool {
  numbers.show(out, Type.HEADER_STATUS, field)
  return true
}
