/** `steps` of a script: JSON → for each a field with fields of its own → JSON. */
import { readArray } from "../array"
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import { Field } from "../field"
import { readNested, showObject, showText } from "../nested"
import * as numbers from "../numbers"
import { MaxBytes, MaxCount, StepField, Type } from "../../ids"
import { readVariableName } from "../pairs"
import { REWRITE_FLAG_WORD, STEP, STEP_OP_WORD, STEP_TEST_WORD } from "../tables"
import { putText } from "../text"
import { readWord, showWord } from "../words"
import * as words from "../words"
import * as reader from "../../json/reader"
import * as writer from "../../json/writer"

const RETURN: u32 = 4
const URL_RULE: string = "A URL goes with the status 301, 302, 303, 307 or 308"

/** What a step of each kind must have, and may have: a bit for each field, by its id. */
const NEEDED: StaticArray<u32> = [
  0,
  bit(StepField.NAME) | bit(StepField.VALUE),
  bit(StepField.VALUE) | bit(StepField.TEST),
  bit(StepField.PATTERN) | bit(StepField.VALUE),
  bit(StepField.CODE),
  0,
]
const ALLOWED: StaticArray<u32> = [
  0,
  0,
  bit(StepField.SKIP) | bit(StepField.LEVEL),
  bit(StepField.FLAG) | bit(StepField.DROPS_ARGS),
  bit(StepField.VALUE) | bit(StepField.IS_URL),
  0,
]
/** What the test of an `if` compares with. */
const COMPARED: StaticArray<u32> = [
  0,
  0,
  bit(StepField.AGAINST),
  bit(StepField.AGAINST),
  bit(StepField.PATTERN),
  bit(StepField.PATTERN),
  bit(StepField.PATTERN),
  bit(StepField.PATTERN),
]

function bit(id: u32): u32 {
  return 1 << id
}

/** The largest number of a level that a step of the script names; 0: none does. */
export let highestLevel: u32 = 0

/** Steps of the script so far, and how many there have to be at least. */
let count: u32 = 0
let wanted: u32 = 0

/** Of the step that is read: its kind, its test, and the fields that it has. */
let op: u32 = 0
let test: u32 = 0
let given: u32 = 0
let code: u64 = 0

/** Before a script is read. */
export function clear(): void {
  count = 0
  wanted = 0
  highestLevel = 0
}

export function readSteps(out: Buffer, field: Field): void {
  readArray(out, field, MaxCount.STEPS, " has at most 256 steps", readStep)
  if (wanted > count) error.fail(reader.place(), "A step passes over more steps than there are behind it")
}

function readStep(out: Buffer, list: Field): void {
  count++
  op = 0
  test = 0
  given = 0
  readNested(out, list.tag, STEP, readField)
  if (!error.failed) checkFields(reader.place())
}

function readField(out: Buffer, field: Field): void {
  given |= bit(field.id)
  switch (field.type) {
    case Type.STEP_OP:
      readWord(out, field.tag, STEP_OP_WORD)
      op = words.number
      return
    case Type.STEP_TEST:
      readWord(out, field.tag, STEP_TEST_WORD)
      test = words.number
      return
    case Type.REWRITE_FLAG:
      return readWord(out, field.tag, REWRITE_FLAG_WORD)
    case Type.VARIABLE_NAME:
      if (readVariableName()) putText(out, field)
      return
    case Type.RETURN_CODE:
      return readCode(out, field)
    case Type.STEP_SKIP:
    case Type.STEP_LEVEL:
      return readPlace(out, field)
    default:
      return numbers.isNumber(field.type)
        ? numbers.readField(out, field.tag, field.type)
        : readText(out, field)
  }
}

/** Where a step leads. */
function readPlace(out: Buffer, field: Field): void {
  const number = <u32>numbers.read(field.type)
  if (error.failed) return
  if (field.type == Type.STEP_LEVEL) highestLevel = max(highestLevel, number)
  else wanted = max(wanted, count + number)
  numbers.putField(out, field.tag, field.type == Type.STEP_LEVEL ? 1 : 2, number)
}

function readCode(out: Buffer, field: Field): void {
  code = numbers.read(field.type)
  numbers.putField(out, field.tag, 2, code)
}

/** Any characters: a body may have lines. */
function readText(out: Buffer, field: Field): void {
  if (!reader.readText("A text in quotes is expected")) return
  if (reader.length > MaxBytes.TEXT) error.failField(reader.offset, field.name, " has at most 4096 bytes")
  else if (reader.length == 0 && field.type == Type.STEP_PATTERN)
    error.failField(reader.offset, field.name, " must not be empty")
  else putText(out, field)
}

/** Fields come in any order: whether they fit is known at the end. */
function checkFields(end: usize): void {
  const isUrl = (given & bit(StepField.IS_URL)) != 0
  const needed = bit(StepField.OP) | NEEDED[op] | COMPARED[test] | (isUrl ? bit(StepField.VALUE) : 0)
  const missing = needed & ~given
  const idle = given & ~(needed | ALLOWED[op])
  if (missing != 0) error.failField(end, nameOf(missing), " is missing")
  else if (idle != 0) error.failField(end, nameOf(idle), " means nothing in this step")
  else if (isUrl && op == RETURN && !leads(code)) error.fail(end, URL_RULE)
}

/** Whether nginx sends such a status with a `Location`. Source: ngx_http_send_response. */
function leads(code: u64): bool {
  return (code >= 301 && code <= 303) || code == 307 || code == 308
}

/** That of the field with the lowest of these ids. */
function nameOf(ids: u32): string {
  for (let i = 0; i < STEP.length; i++) if (STEP[i].id == <u32>ctz(ids)) return STEP[i].name
  return ""
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showStep(out: Buffer, field: usize): bool {
  return showObject(out, field, STEP, showField)
}

function showField(out: Buffer, known: Field, field: usize, _: usize): bool {
  writer.member(out, known.name)
  switch (known.type) {
    case Type.STEP_OP:
      return showWord(out, STEP_OP_WORD, field)
    case Type.STEP_TEST:
      return showWord(out, STEP_TEST_WORD, field)
    case Type.REWRITE_FLAG:
      return showWord(out, REWRITE_FLAG_WORD, field)
    default:
      if (!numbers.isNumber(known.type)) return showText(out, field)
      numbers.show(out, known.type, field)
      return true
  }
}
