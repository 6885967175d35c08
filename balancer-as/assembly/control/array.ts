/** Fields that a record may have several times, as an array of JSON. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import * as reader from "../json/reader"
import * as record from "../record"

/** Adds a field for each item of the array that is next. @param few the sentence, behind the field's name, if there are more than `max` */
export function readArray(
  out: Buffer,
  field: Field,
  max: i32,
  few: string,
  read: (out: Buffer, field: Field) => void,
): void {
  const offset = reader.place()
  reader.enterArray()
  for (let count = 0; reader.nextItem(); count++) {
    if (count == max) return error.failField(offset, field.name, few)
    read(out, field)
  }
}

/** Writes one of them; false if it is damaged. */
type Show = (out: Buffer, field: usize) => bool

/** Writes an array of all fields with this id from `at` to `end`; false if one is damaged. */
export function showArray(out: Buffer, id: u32, at: usize, end: usize, show: Show): bool {
  let opening: u8 = 0x5b
  for (
    let field = record.nextOf(id, at, end);
    field != end;
    field = record.nextOf(id, record.nextField(field), end)
  ) {
    out.u8(opening)
    opening = 0x2c
    if (!show(out, field)) return false
  }
  if (opening == 0x5b) out.u8(opening)
  out.u8(0x5d)
  return true
}
