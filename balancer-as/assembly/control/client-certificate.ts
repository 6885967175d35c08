/** `client_certificate` of a host: JSON → fields of its record → JSON. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { nextField, placeOfId } from "./fields"
import { AUTHORITIES } from "./kinds"
import { isId } from "./name-rules"
import { readLine } from "./text"
import * as numbers from "./numbers"
import { CLIENT_CERTIFICATE, HOST_VERIFY_WORD } from "./tables"
import { readWord, showWord } from "./words"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readClientCertificate(out: Buffer): void {
  let seen: u64 = 0
  reader.enterObject()
  for (
    let place = nextField(CLIENT_CERTIFICATE, seen);
    place >= 0;
    place = nextField(CLIENT_CERTIFICATE, seen)
  ) {
    seen |= (<u64>1) << place
    readField(out, CLIENT_CERTIFICATE[place])
  }
}

function readField(out: Buffer, field: Field): void {
  if (field.type == Type.HOST_VERIFY) readWord(out, field.tag, HOST_VERIFY_WORD)
  else if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else readText(out, field)
}

function readText(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (field.type == Type.ID && !isId(reader.text, reader.length))
    return error.fail(reader.offset, AUTHORITIES.rule)
  if (reader.length == 0) return error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes the member, if the host's fields, from `at` to `end`, have one; false if they are damaged. */
export function showClientCertificate(out: Buffer, at: usize, end: usize): bool {
  let isOpen = false
  for (let field = at; field != end; field = record.nextField(field)) {
    const place = placeOfId(CLIENT_CERTIFICATE, record.fieldId(field))
    if (place < 0) continue
    if (!isOpen) writer.open(out, "client_certificate")
    isOpen = true
    if (!showField(out, CLIENT_CERTIFICATE[place], field)) return false
  }
  if (isOpen) out.u8(0x7d)
  return true
}

function showField(out: Buffer, known: Field, field: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.HOST_VERIFY) return showWord(out, HOST_VERIFY_WORD, field)
  if (numbers.isNumber(known.type)) numbers.show(out, known.type, field)
  else writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}
