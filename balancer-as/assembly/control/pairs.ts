/** Names and what they become, as `variables` and `headers` of a route: per name a field of the record, u8 length · name · value. */
import { Buffer } from "../buffer"
import { showArray } from "./array"
import * as error from "../json/error"
import { checkToken, readLine } from "./text"
import { ASSIGNMENT, HEADER } from "./tables"
import { Fields } from "./field"
import { nextField } from "./fields"
import * as reader from "../json/reader"
import * as record from "../record"
import * as skip from "../json/skip"
import { MaxBytes, Type } from "../ids"
import * as writer from "../json/writer"

const VARIABLE_RULE: string = "A variable's name has 1 to 63 bytes of a-z, 0-9 and _"

/** The pair that is read; its texts stay where they were read. */
let name: usize = 0
let nameLength: usize = 0
let value: usize = 0
let valueLength: usize = 0

/** An object: name → template. */
export function readVariables(out: Buffer, tag: u32): void {
  const names = skip.newScope()
  reader.enterObject()
  while (reader.nextKey()) {
    if (!isVariable()) return error.fail(reader.offset, VARIABLE_RULE)
    if (!skip.isNew(names)) return skip.failTwice()
    takeName()
    takeValue("variables")
    put(out, tag)
  }
}

function isVariable(): bool {
  for (let i: usize = 0; i < reader.length; i++) {
    const byte = load<u8>(reader.text + i)
    const isLetter = byte >= 0x61 && byte <= 0x7a
    if (!isLetter && !(byte >= 0x30 && byte <= 0x39) && byte != 0x5f) return false
  }
  return reader.length > 0 && reader.length <= MaxBytes.VARIABLE
}

/** A list, whose order stays. */
export function readHeaders(out: Buffer, tag: u32): void {
  reader.enterArray()
  while (reader.nextItem()) readHeader(out, tag)
}

/** One of such a list. */
export function readHeader(out: Buffer, tag: u32): void {
  readPair(HEADER)
  put(out, tag)
}

/** A variable and its template: `name` and `value`, as of a header. */
export function readAssignment(out: Buffer, tag: u32): void {
  readPair(ASSIGNMENT)
  put(out, tag)
}

function readPair(fields: Fields): void {
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(fields, seen); place >= 0; place = nextField(fields, seen)) {
    seen |= (<u64>1) << place
    if (fields[place].type == Type.TOKEN) readName()
    else if (fields[place].type == Type.VARIABLE_NAME) takeVariable()
    else takeValue("value")
  }
}

function takeVariable(): void {
  if (readVariableName()) takeName()
}

/** Reads the name of a variable; false after a failure. */
export function readVariableName(): bool {
  if (!reader.readText("The name of a variable is expected")) return false
  if (!isVariable()) error.fail(reader.offset, VARIABLE_RULE)
  return !error.failed
}

function readName(): void {
  if (!reader.readText("The name of a header is expected")) return
  if (reader.length == 0) error.failField(reader.offset, "name", " must not be empty")
  else if (checkToken("name")) takeName()
}

function takeName(): void {
  name = reader.text
  nameLength = reader.length
}

function takeValue(field: string): void {
  if (!readLine(field)) return
  value = reader.text
  valueLength = reader.length
}

function put(out: Buffer, tag: u32): void {
  if (error.failed) return
  out.u32(record.fieldHead(tag, 1 + nameLength + valueLength))
  out.u8(<u8>nameLength)
  out.bytes(name, nameLength)
  out.bytes(value, valueLength)
}

/** Writes all variables of the route whose fields lie from `from` to `end`; false if one is damaged. */
export function showVariables(out: Buffer, id: u32, from: usize, end: usize): bool {
  writer.open(out, "variables")
  for (
    let field = record.nextOf(id, from, end);
    field != end;
    field = record.nextOf(id, record.nextField(field), end)
  ) {
    if (!find(field)) return false
    writer.comma(out)
    writer.text(out, name, nameLength)
    out.u8(0x3a)
    writer.text(out, value, valueLength)
  }
  out.u8(0x7d)
  return true
}

/** Writes all headers of those fields from `from` to `end` that have this id; false if one is damaged. */
export function showHeaders(out: Buffer, id: u32, from: usize, end: usize): bool {
  return showArray(out, id, from, end, showHeader)
}

function showHeader(out: Buffer, field: usize): bool {
  if (!find(field)) return false
  out.literal('{"name":')
  writer.text(out, name, nameLength)
  out.literal(',"value":')
  writer.text(out, value, valueLength)
  out.u8(0x7d)
  return true
}

/** Finds name and value in a field; false if it is damaged. */
function find(field: usize): bool {
  const length = record.fieldLength(field)
  name = record.fieldValue(field) + 1
  if (length == 0 || <usize>load<u8>(name - 1) > length - 1) return false
  nameLength = load<u8>(name - 1)
  value = name + nameLength
  valueLength = length - 1 - nameLength
  return true
}
