/** Who may request the path of a route: JSON → a field with the checks' fields → JSON. */
import { Buffer } from "../buffer"
import { readExternalAuth, showExternalAuth } from "./external-auth"
import { Field } from "./field"
import { hasUnknown, nextField, placeOfId } from "./fields"
import { readListId } from "./list-id"
import { readPassword, showPassword } from "./password"
import { ACCESS, SATISFY_WORD } from "./tables"
import { readWord, showWord } from "./words"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

/** Adds a field with the fields of the checks. */
export function readAccess(out: Buffer, tag: u32): void {
  const start = record.openField(out)
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(ACCESS, seen); place >= 0; place = nextField(ACCESS, seen)) {
    seen |= 1 << place
    readCheck(out, ACCESS[place])
  }
  record.closeField(out, tag, start)
}

function readCheck(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.SATISFY:
      return readWord(out, field.tag, SATISFY_WORD)
    case Type.PASSWORD:
      return readPassword(out, field.tag)
    case Type.EXTERNAL_AUTH:
      return readExternalAuth(out, field.tag)
    default:
      return readListId(out, field.tag, "The id of an address list is expected")
  }
}

/** Writes the checks of a field; false if they are damaged, or say something that must be understood and is not. */
export function showAccess(out: Buffer, name: string, field: usize): bool {
  const at = record.fieldValue(field)
  const end = record.nextField(field)
  if (!record.areFields(at, end) || hasUnknown(ACCESS, ACCESS, at, end)) return false
  writer.open(out, name)
  for (let check = at; check != end; check = record.nextField(check)) {
    const place = placeOfId(ACCESS, record.fieldId(check))
    if (place >= 0 && !showCheck(out, ACCESS[place], check)) return false
  }
  out.u8(0x7d)
  return true
}

function showCheck(out: Buffer, known: Field, field: usize): bool {
  if (known.type == Type.EXTERNAL_AUTH) return showExternalAuth(out, known.name, field)
  if (known.type == Type.PASSWORD) return showPassword(out, known.name, field)
  writer.member(out, known.name)
  if (known.type == Type.SATISFY) return showWord(out, SATISFY_WORD, field)
  writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}
