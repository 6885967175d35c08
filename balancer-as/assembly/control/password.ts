/** What a check of passwords goes by, in what a route says of access: JSON → a field with fields of its own → JSON. */
import { Buffer } from "../buffer"
import { hasUnknown, nextField, placeOfId } from "./fields"
import { readListId } from "./list-id"
import { PASSWORD } from "./tables"
import { readLine } from "./text"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readPassword(out: Buffer, tag: u32): void {
  const start = record.openField(out)
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(PASSWORD, seen); place >= 0; place = nextField(PASSWORD, seen)) {
    seen |= 1 << place
    const field = PASSWORD[place]
    if (field.type == Type.ID) readListId(out, field.tag, "The id of a user list is expected")
    else if (readLine(field.name)) record.putField(out, field.tag, reader.text, reader.length)
  }
  record.closeField(out, tag, start)
}

/** Writes the member; false if its field is damaged, or says something that must be understood and is not. */
export function showPassword(out: Buffer, name: string, field: usize): bool {
  const at = record.fieldValue(field)
  const end = record.nextField(field)
  if (!record.areFields(at, end) || hasUnknown(PASSWORD, PASSWORD, at, end)) return false
  writer.open(out, name)
  for (let one = at; one != end; one = record.nextField(one)) {
    const place = placeOfId(PASSWORD, record.fieldId(one))
    if (place < 0) continue
    writer.member(out, PASSWORD[place].name)
    writer.text(out, record.fieldValue(one), record.fieldLength(one))
  }
  out.u8(0x7d)
  return true
}
