/** `slowStart` and `outlierEjection`: which endpoints get less than their share for a while. */
import { Buffer } from "../buffer"
import { Fields } from "./field"
import { nextField } from "./fields"
import * as numbers from "./numbers"
import * as reader from "../json/reader"
import { Setting } from "../ids"
import * as settings from "./settings"
import { OUTLIER_EJECTION, SLOW_START } from "./tables"
import * as writer from "../json/writer"

export function readSlowStart(): void {
  readNumbers(Setting.SLOW_START, SLOW_START)
}

export function readOutlierEjection(): void {
  readNumbers(Setting.OUTLIER_EJECTION, OUTLIER_EJECTION)
}

/** Each field of the table is a u32 of the setting. */
function readNumbers(id: u32, fields: Fields): void {
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(fields, seen); place >= 0; place = nextField(fields, seen)) {
    seen |= (<u64>1) << place
    settings.setNumber(id, settings.number(id) | (numbers.read(fields[place].type) << (place << 5)))
  }
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
