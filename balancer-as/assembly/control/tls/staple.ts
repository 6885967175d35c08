/** The OCSP response that goes with a certificate: JSON → write; record → JSON. */
import { Buffer } from "../../buffer"
import * as der from "./der"
import * as error from "../../json/error"
import { Field } from "../field"
import { hasUnknown, nextField, placeOfId } from "../fields"
import * as numbers from "../numbers"
import * as made from "./made"
import { readName } from "../names"
import * as reader from "../../json/reader"
import * as record from "../../record"
import { STAPLES } from "../kinds"
import { STAPLE } from "../tables"
import { STAPLE_VERSION, Type } from "../../ids"
import * as writer from "../../json/writer"

/** Reads a staple and adds the write that sets it. */
export function readStaple(): void {
  let id: usize = 0
  let idLength: usize = 0
  let seen: u64 = 0
  made.begin(STAPLE_VERSION)
  reader.enterObject()
  for (let place = nextField(STAPLE, seen); place >= 0; place = nextField(STAPLE, seen)) {
    seen |= (<u64>1) << place
    const field = STAPLE[place]
    if (field.type == Type.DER) der.read(made.value, field.tag)
    else if (numbers.isNumber(field.type)) numbers.readField(made.value, field.tag, field.type)
    else {
      readName(STAPLES)
      id = reader.text
      idLength = reader.length
    }
  }
  if (!error.failed) made.set(STAPLES, id, idLength)
}

/** Writes a staple as it is in force; false if its record is damaged. */
export function showStaple(out: Buffer, id: usize, idLength: usize, at: usize, length: usize): bool {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(STAPLE_VERSION, at, length) || hasUnknown(STAPLE, STAPLE, first, end)) return false
  out.literal('{"certificate":')
  writer.text(out, id, idLength)
  for (let field = first; field != end; field = record.nextField(field)) {
    const place = placeOfId(STAPLE, record.fieldId(field))
    if (place >= 0) showField(out, STAPLE[place], field)
  }
  out.u8(0x7d)
  return true
}

function showField(out: Buffer, known: Field, field: usize): void {
  writer.member(out, known.name)
  if (known.type == Type.DER) der.show(out, field)
  else numbers.show(out, known.type, field)
}
