/** One route of a host: JSON → fields of a record → JSON. */
import { readAccess, showAccess } from "./access"
import { readActions, showActions } from "./actions"
import { showArray } from "./array"
import { readBackendTls, showBackendTls } from "./backend-tls"
import { readConditions, showCondition } from "./condition"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { readCors, showCors } from "./cors"
import { readLimits, showLimits } from "./limits"
import { Field } from "./field"
import { hasUnknown, placeOfId } from "./fields"
import { readNested } from "./nested"
import { isOverride, readOverrides, showOverrides } from "./overrides"
import * as numbers from "./numbers"
import { readHeaders, readVariables, showHeaders, showVariables } from "./pairs"
import { MATCH_WORD, OVERRIDES, ROUTE } from "./tables"
import { readFilled, readLine } from "./text"
import { readRedirect, showRedirect } from "./redirect"
import { readScript, showScript } from "./script/script"
import { readSplit, showWeightedBackend } from "./weighted-backend"
import { readWaf, showWaf } from "./waf"
import { readWord, showWord } from "./words"
import * as words from "./words"
import * as reader from "../json/reader"
import * as record from "../record"
import { MaxBytes, Type } from "../ids"
import * as writer from "../json/writer"

/** Kinds of a match. */
const EXACT: u32 = 0
const REGEX: u32 = 2
const PATTERN: u32 = 5

/** Of the route that is read: where its path stands in the body, how long it is, what it begins with, and how it is compared. */
let pathOffset: usize = 0
let pathLength: usize = 0
let first: u8 = 0
let match: u32 = 0

/** Adds a field with the route's fields. */
export function readRoute(out: Buffer, tag: u32): void {
  readNested(out, tag, ROUTE, readField)
  if (error.failed) return
  const isNamed = match == EXACT && first == 0x40
  if (match < PATTERN && first != 0x2f && !isNamed) error.fail(pathOffset, "A path begins with a slash")
  else if (pathLength == 0) error.failField(pathOffset, "path", " must not be empty")
  else if ((match == REGEX || match >= PATTERN) && pathLength > MaxBytes.TEXT)
    error.fail(pathOffset, "A pattern has at most 4096 bytes")
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.MATCH:
      readWord(out, field.tag, MATCH_WORD)
      match = words.number
      return
    case Type.TEMPLATE:
      return readTemplate(out, field)
    case Type.REDIRECT:
      return readRedirect(out, field.tag)
    case Type.VARIABLES:
      return readVariables(out, field.tag)
    case Type.HEADERS:
      return readHeaders(out, field.tag)
    case Type.ACCESS:
      return readAccess(out, field.tag)
    case Type.CORS:
      return readCors(out, field.tag)
    case Type.LIMITS:
      return readLimits(out, field.tag)
    case Type.CONDITIONS:
      return readConditions(out, field.tag)
    case Type.SPLIT:
      return readSplit(out, field.tag)
    case Type.SCRIPT:
      return readScript(out, field.tag)
    case Type.ACTIONS:
      return readActions(out, field.tag)
    case Type.WAF:
      return readWaf(out, field.tag)
    case Type.BACKEND_TLS:
      return readBackendTls(out, field.tag)
    case Type.OVERRIDES:
      return readOverrides(out)
    case Type.LINE:
      return readName(out, field)
    default:
      return numbers.isNumber(field.type)
        ? numbers.readField(out, field.tag, field.type)
        : readText(out, field)
  }
}

function readText(out: Buffer, field: Field): void {
  if (!reader.readText("A text in quotes is expected")) return
  if (field.type == Type.PATH) notePath()
  else if (field.type == Type.LABEL && reader.length == 0)
    error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

function notePath(): void {
  pathOffset = reader.offset
  pathLength = reader.length
  first = reader.length > 0 ? load<u8>(reader.text) : 0
}

function readTemplate(out: Buffer, field: Field): void {
  if (readLine(field.name)) record.putField(out, field.tag, reader.text, reader.length)
}

function readName(out: Buffer, field: Field): void {
  if (readFilled(field)) record.putField(out, field.tag, reader.text, reader.length)
}

/**
 * Writes the route whose fields lie from `at` to `end`; false if they are damaged. Posted again it makes the same record:
 * the order of the record is that of the JSON.
 */
export function showRoute(out: Buffer, at: usize, end: usize): bool {
  if (!record.areFields(at, end) || hasUnknown(ROUTE, OVERRIDES, at, end)) return false
  let shown: u64 = 0
  out.u8(0x7b)
  for (let field = at; field != end; field = record.nextField(field)) {
    const place = placeOf(record.fieldId(field))
    if (place < 0 || (shown & ((<u64>1) << place)) != 0) continue
    shown |= (<u64>1) << place
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
  switch (known.type) {
    case Type.REDIRECT:
      return showRedirect(out, known.name, field)
    case Type.VARIABLES:
      return showVariables(out, known.id, field, end)
    case Type.HEADERS:
      writer.member(out, known.name)
      return showHeaders(out, known.id, field, end)
    case Type.ACCESS:
      return showAccess(out, known.name, field)
    case Type.CORS:
      return showCors(out, known.name, field)
    case Type.LIMITS:
      return showLimits(out, known.name, field)
    case Type.CONDITIONS:
      writer.member(out, known.name)
      return showArray(out, known.id, field, end, showCondition)
    case Type.SPLIT:
      writer.member(out, known.name)
      return showArray(out, known.id, field, end, showWeightedBackend)
    case Type.SCRIPT:
      return showScript(out, known.name, field)
    case Type.ACTIONS:
      return showActions(out, known.name, field)
    case Type.WAF:
      return showWaf(out, known.name, field)
    case Type.BACKEND_TLS:
      return showBackendTls(out, known.name, field)
    case Type.OVERRIDES:
      showOverrides(out, field, end)
      return true
    default:
      writer.member(out, known.name)
      return showValue(out, known.type, field)
  }
}

function showValue(out: Buffer, type: i32, field: usize): bool {
  if (type == Type.MATCH) return showWord(out, MATCH_WORD, field)
  if (numbers.isNumber(type)) numbers.show(out, type, field)
  else writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}
