/** `cookieSessionAffinity`: name and attributes of the cookie, and whose responses may issue it. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { Buffer } from "../buffer"
import { Setting, Type } from "../ids"
import * as error from "../json/error"
import { Field } from "./field"
import { nextField } from "./fields"
import { isNegative, value } from "../json/number"
import { readAttribute, readToken } from "./text"
import { readLocations, showLocations } from "./locations"
import * as reader from "../json/reader"
import * as settings from "./settings"
import { COOKIE, SAMESITE_WORD } from "./tables"
import * as writer from "../json/writer"

const SAMESITES: StaticArray<string> = SAMESITE_WORD.words

/** Either way: more than three thousand years. */
const MAX_SECONDS: u64 = 100_000_000_000
const WANTED_SECONDS: string = "Seconds from -100000000000 to 100000000000 are expected"

export function readCookie(): void {
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(COOKIE, seen); place >= 0; place = nextField(COOKIE, seen)) {
    seen |= (<u64>1) << place
    if (!reader.skipNull()) readField(COOKIE[place])
  }
}

function readField(field: Field): void {
  switch (field.type) {
    case Type.TOKEN:
      return readToken(field)
    case Type.SECONDS:
      return readSeconds(field)
    case Type.ATTRIBUTE:
      return readAttribute(field)
    case Type.SAMESITE:
      return readSamesite(field)
    case Type.LOCATIONS:
      return readLocations()
    default:
      return readFlag(field)
  }
}

function readFlag(field: Field): void {
  if (!reader.readBool()) return
  settings.setNumber(Setting.COOKIE_FLAGS, settings.number(Setting.COOKIE_FLAGS) | field.id)
}

/** A number, or (as ingress-nginx posts it) the same in quotes; an empty text is none. */
function readSeconds(field: Field): void {
  if (reader.next() != 0x22) {
    return settings.setNumber(field.id, reader.readSigned(MAX_SECONDS, WANTED_SECONDS))
  }
  if (!reader.readText(WANTED_SECONDS) || reader.length == 0) return
  if (!reader.isTextNumber() || value > MAX_SECONDS) return error.fail(reader.offset, WANTED_SECONDS)
  settings.setNumber(field.id, isNegative ? -(<i64>value) : value)
}

/** A browser would take another spelling too, but ingress-nginx leaves the attribute out. */
function readSamesite(field: Field): void {
  if (!reader.readText("A text in quotes is expected")) return
  for (let i = 0; i < SAMESITES.length; i++) {
    if (bytes.is(reader.text, reader.length, SAMESITES[i])) settings.setNumber(field.id, i + 1)
  }
}

/** @param record whose locations are shown */
export function showCookie(out: Buffer, record: usize): void {
  writer.open(out, "cookieSessionAffinity")
  for (let i = 0; i < COOKIE.length; i++) {
    if (COOKIE[i].type == Type.LOCATIONS) showLocations(out, record)
    else showField(out, COOKIE[i])
  }
  out.u8(0x7d)
}

function showField(out: Buffer, field: Field): void {
  if (field.type == Type.COOKIE_FLAG) {
    if ((settings.number(Setting.COOKIE_FLAGS) & field.id) != 0) writer.isTrue(out, field.name)
  } else if (field.type == Type.TOKEN || field.type == Type.ATTRIBUTE) {
    settings.showText(out, field.name, field.id)
  } else if (settings.has(field.id)) {
    showNumber(out, field)
  }
}

function showNumber(out: Buffer, field: Field): void {
  const number = settings.number(field.id)
  writer.member(out, field.name)
  out.u8(0x22)
  if (field.type == Type.SECONDS) out.signed(number)
  else out.literal(SAMESITES[<i32>min(max(number, 1), SAMESITES.length) - 1])
  out.u8(0x22)
}
