/** `slowStart` and `outlierEjection`: which endpoints get less than their share for a while. */
import { Buffer } from "../buffer"
import { Field, Fields, nextField } from "./fields"
import * as reader from "../json/reader"
import { Setting } from "../record"
import * as settings from "./settings"
import * as writer from "../json/writer"

const MILLISECONDS: i32 = 0
const FAILURES: i32 = 1

const SLOW_START: Fields = [new Field("window_ms", MILLISECONDS, true)]
const OUTLIER_EJECTION: Fields = [
  new Field("failures", FAILURES, true),
  new Field("ejection_ms", MILLISECONDS, true),
]

const MAX_FAILURES: u64 = 1000

export function readSlowStart(): void {
  readNumbers(Setting.SLOW_START, SLOW_START)
}

export function readOutlierEjection(): void {
  readNumbers(Setting.OUTLIER_EJECTION, OUTLIER_EJECTION)
}

/** Each field of the table is a u32 of the setting. */
function readNumbers(id: u32, fields: Fields): void {
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(fields, seen); place >= 0; place = nextField(fields, seen)) {
    seen |= 1 << place
    settings.setNumber(id, settings.number(id) | (readNumber(fields[place].kind) << (place << 5)))
  }
}

function readNumber(kind: i32): u64 {
  if (kind == FAILURES)
    return reader.readInteger(1, MAX_FAILURES, "A number of failures from 1 to 1000 is expected")
  return reader.readInteger(1, i32.MAX_VALUE, "Milliseconds from 1 to 2147483647 are expected")
}

export function showHealth(out: Buffer): void {
  showNumbers(out, "slowStart", Setting.SLOW_START, SLOW_START)
  showNumbers(out, "outlierEjection", Setting.OUTLIER_EJECTION, OUTLIER_EJECTION)
}

function showNumbers(out: Buffer, name: string, id: u32, fields: Fields): void {
  if (!settings.has(id)) return
  writer.open(out, name)
  for (let i = 0; i < fields.length; i++) {
    writer.number(out, fields[i].name, (settings.number(id) >> (i << 5)) & u32.MAX_VALUE)
  }
  out.u8(0x7d)
}
