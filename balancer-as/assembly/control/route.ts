/** One route of a host: JSON → fields of a record → JSON. */
import * as bytes from "../bytes"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { Field, Fields, nextField } from "./fields"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

/** Text that begins with a slash. */
const PATH: i32 = 0
/** u8, by its place in `MATCHES`. */
const MATCH: i32 = 1
/** Text that is not empty. */
const NAME: i32 = 2
const TEXT: i32 = 3
/** u16, 400 to 599. */
const STATUS: i32 = 4
/** i64, 1 to 2^31 − 1. */
const MILLISECONDS: i32 = 5
/** i64, 0 to 2^53. */
const BYTES: i32 = 6
/** An object of its own, whose fields go into the same record. */
const OVERRIDES: i32 = 7

const ROUTE: Fields = [
  new Field("path", PATH, true, 1),
  new Field("match", MATCH, true, 2),
  new Field("policy", NAME, true, 3),
  new Field("backend", NAME, true, 4),
  new Field("namespace", TEXT, false, 5),
  new Field("ingress_name", TEXT, false, 6),
  new Field("service_name", TEXT, false, 7),
  new Field("service_port", TEXT, false, 8),
  new Field("location_path", TEXT, false, 9),
  new Field("status", STATUS, false, 10),
  new Field("overrides", OVERRIDES),
]

const OVERRIDE: Fields = [
  new Field("proxy_connect_timeout_ms", MILLISECONDS, false, 32),
  new Field("proxy_send_timeout_ms", MILLISECONDS, false, 33),
  new Field("proxy_read_timeout_ms", MILLISECONDS, false, 34),
  new Field("client_max_body_size_bytes", BYTES, false, 35),
]

const MATCHES: StaticArray<string> = ["exact", "prefix"]

/** Adds the route's length and fields. */
export function readRoute(out: Buffer): void {
  const start = out.length
  out.u32(0)
  readFields(out, ROUTE)
  out.patch(start, <u32>(out.length - start - 4))
}

function readFields(out: Buffer, fields: Fields): void {
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(fields, seen); place >= 0; place = nextField(fields, seen)) {
    seen |= 1 << place
    readField(out, fields[place])
  }
}

function readField(out: Buffer, field: Field): void {
  switch (field.kind) {
    case MATCH:
      return putNumber(out, field, 1, readMatch())
    case STATUS:
      return putNumber(out, field, 2, reader.readInteger(400, 599, "A status from 400 to 599 is expected"))
    case MILLISECONDS:
      return putNumber(
        out,
        field,
        8,
        reader.readInteger(1, i32.MAX_VALUE, "Milliseconds from 1 to 2147483647 are expected"),
      )
    case BYTES:
      return putNumber(
        out,
        field,
        8,
        reader.readInteger(0, 1 << 53, "A number of bytes from 0 to 2^53 is expected"),
      )
    case OVERRIDES:
      return readFields(out, OVERRIDE)
    default:
      return readText(out, field)
  }
}

function putNumber(out: Buffer, field: Field, length: u32, number: u64): void {
  out.u32(record.fieldHead(field.id, length))
  store<u64>(out.extend(8), number)
  out.length -= 8 - length
}

function readText(out: Buffer, field: Field): void {
  if (!reader.readText("A text in quotes is expected")) return
  if (field.kind == PATH && (reader.length == 0 || load<u8>(reader.text) != 0x2f)) {
    return error.fail(reader.offset, "A path begins with a slash")
  }
  if (field.kind == NAME && reader.length == 0)
    return error.failField(reader.offset, field.name, " must not be empty")
  out.u32(record.fieldHead(field.id, reader.length))
  out.bytes(reader.text, reader.length)
}

function readMatch(): u64 {
  if (!reader.readText('"exact" or "prefix" is expected')) return 0
  for (let i = 0; i < MATCHES.length; i++) {
    if (bytes.is(reader.text, reader.length, MATCHES[i])) return i
  }
  error.fail(reader.offset, '"exact" or "prefix" is expected')
  return 0
}

/** Writes the route whose fields lie from `at` to `end`; false if they are damaged. */
export function showRoute(out: Buffer, at: usize, end: usize): bool {
  out.u8(0x7b)
  if (!showFields(out, ROUTE, at, end, "")) return false
  if (!showFields(out, OVERRIDE, at, end, ',"overrides":{')) return false
  out.u8(0x7d)
  return true
}

/** Writes those fields that are in the table; `opening` stands before the first one, if there is one. */
function showFields(out: Buffer, fields: Fields, at: usize, end: usize, opening: string): bool {
  let isFirst = true
  for (; at != end; at = record.nextField(at)) {
    if (!record.isField(at, end)) return false
    const field = fieldOf(fields, record.fieldId(at))
    if (!field) continue
    if (isFirst) out.literal(opening)
    else out.u8(0x2c)
    isFirst = false
    writer.key(out, field.name)
    showValue(out, field.kind, record.fieldValue(at), record.fieldLength(at))
  }
  if (!isFirst && opening.length > 0) out.u8(0x7d)
  return true
}

function fieldOf(fields: Fields, id: u32): Field | null {
  for (let i = 0; i < fields.length; i++) {
    if (fields[i].id == id) return fields[i]
  }
  return null
}

function showValue(out: Buffer, kind: i32, at: usize, length: usize): void {
  if (kind == PATH || kind == NAME || kind == TEXT) return writer.text(out, at, length)
  const number = readNumber(at, length)
  if (kind != MATCH) return out.number(number)
  out.u8(0x22)
  out.literal(MATCHES[<i32>min(number, 1)])
  out.u8(0x22)
}

/** Little endian. */
function readNumber(at: usize, length: usize): u64 {
  let number: u64 = 0
  for (let i: usize = 0; i < min(length, 8); i++) number |= (<u64>load<u8>(at + i)) << (i << 3)
  return number
}
