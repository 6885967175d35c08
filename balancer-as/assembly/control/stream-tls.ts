/** `tls` and `backend_tls` of a stream, or of a server name of one: JSON → a field with fields of its own → JSON. */
import { readArray, showArray } from "./array"
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { AUTHORITIES, CERTIFICATES } from "./kinds"
import { isId } from "./name-rules"
import { readNested, showObject, showText } from "./nested"
import * as numbers from "./numbers"
import { STREAM_BACKEND_TLS, STREAM_TLS, VERIFY_WORD } from "./tables"
import { readLine } from "./text"
import { readWord, showWord } from "./words"
import { MaxCount, Type } from "../ids"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

const CERTIFICATES_RULE: string = " has at most 4 ids"
const LINES_RULE: string = " has at most 16 items"

export function readStreamTls(out: Buffer, tag: u32): void {
  readNested(out, tag, STREAM_TLS, readField)
}

export function readStreamBackendTls(out: Buffer, tag: u32): void {
  readNested(out, tag, STREAM_BACKEND_TLS, readField)
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.IDS:
      return readArray(out, field, MaxCount.HOST_CERTIFICATES, CERTIFICATES_RULE, readCertificate)
    case Type.LINES:
      return readArray(out, field, MaxCount.STREAM_LINES, LINES_RULE, readFilled)
    case Type.VERIFY:
      return readWord(out, field.tag, VERIFY_WORD)
    case Type.ID:
      return readId(out, field, AUTHORITIES.rule)
    case Type.TEXT:
      return readFilled(out, field)
    default:
      return numbers.readField(out, field.tag, field.type)
  }
}

function readCertificate(out: Buffer, field: Field): void {
  readId(out, field, CERTIFICATES.rule)
}

/** Reads the id of a certificate or of an authority into a field. */
export function readId(out: Buffer, field: Field, rule: string): void {
  if (!reader.readText("An id is expected")) return
  if (!isId(reader.text, reader.length)) return error.fail(reader.offset, rule)
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Reads a line that is not empty into a field. */
export function readFilled(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (reader.length == 0) return error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showStreamTls(out: Buffer, field: usize): bool {
  return showObject(out, field, STREAM_TLS, showField)
}

/** As `showStreamTls`. */
export function showStreamBackendTls(out: Buffer, field: usize): bool {
  return showObject(out, field, STREAM_BACKEND_TLS, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  const type = known.type
  if (type == Type.IDS || type == Type.LINES) return showArray(out, known.id, field, end, showText)
  if (type == Type.VERIFY) return showWord(out, VERIFY_WORD, field)
  if (!numbers.isNumber(type)) return showText(out, field)
  numbers.show(out, type, field)
  return true
}
