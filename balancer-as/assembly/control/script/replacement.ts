/** What a level replaces in responses, and in flags of cookies: JSON → a field with fields of its own → JSON. */
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import { Field } from "../field"
import { readNested, showObject, showText } from "../nested"
import * as numbers from "../numbers"
import { ReplacementField, Type } from "../../ids"
import { COOKIE_FLAGS, REPLACEMENT, SAME_SITE_CHANGE_WORD } from "../tables"
import { putText, readFilled, readLine } from "../text"
import { readWord, showWord } from "../words"
import * as reader from "../../json/reader"
import * as writer from "../../json/writer"

/** The fields that were read: a bit for each, by its id. Both kinds begin with the same three. */
let given: u32 = 0

export function readReplacement(out: Buffer, tag: u32): void {
  given = 0
  readNested(out, tag, REPLACEMENT, readField)
  if (!error.failed) checkFields("from")
}

export function readCookieFlags(out: Buffer, tag: u32): void {
  given = 0
  readNested(out, tag, COOKIE_FLAGS, readField)
  if (!error.failed) checkFields("cookie")
}

function readField(out: Buffer, field: Field): void {
  given |= bit(field.id)
  if (field.type == Type.SAME_SITE_CHANGE) readWord(out, field.tag, SAME_SITE_CHANGE_WORD)
  else if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else if (field.type == Type.STEP_PATTERN ? readFilled(field) : readLine(field.name)) putText(out, field)
}

/** @param text what the field of the text is called that is looked for */
function checkFields(text: string): void {
  const hasPattern = (given & bit(ReplacementField.PATTERN)) != 0
  const hasText = (given & bit(ReplacementField.FROM)) != 0
  if (hasText && hasPattern) error.failField(reader.place(), "pattern", " means nothing beside a text")
  else if (!hasText && !hasPattern) error.failField(reader.place(), text, " is missing")
  else if (hasText && (given & bit(ReplacementField.ANY_CASE)) != 0)
    error.failField(reader.place(), "any_case", " means nothing without a pattern")
}

function bit(id: u32): u32 {
  return 1 << id
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showReplacement(out: Buffer, field: usize): bool {
  return showObject(out, field, REPLACEMENT, showField)
}

/** As `showReplacement`. */
export function showCookieFlags(out: Buffer, field: usize): bool {
  return showObject(out, field, COOKIE_FLAGS, showField)
}

function showField(out: Buffer, known: Field, field: usize, _: usize): bool {
  writer.member(out, known.name)
  if (known.type == Type.SAME_SITE_CHANGE) return showWord(out, SAME_SITE_CHANGE_WORD, field)
  if (!numbers.isNumber(known.type)) return showText(out, field)
  numbers.show(out, known.type, field)
  return true
}
