/** `limits` of a route: JSON → a field with fields of its own → JSON. */
import { Buffer } from "../buffer"
import { hasUnknown, nextField, placeOfId } from "./fields"
import { readListId } from "./list-id"
import * as numbers from "./numbers"
import { LIMITS } from "./tables"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

export function readLimits(out: Buffer, tag: u32): void {
  const start = record.openField(out)
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(LIMITS, seen); place >= 0; place = nextField(LIMITS, seen)) {
    seen |= 1 << place
    const field = LIMITS[place]
    if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
    else readListId(out, field.tag, "An id is expected")
  }
  record.closeField(out, tag, start)
}

/** Writes the member; false if its field is damaged. */
export function showLimits(out: Buffer, name: string, field: usize): bool {
  const at = record.fieldValue(field)
  const end = record.nextField(field)
  if (!record.areFields(at, end) || hasUnknown(LIMITS, LIMITS, at, end)) return false
  writer.open(out, name)
  for (let one = at; one != end; one = record.nextField(one)) {
    const place = placeOfId(LIMITS, record.fieldId(one))
    if (place < 0) continue
    writer.member(out, LIMITS[place].name)
    if (numbers.isNumber(LIMITS[place].type)) numbers.show(out, LIMITS[place].type, one)
    else writer.text(out, record.fieldValue(one), record.fieldLength(one))
  }
  out.u8(0x7d)
  return true
}
