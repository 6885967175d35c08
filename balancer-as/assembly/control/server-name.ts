/** `names` of a stream: JSON → for each a field with fields of its own → JSON. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { isHost } from "./name-rules"
import { readNested, showObject, showText } from "./nested"
import { readStreamBackendTls, readStreamTls, showStreamBackendTls, showStreamTls } from "./stream-tls"
import { SERVER_NAME } from "./tables"
import { readLine } from "./text"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readServerName(out: Buffer, field: Field): void {
  readNested(out, field.tag, SERVER_NAME, readField)
}

function readField(out: Buffer, field: Field): void {
  if (field.type == Type.STREAM_TLS) return readStreamTls(out, field.tag)
  if (field.type == Type.STREAM_BACKEND_TLS) return readStreamBackendTls(out, field.tag)
  if (!readLine(field.name)) return
  if (field.type == Type.HOST_NAME && !isHost(reader.text, reader.length))
    return error.failField(
      reader.offset,
      field.name,
      ' is no host: a name in lower case, "*." or "**." and a name, or "_"',
    )
  if (field.type == Type.LABEL && reader.length == 0)
    return error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showServerName(out: Buffer, field: usize): bool {
  return showObject(out, field, SERVER_NAME, showField)
}

function showField(out: Buffer, known: Field, field: usize, _: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.STREAM_TLS) return showStreamTls(out, field)
  if (known.type == Type.STREAM_BACKEND_TLS) return showStreamBackendTls(out, field)
  return showText(out, field)
}
