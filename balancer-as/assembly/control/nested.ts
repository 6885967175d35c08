/** A field whose value is fields: record → JSON. */
import { Buffer } from "../buffer"
import { Field, Fields } from "./field"
import { hasUnknown, placeOfId } from "./fields"
import * as record from "../record"
import * as writer from "../json/writer"

/**
 * Writes the member; false if its field is damaged, or says something that must be understood and is not.
 *
 * @param show writes the member of one field within; of those that are several fields, `field` is the first
 */
export function showNested(
  out: Buffer,
  name: string,
  nested: usize,
  fields: Fields,
  show: (out: Buffer, known: Field, field: usize, end: usize) => bool,
): bool {
  const at = record.fieldValue(nested)
  const end = record.nextField(nested)
  if (!record.areFields(at, end) || hasUnknown(fields, fields, at, end)) return false
  writer.open(out, name)
  let shown: u32 = 0
  for (let one = at; one != end; one = record.nextField(one)) {
    const place = placeOfId(fields, record.fieldId(one))
    if (place < 0 || (shown & (1 << place)) != 0) continue
    shown |= 1 << place
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
