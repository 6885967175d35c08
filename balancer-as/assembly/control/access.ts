/** Who may request the path of a route: JSON → a field with the checks' fields → JSON. */
import { readAccessRules, showAccessRule } from "./access-rules"
import { readArray, showArray } from "./array"
import { Buffer } from "../buffer"
import { readExternalAuth, showExternalAuth } from "./external-auth"
import { Field } from "./field"
import { readListId } from "./list-id"
import { readNested, showNested, showText } from "./nested"
import * as numbers from "./numbers"
import { readPassword, showPassword } from "./password"
import { ACCESS, SATISFY_WORD } from "./tables"
import { readWord, showWord } from "./words"
import { putText } from "./text"
import * as error from "../json/error"
import { MaxCount, Type } from "../ids"
import * as reader from "../json/reader"
import * as writer from "../json/writer"

const COUNTRY: string = 'The code of a country is expected, two capital letters in quotes, as "DE"'

/** Adds a field with the fields of the checks. */
export function readAccess(out: Buffer, tag: u32): void {
  readNested(out, tag, ACCESS, readCheck)
}

function readCheck(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.SATISFY:
      return readWord(out, field.tag, SATISFY_WORD)
    case Type.PASSWORD:
      return readPassword(out, field.tag)
    case Type.EXTERNAL_AUTH:
      return readExternalAuth(out, field.tag)
    case Type.ACCESS_RULES:
      return readAccessRules(out, field)
    case Type.COUNTRIES:
      return readArray(out, field, MaxCount.COUNTRIES, " has at most 300 items", readCountry)
    case Type.AS_NUMBERS:
      return readArray(out, field, MaxCount.AS_NUMBERS, " has at most 1024 items", readAsNumber)
    default:
      return readListId(out, field.tag, "The id of an address list is expected")
  }
}

function readCountry(out: Buffer, field: Field): void {
  if (reader.readText(COUNTRY) && !isCountry()) error.fail(reader.offset, COUNTRY)
  else putText(out, field)
}

/** Was the text that was read last two capital letters? */
function isCountry(): bool {
  return reader.length == 2 && isCapital(load<u8>(reader.text)) && isCapital(load<u8>(reader.text, 1))
}

function isCapital(byte: u8): bool {
  return byte >= 0x41 && byte <= 0x5a
}

function readAsNumber(out: Buffer, field: Field): void {
  numbers.readField(out, field.tag, Type.AS_NUMBER)
}

/** Writes the member; false if its checks are damaged, or say something that must be understood and is not. */
export function showAccess(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, ACCESS, showCheck)
}

/** Of those that are several fields, `field` is the first. */
function showCheck(out: Buffer, known: Field, field: usize, end: usize): bool {
  if (known.type == Type.EXTERNAL_AUTH) return showExternalAuth(out, known.name, field)
  if (known.type == Type.PASSWORD) return showPassword(out, known.name, field)
  writer.member(out, known.name)
  if (known.type == Type.ACCESS_RULES) return showArray(out, known.id, field, end, showAccessRule)
  if (known.type == Type.COUNTRIES) return showArray(out, known.id, field, end, showText)
  if (known.type == Type.AS_NUMBERS) return showArray(out, known.id, field, end, showAsNumber)
  return known.type == Type.SATISFY ? showWord(out, SATISFY_WORD, field) : showText(out, field)
}

function showAsNumber(out: Buffer, field: usize): bool {
  numbers.show(out, Type.AS_NUMBER, field)
  return true
}
