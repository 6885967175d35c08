/** `client_certificate` of a TLS host, what a handshake asks of the client: JSON → fields of its record → JSON. */
import { Buffer } from "../../buffer"
import { COUNT } from "../numbers"
import * as error from "../../json/error"
import { Field, Fields, nextField, placeOfId } from "../fields"
import { ID_RULE } from "../kinds"
import { isId } from "../name-rules"
import * as numbers from "../numbers"
import { readVerify, showVerify } from "../verify"
import * as reader from "../../json/reader"
import * as record from "../../record"
import * as writer from "../../json/writer"

const AUTHORITY: i32 = COUNT
const VERIFY: i32 = COUNT + 1
const DEPTH: i32 = COUNT + 2

const CLIENT_CERTIFICATE: Fields = [
  new Field("authority", AUTHORITY, true, 4),
  new Field("verify", VERIFY, true, 5),
  new Field("depth", DEPTH, true, 6),
]

const MAX_DEPTH: u64 = 100
const WANTED_DEPTH: string = "A depth from 1 to 100 is expected"

export function readClientVerification(out: Buffer): void {
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
  if (field.kind == VERIFY) return readVerify(out, field.id)
  if (field.kind == DEPTH)
    return numbers.putField(out, field.id, 4, reader.readInteger(1, MAX_DEPTH, WANTED_DEPTH))
  if (!reader.readText("The id of an authority is expected")) return
  if (!isId(reader.text, reader.length)) return error.fail(reader.offset, ID_RULE)
  out.u32(record.fieldHead(field.id, reader.length))
  out.bytes(reader.text, reader.length)
}

/** Writes the member, if there is one among the fields from `at` to `end`; false if it is damaged. */
export function showClientVerification(out: Buffer, at: usize, end: usize): bool {
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
  if (known.kind == VERIFY) return showVerify(out, field)
  if (known.kind == DEPTH) out.number(numbers.ofField(field))
  else writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}
