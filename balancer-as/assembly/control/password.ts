/** What a check of passwords goes by, in what a route says of access: JSON → a field with fields of its own → JSON. */
import { Buffer } from "../buffer"
import { Field } from "./field"
import { readListId } from "./list-id"
import { readNested, showNested, showText } from "./nested"
import { PASSWORD } from "./tables"
import { readLine } from "./text"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readPassword(out: Buffer, tag: u32): void {
  readNested(out, tag, PASSWORD, readField)
}

function readField(out: Buffer, field: Field): void {
  if (field.type == Type.ID) readListId(out, field.tag, "The id of a user list is expected")
  else if (readLine(field.name)) record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes the member; false if its field is damaged, or says something that must be understood and is not. */
export function showPassword(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, PASSWORD, showField)
}

function showField(out: Buffer, known: Field, field: usize, _: usize): bool {
  writer.member(out, known.name)
  return showText(out, field)
}
