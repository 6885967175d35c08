/** Fields whose values are fields: JSON → record → JSON. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field, Fields } from "./field"
import { hasUnknown, nextField, placeOfId } from "./fields"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

/** Adds a field whose value are the fields of the object that is next; `read` adds one of them. */
export function readNested(
  out: Buffer,
  tag: u32,
  fields: Fields,
  read: (out: Buffer, field: Field) => void,
): void {
  const start = record.openField(out)
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(fields, seen); place >= 0; place = nextField(fields, seen)) {
    seen |= (<u64>1) << place
    read(out, fields[place])
  }
  record.closeField(out, tag, start)
}

/** Reads a text that is not empty, if it is a label, into a field. */
export function readLabel(out: Buffer, field: Field): void {
  if (!reader.readText("A text in quotes is expected")) return
  if (field.type == Type.LABEL && reader.length == 0)
    return error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes the member of one field within; of those that are several fields, `field` is the first. */
type Show = (out: Buffer, known: Field, field: usize, end: usize) => bool

/** Writes the member; false if its field is damaged, or says something that must be understood and is not. */
export function showNested(out: Buffer, name: string, nested: usize, fields: Fields, show: Show): bool {
  writer.member(out, name)
  return showObject(out, nested, fields, show)
}

/** Writes the fields within a field as an object; false as above. */
export function showObject(out: Buffer, nested: usize, fields: Fields, show: Show): bool {
  const at = record.fieldValue(nested)
  const end = record.nextField(nested)
  if (!record.areFields(at, end) || hasUnknown(fields, fields, at, end)) return false
  let shown: u64 = 0
  out.u8(0x7b)
  for (let one = at; one != end; one = record.nextField(one)) {
    const place = placeOfId(fields, record.fieldId(one))
    if (place < 0 || (shown & ((<u64>1) << place)) != 0) continue
    shown |= (<u64>1) << place
    if (!show(out, fields[place], one, end)) return false
  }
  out.u8(0x7d)
  return true
}

/** Writes the value of a field that is a text. */
export function showText(out: Buffer, field: usize): bool {
  writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}
