/** `client_certificate` of a host: JSON → the host's own fields of a record → JSON. */
import { Buffer } from "../buffer"
import { COUNT, FLAG } from "./numbers"
import * as error from "../json/error"
import { Field, Fields, nextField, placeOfId } from "./fields"
import { ID_RULE } from "./kinds"
import { isId } from "./name-rules"
import { readLine } from "./text"
import { readHostVerify, showVerify } from "./verify"
import * as numbers from "./numbers"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

/** Id of an authority. */
const ID: i32 = COUNT
const VERIFY: i32 = COUNT + 1
/** Text without control characters that is not empty. */
const LINE: i32 = COUNT + 2

const CLIENT_CERTIFICATE: Fields = [
  new Field("authority", ID, true, 1),
  new Field("verify", VERIFY, true, 2),
  new Field("match_cn", LINE, false, 3),
  new Field("error_page", LINE, false, 4),
  new Field("pass_certificate", FLAG, false, 5),
]

export function readClientCertificate(out: Buffer): void {
  let seen: u32 = 0
  reader.enterObject()
  for (
    let place = nextField(CLIENT_CERTIFICATE, seen);
    place >= 0;
    place = nextField(CLIENT_CERTIFICATE, seen)
  ) {
    seen |= 1 << place
    readField(out, CLIENT_CERTIFICATE[place])
  }
}

function readField(out: Buffer, field: Field): void {
  if (field.kind == VERIFY) readHostVerify(out, field.id)
  else if (field.kind != FLAG) readText(out, field)
  // What is false is absent.
  else if (reader.readBool()) numbers.putField(out, field.id, 1, 1)
}

function readText(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (field.kind == ID && !isId(reader.text, reader.length)) return error.fail(reader.offset, ID_RULE)
  if (reader.length == 0) return error.failField(reader.offset, field.name, " must not be empty")
  out.u32(record.fieldHead(field.id, reader.length))
  out.bytes(reader.text, reader.length)
}

/** Writes the member, if the host's own fields, from `at` to `end`, have one; false if they are damaged. */
export function showClientCertificate(out: Buffer, at: usize, end: usize): bool {
  if (!record.areFields(at, end)) return false
  if (at == end) return true
  writer.open(out, "client_certificate")
  for (let field = at; field != end; field = record.nextField(field)) {
    const place = placeOfId(CLIENT_CERTIFICATE, record.fieldId(field))
    if (place >= 0 && !showField(out, CLIENT_CERTIFICATE[place], field)) return false
  }
  out.u8(0x7d)
  return true
}

function showField(out: Buffer, known: Field, field: usize): bool {
  writer.member(out, known.name)
  if (known.kind == VERIFY) return showVerify(out, field)
  if (known.kind == FLAG) numbers.show(out, FLAG, field)
  else writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}
