/** `conditions` of a route: JSON → for each a field with fields of its own → JSON. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { Field } from "./field"
import { readNested, showObject, showText } from "./nested"
import { CONDITION, CONDITION_OF_WORD, VALUE_MATCH_WORD } from "./tables"
import { readLine } from "./text"
import { readWord, showWord } from "./words"
import * as words from "./words"
import * as reader from "../json/reader"
import * as record from "../record"
import { MaxCount, Type } from "../ids"
import * as writer from "../json/writer"

const METHOD: u32 = 1
const SCHEME: u32 = 4

/** What the condition that is read compares, and whether it says which of these. */
let kind: u32 = 0
let isNamed: bool = false

export function readConditions(out: Buffer, tag: u32): void {
  const offset = reader.place()
  let count = 0
  reader.enterArray()
  for (; reader.nextItem(); count++) {
    if (count == MaxCount.CONDITIONS) return error.fail(offset, "A route has at most 64 conditions")
    readCondition(out, tag)
  }
}

function readCondition(out: Buffer, tag: u32): void {
  isNamed = false
  readNested(out, tag, CONDITION, readField)
  if (!error.failed) checkName(reader.place())
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.CONDITION_OF:
      readWord(out, field.tag, CONDITION_OF_WORD)
      kind = words.number
      return
    case Type.VALUE_MATCH:
      return readWord(out, field.tag, VALUE_MATCH_WORD)
    default:
      return readText(out, field)
  }
}

function readText(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (field.type == Type.LINE) {
    if (reader.length == 0) return error.failField(reader.offset, field.name, " must not be empty")
    isNamed = true
  }
  record.putField(out, field.tag, reader.text, reader.length)
}

/** The name may stand before `of` or behind it: whether they fit is known at the end. */
function checkName(end: usize): void {
  const isOfPart = kind != METHOD && kind != SCHEME
  if (!isOfPart && isNamed) error.fail(end, "A condition of the method or the scheme has no name")
  else if (isOfPart && !isNamed) error.failField(end, "name", " is missing")
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showCondition(out: Buffer, field: usize): bool {
  return showObject(out, field, CONDITION, showField)
}

function showField(out: Buffer, known: Field, field: usize, _: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.CONDITION_OF) return showWord(out, CONDITION_OF_WORD, field)
  if (known.type == Type.VALUE_MATCH) return showWord(out, VALUE_MATCH_WORD, field)
  return showText(out, field)
}
