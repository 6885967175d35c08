/** `cookieSessionAffinity`: name and attributes of the cookie, and whose responses may issue it. */
import * as bytes from "../bytes"
import { Buffer } from "../buffer"
import { CookieFlag, Setting } from "../record"
import * as error from "../json/error"
import { Field, Fields, nextField } from "./fields"
import { isNegative, value } from "../json/number"
import { readAttribute, readToken } from "./text"
import { readLocations, showLocations } from "./locations"
import * as reader from "../json/reader"
import * as settings from "./settings"
import * as writer from "../json/writer"

const NAME: i32 = 0
/** i64, also in quotes. */
const SECONDS: i32 = 1
const ATTRIBUTE: i32 = 2
/** u8, by its place in `SAMESITES` and one more. */
const SAMESITE: i32 = 3
const LOCATIONS: i32 = 4
/** The bit of the cookie flags that is the field's id. */
const FLAG: i32 = 5

const COOKIE: Fields = [
  new Field("name", NAME, false, Setting.COOKIE_NAME),
  new Field("expires", SECONDS, false, Setting.COOKIE_EXPIRES),
  new Field("maxage", SECONDS, false, Setting.COOKIE_MAX_AGE),
  new Field("locations", LOCATIONS),
  new Field("secure", FLAG, false, CookieFlag.SECURE),
  new Field("path", ATTRIBUTE, false, Setting.COOKIE_PATH),
  new Field("domain", ATTRIBUTE, false, Setting.COOKIE_DOMAIN),
  new Field("samesite", SAMESITE, false, Setting.COOKIE_SAMESITE),
  new Field("conditional_samesite_none", FLAG, false, CookieFlag.CONDITIONAL_SAMESITE_NONE),
  new Field("change_on_failure", FLAG, false, CookieFlag.CHANGE_ON_FAILURE),
]

const SAMESITES: StaticArray<string> = ["None", "Lax", "Strict"]

/** Either way: more than three thousand years. */
const MAX_SECONDS: u64 = 100_000_000_000
const WANTED_SECONDS: string = "Seconds from -100000000000 to 100000000000 are expected"

export function readCookie(): void {
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(COOKIE, seen); place >= 0; place = nextField(COOKIE, seen)) {
    seen |= 1 << place
    if (!reader.skipNull()) readField(COOKIE[place])
  }
}

function readField(field: Field): void {
  switch (field.kind) {
    case NAME:
      return readToken(field)
    case SECONDS:
      return readSeconds(field)
    case ATTRIBUTE:
      return readAttribute(field)
    case SAMESITE:
      return readSamesite(field)
    case LOCATIONS:
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
    if (COOKIE[i].kind == LOCATIONS) showLocations(out, record)
    else showField(out, COOKIE[i])
  }
  out.u8(0x7d)
}

function showField(out: Buffer, field: Field): void {
  if (field.kind == FLAG) {
    if ((settings.number(Setting.COOKIE_FLAGS) & field.id) != 0) writer.isTrue(out, field.name)
  } else if (field.kind == NAME || field.kind == ATTRIBUTE) {
    settings.showText(out, field.name, field.id)
  } else if (settings.has(field.id)) {
    showNumber(out, field)
  }
}

function showNumber(out: Buffer, field: Field): void {
  const number = settings.number(field.id)
  writer.member(out, field.name)
  out.u8(0x22)
  if (field.kind == SECONDS) out.signed(number)
  else out.literal(SAMESITES[<i32>min(max(number, 1), SAMESITES.length) - 1])
  out.u8(0x22)
}
