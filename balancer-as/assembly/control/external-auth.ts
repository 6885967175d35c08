/** `external` of a route's access: JSON → a field with fields of its own → JSON. */
import { showArray } from "./array"
import { readBackendTls, showBackendTls } from "./backend-tls"
import { Buffer } from "../buffer"
import { readCacheDurations, showCacheDuration } from "./cache-durations"
import { Field } from "./field"
import { readNested, showNested, showText } from "./nested"
import * as numbers from "./numbers"
import { readHeaders, showHeaders } from "./pairs"
import { EXTERNAL_AUTH } from "./tables"
import { checkToken, putText, readFilled } from "./text"
import * as reader from "../json/reader"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readExternalAuth(out: Buffer, tag: u32): void {
  readNested(out, tag, EXTERNAL_AUTH, readField)
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.HEADERS:
      return readHeaders(out, field.tag)
    case Type.TOKEN:
      return readToken(out, field)
    case Type.TOKENS:
      return readTokens(out, field)
    case Type.CACHE_DURATIONS:
      return readCacheDurations(out, field.tag)
    case Type.MARK:
      return numbers.readField(out, field.tag, field.type)
    case Type.BACKEND_TLS:
      return readBackendTls(out, field.tag)
    default:
      return readText(out, field)
  }
}

function readTokens(out: Buffer, field: Field): void {
  reader.enterArray()
  while (reader.nextItem()) readToken(out, field)
}

function readToken(out: Buffer, field: Field): void {
  if (readFilled(field) && checkToken(field.name)) putText(out, field)
}

/** Labels and templates; none of them means anything when it is empty. */
function readText(out: Buffer, field: Field): void {
  if (readFilled(field)) putText(out, field)
}

/** Writes the member; false if its field is damaged. */
export function showExternalAuth(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, EXTERNAL_AUTH, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  if (known.type == Type.BACKEND_TLS) return showBackendTls(out, known.name, field)
  writer.member(out, known.name)
  switch (known.type) {
    case Type.HEADERS:
      return showHeaders(out, known.id, field, end)
    case Type.TOKENS:
      return showArray(out, known.id, field, end, showText)
    case Type.CACHE_DURATIONS:
      return showArray(out, known.id, field, end, showCacheDuration)
    case Type.MARK:
      numbers.show(out, known.type, field)
      return true
    default:
      return showText(out, field)
  }
}
