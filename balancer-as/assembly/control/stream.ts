/** What serves a port of TCP or UDP: JSON → write; record → JSON. */
import { readArray, showArray } from "./array"
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { hasUnknown, nextField, placeOfId } from "./fields"
import { STREAMS } from "./kinds"
import { readListId } from "./list-id"
import * as made from "./tls/made"
import { readName } from "./names"
import * as numbers from "./numbers"
import { readServerName, showServerName } from "./server-name"
import { readStreamBackendTls, readStreamTls, showStreamBackendTls, showStreamTls } from "./stream-tls"
import { PROXY_PROTOCOL_WORD, STREAM } from "./tables"
import { readLine } from "./text"
import { readWord, showWord } from "./words"
import { MaxCount, STREAM_VERSION, Type } from "../ids"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

let name: usize = 0
let nameLength: usize = 0

/** Reads a stream and adds the write that sets it. */
export function readStream(): void {
  let seen: u64 = 0
  made.begin(STREAM_VERSION)
  reader.enterObject()
  for (let place = nextField(STREAM, seen); place >= 0; place = nextField(STREAM, seen)) {
    seen |= (<u64>1) << place
    readField(made.value, STREAM[place])
  }
  if (!error.failed) made.set(STREAMS, name, nameLength)
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.NAME:
      readName(STREAMS)
      name = reader.text
      nameLength = reader.length
      return
    case Type.ID:
      return readListId(out, field.tag, "An id is expected")
    case Type.SERVER_NAMES:
      return readArray(out, field, MaxCount.SERVER_NAMES, " has at most 1024 names", readServerName)
    case Type.STREAM_TLS:
      return readStreamTls(out, field.tag)
    case Type.STREAM_BACKEND_TLS:
      return readStreamBackendTls(out, field.tag)
    case Type.PROXY_PROTOCOL:
      return readWord(out, field.tag, PROXY_PROTOCOL_WORD)
    default:
      return numbers.isNumber(field.type)
        ? numbers.readField(out, field.tag, field.type)
        : readText(out, field)
  }
}

function readText(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (field.type == Type.LABEL && reader.length == 0)
    return error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes a stream as it is in force; false if its record is damaged. */
export function showStream(out: Buffer, name: usize, nameLength: usize, at: usize, length: usize): bool {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(STREAM_VERSION, at, length) || hasUnknown(STREAM, STREAM, first, end)) return false
  out.literal('{"name":')
  writer.text(out, name, nameLength)
  let shown: u64 = 0
  for (let field = first; field != end; field = record.nextField(field)) {
    const place = placeOfId(STREAM, record.fieldId(field))
    if (place < 0 || (shown & ((<u64>1) << place)) != 0) continue
    shown |= (<u64>1) << place
    writer.member(out, STREAM[place].name)
    if (!showValue(out, STREAM[place], field, end)) return false
  }
  out.u8(0x7d)
  return true
}

/** Of those that are several fields, `field` is the first. */
function showValue(out: Buffer, known: Field, field: usize, end: usize): bool {
  const type = known.type
  if (type == Type.SERVER_NAMES) return showArray(out, known.id, field, end, showServerName)
  if (type == Type.STREAM_TLS) return showStreamTls(out, field)
  if (type == Type.STREAM_BACKEND_TLS) return showStreamBackendTls(out, field)
  if (type == Type.PROXY_PROTOCOL) return showWord(out, PROXY_PROTOCOL_WORD, field)
  if (numbers.isNumber(type)) numbers.show(out, type, field)
  else writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}
