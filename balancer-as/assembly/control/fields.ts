/** Goes through a posted object field by field: which fields it may have is said in tables.ts. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as error from "../json/error"
import { Fields } from "./field"
import * as reader from "../json/reader"
import * as record from "../record"
import { failTwice, skipValue } from "../json/skip"
import * as skipped from "./skipped"

/** The field that `nextField` found, by its place in the table. */
let found: i32 = 0

/**
 * Goes to the next field of an object that is known and reads its key. `seen` has a bit for every field that was there.
 * Returns the field's place in the table; -1 behind the last one, or after a failure.
 */
export function nextField(fields: Fields, seen: u64): i32 {
  while (reader.nextKey()) {
    const place = placeOf(fields)
    if (place < 0) {
      passOver(fields)
      continue
    }
    if ((seen & ((<u64>1) << place)) != 0) failTwice()
    return error.failed ? -1 : place
  }
  requireAll(fields, seen)
  return -1
}

/** Reads past a field that is not in the table. */
function passOver(fields: Fields): void {
  if (bytes.is(reader.text, reader.length, "critical")) return readCritical(fields)
  skipped.note()
  skipValue()
}

/** The names of those fields of the object without which nothing may be served: a reader that does not know one refuses. */
function readCritical(fields: Fields): void {
  reader.enterArray()
  while (reader.nextItem()) {
    if (!reader.readText("The name of a field is expected")) return
    if (placeOf(fields) >= 0) continue
    return error.failNaming(
      reader.offset,
      "The field ",
      reader.text,
      reader.length,
      " is critical, and this filter does not know it",
    )
  }
}

/** Posted fields mostly come in the same order: the search begins behind the field found last. */
function placeOf(fields: Fields): i32 {
  const count = fields.length
  let place = found
  for (let left = count; left > 0; left--) {
    place = place + 1 < count ? place + 1 : 0
    if (bytes.is(reader.text, reader.length, fields[place].name)) {
      found = place
      return place
    }
  }
  return -1
}

function requireAll(fields: Fields, seen: u64): void {
  for (let i = 0; i < fields.length && !error.failed; i++) {
    if (fields[i].isRequired && (seen & ((<u64>1) << i)) == 0) {
      // The closing brace that was just read is where the field is missed.
      error.failField(reader.place(), fields[i].name, " is missing")
    }
  }
}

/** The place of the field that has this id (not 0) in a record, -1 if there is none. */
export function placeOfId(fields: Fields, id: u32): i32 {
  for (let i = 0; i < fields.length && id != 0; i++) {
    if (fields[i].id == id) return i
  }
  return -1
}

/** Is there a critical field from `at` to `end` that neither table has? Showing only the others would show something else. */
export function hasUnknown(fields: Fields, others: Fields, at: usize, end: usize): bool {
  for (let field = at; field != end; field = record.nextField(field)) {
    const id = record.fieldId(field)
    if (record.isCritical(field) && placeOfId(fields, id) < 0 && placeOfId(others, id) < 0) return true
  }
  return false
}
