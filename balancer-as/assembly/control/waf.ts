/** `waf` of a route: JSON → a field with fields of its own → JSON. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { DIGEST_RULE, isDigest } from "./name-rules"
import { readNested, showNested, showText } from "./nested"
import * as numbers from "./numbers"
import { WAF } from "./tables"
import { putText, readFilled } from "./text"
import * as reader from "../json/reader"
import { MaxBytes, Type } from "../ids"
import * as writer from "../json/writer"

export function readWaf(out: Buffer, tag: u32): void {
  readNested(out, tag, WAF, readField)
}

function readField(out: Buffer, field: Field): void {
  if (numbers.isNumber(field.type)) return numbers.readField(out, field.tag, field.type)
  if (!readFilled(field)) return
  if (field.type == Type.RULES_DIGEST && !isDigest(reader.text, reader.length))
    return error.fail(reader.offset, DIGEST_RULE)
  if (field.type == Type.LABEL && reader.length > MaxBytes.OWNER)
    return error.failField(reader.offset, field.name, " has at most 1024 bytes")
  putText(out, field)
}

/** Writes the member; false if its field is damaged. */
export function showWaf(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, WAF, showValue)
}

function showValue(out: Buffer, known: Field, field: usize, _end: usize): bool {
  writer.member(out, known.name)
  if (!numbers.isNumber(known.type)) return showText(out, field)
  numbers.show(out, known.type, field)
  return true
}
