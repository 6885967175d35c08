/** One route of a host: JSON → fields of a record → JSON. */
import * as bytes from "../bytes"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { COUNT, FLAG, STATUS } from "./numbers"
import { Field, Fields, nextField, placeOfId } from "./fields"
import { isOverride, readOverrides, showOverrides } from "./overrides"
import { MAX_BYTES, readLine } from "./text"
import * as numbers from "./numbers"
import { readHeaders, readVariables, showHeaders, showVariables } from "./pairs"
import { readRedirect, showRedirect } from "./redirect"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

const TEXT: i32 = COUNT
/** Text that begins with a slash. */
const PATH: i32 = COUNT + 1
/** Text that is not empty. */
const NAME: i32 = COUNT + 2
const TEMPLATE: i32 = COUNT + 3
/** u8, by its place in `MATCHES`. */
const MATCH: i32 = COUNT + 4
const REDIRECT: i32 = COUNT + 5
/** These are any number of fields of one id. */
const VARIABLES: i32 = COUNT + 6
const HEADERS: i32 = COUNT + 7
/** An object of its own, whose fields go into the same record. */
const OVERRIDES: i32 = COUNT + 8

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
  new Field("redirect", REDIRECT, false, 11),
  new Field("https_redirect", REDIRECT, false, 12),
  new Field("rewrite", TEMPLATE, false, 13),
  new Field("log_rewrite", FLAG, false, 14),
  new Field("variables", VARIABLES, false, 15),
  new Field("headers", HEADERS, false, 16),
  new Field("overrides", OVERRIDES),
]

const MATCHES: StaticArray<string> = ["exact", "prefix", "regex"]
const WANTED_MATCH: string = '"exact", "prefix" or "regex" is expected'
const REGEX: u64 = 2

/** Of the route that is read: where its path stands in the body, how long it is, and how it is compared. */
let pathOffset: usize = 0
let pathLength: usize = 0
let match: u64 = 0

/** Adds the route's length and fields. */
export function readRoute(out: Buffer): void {
  const start = out.length
  out.u32(0)
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(ROUTE, seen); place >= 0; place = nextField(ROUTE, seen)) {
    seen |= 1 << place
    readField(out, ROUTE[place])
  }
  if (match == REGEX && pathLength > MAX_BYTES) error.fail(pathOffset, "A pattern has at most 4096 bytes")
  out.patch(start, <u32>(out.length - start - 4))
}

function readField(out: Buffer, field: Field): void {
  switch (field.kind) {
    case MATCH:
      return readMatch(out, field.id)
    case STATUS:
      return numbers.readField(out, field.id, STATUS)
    case FLAG:
      return readFlag(out, field.id)
    case TEMPLATE:
      return readTemplate(out, field)
    case REDIRECT:
      return readRedirect(out, field.id)
    case VARIABLES:
      return readVariables(out, field.id)
    case HEADERS:
      return readHeaders(out, field.id)
    case OVERRIDES:
      return readOverrides(out)
    default:
      return readText(out, field)
  }
}

function readText(out: Buffer, field: Field): void {
  if (!reader.readText("A text in quotes is expected")) return
  if (field.kind == PATH) notePath()
  else if (field.kind == NAME && reader.length == 0)
    error.failField(reader.offset, field.name, " must not be empty")
  putText(out, field.id)
}

function notePath(): void {
  pathOffset = reader.offset
  pathLength = reader.length
  if (reader.length == 0 || load<u8>(reader.text) != 0x2f)
    error.fail(pathOffset, "A path begins with a slash")
}

function readTemplate(out: Buffer, field: Field): void {
  if (readLine(field.name)) putText(out, field.id)
}

function putText(out: Buffer, id: u32): void {
  out.u32(record.fieldHead(id, reader.length))
  out.bytes(reader.text, reader.length)
}

function readMatch(out: Buffer, id: u32): void {
  if (!reader.readText(WANTED_MATCH)) return
  for (let i = 0; i < MATCHES.length; i++) {
    if (!bytes.is(reader.text, reader.length, MATCHES[i])) continue
    match = i
    return numbers.putField(out, id, 1, match)
  }
  error.fail(reader.offset, WANTED_MATCH)
}

/** What is false is absent. */
function readFlag(out: Buffer, id: u32): void {
  if (reader.readBool()) numbers.putField(out, id, 1, 1)
}

/**
 * Writes the route whose fields lie from `at` to `end`; false if they are damaged. Posted again it makes the same record:
 * the order of the record is that of the JSON.
 */
export function showRoute(out: Buffer, at: usize, end: usize): bool {
  if (!record.areFields(at, end)) return false
  let shown: u32 = 0
  out.u8(0x7b)
  for (let field = at; field != end; field = record.nextField(field)) {
    const place = placeOf(record.fieldId(field))
    if (place < 0 || (shown & (1 << place)) != 0) continue
    shown |= 1 << place
    if (!showField(out, ROUTE[place], field, end)) return false
  }
  out.u8(0x7d)
  return true
}

/** Overrides have ids of their own, but one place in the table: the last one. */
function placeOf(id: u32): i32 {
  return isOverride(id) ? ROUTE.length - 1 : placeOfId(ROUTE, id)
}

/** Of those that are several fields in the record, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  switch (known.kind) {
    case REDIRECT:
      return showRedirect(out, known.name, field)
    case VARIABLES:
      return showVariables(out, known.id, field, end)
    case HEADERS:
      return showHeaders(out, known.id, field, end)
    case OVERRIDES:
      showOverrides(out, field, end)
      return true
    default:
      writer.member(out, known.name)
      showValue(out, known.kind, field)
      return true
  }
}

function showValue(out: Buffer, kind: i32, field: usize): void {
  if (numbers.isNumber(kind)) return numbers.show(out, kind, field)
  if (kind != MATCH) return writer.text(out, record.fieldValue(field), record.fieldLength(field))
  out.u8(0x22)
  out.literal(MATCHES[<i32>min(numbers.ofField(field), REGEX)])
  out.u8(0x22)
}
