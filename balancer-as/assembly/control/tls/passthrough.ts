/** A server name whose connections are handed on undecrypted: JSON → write; record → JSON. */
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import { Field } from "../field"
import { hasUnknown, nextField, placeOfId } from "../fields"
import { showText } from "../nested"
import * as made from "./made"
import { BACKENDS, PASSTHROUGHS } from "../kinds"
import { readName } from "../names"
import { PASSTHROUGH } from "../tables"
import { PASSTHROUGH_VERSION, Type } from "../../ids"
import * as reader from "../../json/reader"
import * as record from "../../record"
import * as writer from "../../json/writer"

/** Reads a passthrough and adds the write that sets it. */
export function readPassthrough(): void {
  let host: usize = 0
  let hostLength: usize = 0
  let seen: u64 = 0
  made.begin(PASSTHROUGH_VERSION)
  reader.enterObject()
  for (let place = nextField(PASSTHROUGH, seen); place >= 0; place = nextField(PASSTHROUGH, seen)) {
    seen |= (<u64>1) << place
    const field = PASSTHROUGH[place]
    if (field.type == Type.BACKEND_NAME) readBackend(made.value, field.tag)
    else {
      readName(PASSTHROUGHS)
      host = reader.text
      hostLength = reader.length
    }
  }
  if (!error.failed) made.set(PASSTHROUGHS, host, hostLength)
}

function readBackend(out: Buffer, tag: u32): void {
  if (!reader.readText(BACKENDS.wanted)) return
  if (!BACKENDS.isName(reader.text, reader.length)) return error.fail(reader.offset, BACKENDS.rule)
  out.u32(record.fieldHead(tag, reader.length))
  out.bytes(reader.text, reader.length)
}

/** Writes a passthrough as it is in force; false if its record is damaged. */
export function showPassthrough(out: Buffer, host: usize, hostLength: usize, at: usize, length: usize): bool {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(PASSTHROUGH_VERSION, at, length) || hasUnknown(PASSTHROUGH, PASSTHROUGH, first, end))
    return false
  out.literal('{"host":')
  writer.text(out, host, hostLength)
  for (let field = first; field != end; field = record.nextField(field)) {
    const place = placeOfId(PASSTHROUGH, record.fieldId(field))
    if (place >= 0) showField(out, PASSTHROUGH[place], field)
  }
  out.u8(0x7d)
  return true
}

function showField(out: Buffer, known: Field, field: usize): void {
  writer.member(out, known.name)
  showText(out, field)
}
