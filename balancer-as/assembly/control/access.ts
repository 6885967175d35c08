/** Who may request the path of a route: JSON → a field with the checks' fields → JSON. */
import { readAccessRules, showAccessRule } from "./access-rules"
import { showArray } from "./array"
import { Buffer } from "../buffer"
import { readExternalAuth, showExternalAuth } from "./external-auth"
import { Field } from "./field"
import { readListId } from "./list-id"
import { readNested, showNested, showText } from "./nested"
import { readPassword, showPassword } from "./password"
import { ACCESS, SATISFY_WORD } from "./tables"
import { readWord, showWord } from "./words"
import { Type } from "../ids"
import * as writer from "../json/writer"

/** Adds a field with the fields of the checks. */
export function readAccess(out: Buffer, tag: u32): void {
  readNested(out, tag, ACCESS, readCheck)
}

function readCheck(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.SATISFY:
      return readWord(out, field.tag, SATISFY_WORD)
    case Type.PASSWORD:
      return readPassword(out, field.tag)
    case Type.EXTERNAL_AUTH:
      return readExternalAuth(out, field.tag)
    case Type.ACCESS_RULES:
      return readAccessRules(out, field)
    default:
      return readListId(out, field.tag, "The id of an address list is expected")
  }
}

/** Writes the member; false if its checks are damaged, or say something that must be understood and is not. */
export function showAccess(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, ACCESS, showCheck)
}

/** Of those that are several fields, `field` is the first. */
function showCheck(out: Buffer, known: Field, field: usize, end: usize): bool {
  if (known.type == Type.EXTERNAL_AUTH) return showExternalAuth(out, known.name, field)
  if (known.type == Type.PASSWORD) return showPassword(out, known.name, field)
  writer.member(out, known.name)
  if (known.type == Type.ACCESS_RULES) return showArray(out, known.id, field, end, showAccessRule)
  return known.type == Type.SATISFY ? showWord(out, SATISFY_WORD, field) : showText(out, field)
}
