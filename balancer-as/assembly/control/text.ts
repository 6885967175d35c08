/** Reads texts of a backend's settings. None of them may bring anything into a header that does not belong there. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import * as reader from "../json/reader"
import { MaxBytes } from "../ids"
import * as record from "../record"
import * as settings from "./settings"

/** Reads a text without control characters. An empty one is no setting. */
export function readText(field: Field): void {
  if (readLine(field.name)) keep(field)
}

/** Reads a text of at most 4096 bytes without control characters; false after a failure. */
export function readLine(name: string): bool {
  if (!readAny()) return false
  if (reader.length > MaxBytes.TEXT) error.failField(reader.offset, name, " has at most 4096 bytes")
  else if (hasControl()) error.failField(reader.offset, name, " must not contain control characters")
  return !error.failed
}

/** As `readLine`, of a text that says nothing when it is empty. */
export function readFilled(field: Field): bool {
  if (readLine(field.name) && reader.length == 0)
    error.failField(reader.offset, field.name, " must not be empty")
  return !error.failed
}

/** Makes the text that was read the field's value. */
export function putText(out: Buffer, field: Field): void {
  record.putField(out, field.tag, reader.text, reader.length)
}

/** As `readText`, for an attribute of a cookie. */
export function readAttribute(field: Field): void {
  readText(field)
  if (!error.failed && has(0x3b)) error.failField(reader.offset, field.name, " must not contain a semicolon")
}

/** Reads the name of a header or cookie: a token of RFC 9110, with slash and colon as ingress-nginx takes them too. */
export function readToken(field: Field): void {
  if (readAny() && checkToken(field.name)) keep(field)
}

/** Fails unless the text that was read last is a token of at most 253 bytes. */
export function checkToken(name: string): bool {
  if (reader.length > MaxBytes.NAME) error.failField(reader.offset, name, " has at most 253 bytes")
  else if (!isToken())
    error.failField(reader.offset, name, " takes letters, digits and !#$%&'*+-.^_`|~/: only")
  return !error.failed
}

function readAny(): bool {
  return reader.readText("A text in quotes is expected")
}

function keep(field: Field): void {
  if (reader.length > 0) settings.setText(field.id, reader.text, reader.length)
}

/** Has the text that was read last a control character? */
export function hasControl(): bool {
  for (let i: usize = 0; i < reader.length; i++) {
    const byte = load<u8>(reader.text + i)
    if (byte < 0x20 || byte == 0x7f) return true
  }
  return false
}

function has(byte: u8): bool {
  return bytes.indexOf(reader.text, reader.length, byte) < reader.length
}

function isToken(): bool {
  for (let i: usize = 0; i < reader.length; i++) {
    if (!isTokenByte(load<u8>(reader.text + i))) return false
  }
  return true
}

/** All that is visible but `"(),;<=>?@[\]{}`. */
function isTokenByte(byte: u8): bool {
  if (byte <= 0x20 || byte >= 0x7f || byte == 0x22 || byte == 0x2c) return false
  if (byte == 0x28 || byte == 0x29 || byte == 0x7b || byte == 0x7d) return false
  return !((byte >= 0x3b && byte <= 0x40) || (byte >= 0x5b && byte <= 0x5d))
}
