/** `client_certificate` of a TLS host, what a handshake asks of the client: JSON → fields of its record → JSON. */
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import { Field } from "../field"
import { nextField, placeOfId } from "../fields"
import { AUTHORITIES } from "../kinds"
import { isId } from "../name-rules"
import * as numbers from "../numbers"
import { CLIENT_VERIFICATION, VERIFY_WORD } from "../tables"
import { readWord, showWord } from "../words"
import * as reader from "../../json/reader"
import * as record from "../../record"
import { Type } from "../../ids"
import * as writer from "../../json/writer"

export function readClientVerification(out: Buffer): void {
  let seen: u64 = 0
  reader.enterObject()
  for (
    let place = nextField(CLIENT_VERIFICATION, seen);
    place >= 0;
    place = nextField(CLIENT_VERIFICATION, seen)
  ) {
    seen |= (<u64>1) << place
    readField(out, CLIENT_VERIFICATION[place])
  }
}

function readField(out: Buffer, field: Field): void {
  if (field.type == Type.VERIFY) return readWord(out, field.tag, VERIFY_WORD)
  if (numbers.isNumber(field.type)) return numbers.readField(out, field.tag, field.type)
  if (!reader.readText("The id of an authority is expected")) return
  if (!isId(reader.text, reader.length)) return error.fail(reader.offset, AUTHORITIES.rule)
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes the member, if there is one among the fields from `at` to `end`; false if it is damaged. */
export function showClientVerification(out: Buffer, at: usize, end: usize): bool {
  let isOpen = false
  for (let field = at; field != end; field = record.nextField(field)) {
    const place = placeOfId(CLIENT_VERIFICATION, record.fieldId(field))
    if (place < 0) continue
    if (!isOpen) writer.open(out, "client_certificate")
    isOpen = true
    if (!showField(out, CLIENT_VERIFICATION[place], field)) return false
  }
  if (isOpen) out.u8(0x7d)
  return true
}

function showField(out: Buffer, known: Field, field: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.VERIFY) return showWord(out, VERIFY_WORD, field)
  if (numbers.isNumber(known.type)) numbers.show(out, known.type, field)
  else writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}
