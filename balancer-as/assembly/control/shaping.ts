/** `trafficShapingPolicy`: which requests a backend takes that is an alternative of another. */
import { Buffer } from "../buffer"
import { Field, Fields, nextField } from "./fields"
import { readText, readToken } from "./text"
import * as reader from "../json/reader"
import { Setting } from "../record"
import * as settings from "./settings"
import * as writer from "../json/writer"

const WEIGHT: i32 = 0
const TOTAL: i32 = 1
/** Name of a header or cookie. */
const TOKEN: i32 = 2
const TEXT: i32 = 3
const SHAPING: Fields = [
  new Field("weight", WEIGHT),
  new Field("weightTotal", TOTAL),
  new Field("header", TOKEN, false, Setting.SHAPING_HEADER),
  new Field("headerValue", TEXT, false, Setting.SHAPING_HEADER_VALUE),
  new Field("headerPattern", TEXT, false, Setting.SHAPING_HEADER_PATTERN),
  new Field("cookie", TOKEN, false, Setting.SHAPING_COOKIE),
]

const MIN_TOTAL: i64 = 100
const MAX_WEIGHT: i64 = i32.MAX_VALUE
const MAX_NUMBER: u64 = 1 << 53

/** A policy that takes nothing, as ingress-nginx posts it with every backend, is none. */
export function readShaping(): void {
  let weight: i64 = 0
  let total: i64 = MIN_TOTAL
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(SHAPING, seen); place >= 0; place = nextField(SHAPING, seen)) {
    seen |= 1 << place
    if (reader.skipNull()) continue
    if (place == WEIGHT) weight = readWeight(0)
    else if (place == TOTAL) total = readWeight(MIN_TOTAL)
    else if (SHAPING[place].kind == TOKEN) readToken(SHAPING[place])
    else readText(SHAPING[place])
  }
  const takesSome = weight > 0 || settings.has(Setting.SHAPING_HEADER) || settings.has(Setting.SHAPING_COOKIE)
  if (takesSome) settings.setNumber(Setting.SHAPING_WEIGHT, weight | (total << 32))
  else settings.remove(Setting.SHAPING_WEIGHT, Setting.SHAPING_COOKIE)
}

function readWeight(lowest: i64): i64 {
  const number = reader.readSigned(MAX_NUMBER, "A whole number is expected")
  return min(max(number, lowest), MAX_WEIGHT)
}

export function showShaping(out: Buffer): void {
  if (!settings.has(Setting.SHAPING_WEIGHT)) return
  const weight = settings.number(Setting.SHAPING_WEIGHT)
  writer.open(out, "trafficShapingPolicy")
  writer.number(out, "weight", weight & u32.MAX_VALUE)
  writer.number(out, "weightTotal", weight >> 32)
  for (let i = 0; i < SHAPING.length; i++) {
    if (SHAPING[i].id != 0) settings.showText(out, SHAPING[i].name, SHAPING[i].id)
  }
  out.u8(0x7d)
}
