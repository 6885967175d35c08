/** `backend_tls` of a route, of one of its backends or of who gets copies: JSON → a field with fields of its own → JSON. */
import { readArray, showArray } from "./array"
import { Buffer } from "../buffer"
import { Field } from "./field"
import { readNested, showNested, showText } from "./nested"
import * as numbers from "./numbers"
import { readFilled, readId } from "./stream-tls"
import { BACKEND_TLS, TLS_VERSION_WORD } from "./tables"
import { AUTHORITIES } from "./kinds"
import { readCiphers } from "./tls/ciphers"
import { readWord, showWord } from "./words"
import { MaxCount, Type } from "../ids"
import * as writer from "../json/writer"

const NAMES_RULE: string = " has at most 16 items"

export function readBackendTls(out: Buffer, tag: u32): void {
  readNested(out, tag, BACKEND_TLS, readField)
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.ID:
      return readId(out, field, AUTHORITIES.rule)
    case Type.LINES:
      return readArray(out, field, MaxCount.STREAM_LINES, NAMES_RULE, readFilled)
    case Type.CIPHERS:
      return readCiphers(out, field.tag)
    case Type.TLS_VERSION:
      return readWord(out, field.tag, TLS_VERSION_WORD)
    default:
      return numbers.readField(out, field.tag, field.type)
  }
}

/** Writes the member; false if its field is damaged, or says something that must be understood and is not. */
export function showBackendTls(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, BACKEND_TLS, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.LINES) return showArray(out, known.id, field, end, showText)
  if (known.type == Type.TLS_VERSION) return showWord(out, TLS_VERSION_WORD, field)
  if (!numbers.isNumber(known.type)) return showText(out, field)
  numbers.show(out, known.type, field)
  return true
}
