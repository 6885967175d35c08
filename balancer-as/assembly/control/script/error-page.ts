/** One of the `error_pages` of a level: JSON → a field with fields of its own → JSON. */
import { readArray, showArray } from "../array"
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import { Field } from "../field"
import { readNested, showObject, showText } from "../nested"
import * as numbers from "../numbers"
import { showStatus } from "./header"
import { MaxCount, Type } from "../../ids"
import { ERROR_PAGE } from "../tables"
import { readLine } from "../text"
import * as reader from "../../json/reader"
import * as record from "../../record"
import * as writer from "../../json/writer"

/** The client has gone: nobody is there who could be sent a page. Source: nginx, `error_page`. */
const CLOSED_REQUEST: u64 = 499

/** Whether the page that is read is for any status. */
let hasCodes: bool = false

export function readErrorPage(out: Buffer, tag: u32): void {
  hasCodes = false
  readNested(out, tag, ERROR_PAGE, readField)
  if (!hasCodes) error.failField(reader.place(), "codes", " must not be empty")
}

function readField(out: Buffer, field: Field): void {
  if (field.type == Type.PAGE_CODES)
    readArray(out, field, MaxCount.LEVEL_ITEMS, " has at most 256 items", readCode)
  else if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else readTarget(out, field)
}

function readCode(out: Buffer, field: Field): void {
  const offset = reader.place()
  const code = numbers.read(Type.PAGE_CODE)
  hasCodes = true
  if (code == CLOSED_REQUEST) error.fail(offset, "There is no error page for the status 499")
  else numbers.putField(out, field.tag, 2, code)
}

function readTarget(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (reader.length == 0) error.failField(reader.offset, field.name, " must not be empty")
  else record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showErrorPage(out: Buffer, field: usize): bool {
  return showObject(out, field, ERROR_PAGE, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.PAGE_CODES) return showArray(out, known.id, field, end, showStatus)
  return numbers.isNumber(known.type) ? showStatus(out, field) : showText(out, field)
}
