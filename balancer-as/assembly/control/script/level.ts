/** One of the `levels` of a script: JSON → a field with fields of its own → JSON. */
import { readArray, showArray } from "../array"
import { Buffer } from "../../buffer"
import { readErrorPage, showErrorPage } from "./error-page"
import { Field } from "../field"
import { readCookieFlags, readReplacement, showCookieFlags, showReplacement } from "./replacement"
import { readInputHeader, readResponseHeader, showInputHeader, showResponseHeader } from "./header"
import { readNested, showObject, showText } from "../nested"
import * as numbers from "../numbers"
import { LevelField, MaxCount, Type } from "../../ids"
import { readAssignment, readHeader, showHeaders } from "../pairs"
import { LEVEL, LOG_LEVEL_WORD } from "../tables"
import { checkToken, putText, readFilled, readLine } from "../text"
import { readWord, showWord } from "../words"
import * as writer from "../../json/writer"
import { readConnectionLimit, readRequestLimit, showConnectionLimit, showRequestLimit } from "./zone-limit"

const FEW: string = " has at most 256 items"

/** Adds a field with the level's fields. */
export function readLevel(out: Buffer, tag: u32): void {
  readNested(out, tag, LEVEL, readField)
}

function readField(out: Buffer, field: Field): void {
  if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else if (field.type == Type.LOG_LEVEL) readWord(out, field.tag, LOG_LEVEL_WORD)
  else if (isList(field.type)) readArray(out, field, MaxCount.LEVEL_ITEMS, FEW, readItem)
  else readText(out, field)
}

function isList(type: i32): bool {
  return type != Type.LINE && type != Type.TEMPLATE
}

function readItem(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.RESPONSE_HEADERS:
      return readResponseHeader(out, field.tag)
    case Type.INPUT_HEADERS:
      return readInputHeader(out, field.tag)
    case Type.HEADERS:
      return readHeader(out, field.tag)
    case Type.ERROR_PAGES:
      return readErrorPage(out, field.tag)
    case Type.REQUEST_LIMITS:
      return readRequestLimit(out, field.tag)
    case Type.CONNECTION_LIMITS:
      return readConnectionLimit(out, field.tag)
    case Type.ASSIGNMENTS:
      return readAssignment(out, field.tag)
    case Type.REPLACEMENTS:
      return readReplacement(out, field.tag)
    case Type.FLAGS_OF_COOKIES:
      return readCookieFlags(out, field.tag)
    default:
      return readToken(out, field)
  }
}

function readToken(out: Buffer, field: Field): void {
  if (readFilled(field) && checkToken(field.name)) putText(out, field)
}

/** An empty `default_type` says that there is none. */
function readText(out: Buffer, field: Field): void {
  const isThere = field.id == LevelField.DEFAULT_TYPE ? readLine(field.name) : readFilled(field)
  if (isThere) putText(out, field)
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showLevel(out: Buffer, field: usize): bool {
  return showObject(out, field, LEVEL, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  switch (known.type) {
    case Type.RESPONSE_HEADERS:
      return showArray(out, known.id, field, end, showResponseHeader)
    case Type.INPUT_HEADERS:
      return showArray(out, known.id, field, end, showInputHeader)
    case Type.HEADERS:
    case Type.ASSIGNMENTS:
      return showHeaders(out, known.id, field, end)
    case Type.ERROR_PAGES:
      return showArray(out, known.id, field, end, showErrorPage)
    case Type.REQUEST_LIMITS:
      return showArray(out, known.id, field, end, showRequestLimit)
    case Type.CONNECTION_LIMITS:
      return showArray(out, known.id, field, end, showConnectionLimit)
    case Type.REPLACEMENTS:
      return showArray(out, known.id, field, end, showReplacement)
    case Type.FLAGS_OF_COOKIES:
      return showArray(out, known.id, field, end, showCookieFlags)
    case Type.TOKENS:
      return showArray(out, known.id, field, end, showText)
    case Type.MARK:
    case Type.FLAG:
    case Type.STATUS:
      numbers.show(out, known.type, field)
      return true
    case Type.LOG_LEVEL:
      return showWord(out, LOG_LEVEL_WORD, field)
    default:
      return showText(out, field)
  }
}
