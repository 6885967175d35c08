/** `trafficShapingPolicy`: which requests a backend takes that is an alternative of another. */
import { Buffer } from "../buffer"
import { Field } from "./field"
import { nextField } from "./fields"
import { readText, readToken } from "./text"
import * as reader from "../json/reader"
import { Setting, Type } from "../ids"
import * as settings from "./settings"
import { SHAPING } from "./tables"
import * as writer from "../json/writer"

const MIN_TOTAL: i64 = 100
const MAX_WEIGHT: i64 = i32.MAX_VALUE
const MAX_NUMBER: u64 = 1 << 53

/** One that takes nothing, as ingress-nginx posts it with every backend, is none. */
export function readShaping(): void {
  let weight: i64 = 0
  let total: i64 = MIN_TOTAL
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(SHAPING, seen); place >= 0; place = nextField(SHAPING, seen)) {
    seen |= (<u64>1) << place
    if (reader.skipNull()) continue
    const field = SHAPING[place]
    if (field.type == Type.SHAPING_WEIGHT) weight = readWeight(0)
    else if (field.type == Type.SHAPING_TOTAL) total = readWeight(MIN_TOTAL)
    else if (field.type == Type.TOKEN) readToken(field)
    else readText(field)
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
    if (isText(SHAPING[i])) settings.showText(out, SHAPING[i].name, SHAPING[i].id)
  }
  out.u8(0x7d)
}

function isText(field: Field): bool {
  return field.type == Type.TOKEN || field.type == Type.TEXT
}
