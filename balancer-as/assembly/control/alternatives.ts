/** `alternativeBackends`: names of the backends that may take this one's place, in the order in which they are asked. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { BACKENDS } from "./kinds"
import * as reader from "../json/reader"
import * as record from "../record"
import { Setting, SETTING_TAGS } from "../ids"
import * as settings from "./settings"
import * as skip from "../json/skip"
import * as writer from "../json/writer"

export function readAlternatives(): void {
  const names = skip.newScope()
  reader.enterArray()
  while (reader.nextItem()) {
    if (!reader.readText(BACKENDS.wanted)) return
    if (!BACKENDS.isName(reader.text, reader.length)) return error.fail(reader.offset, BACKENDS.rule)
    if (!skip.isNew(names)) return failTwice()
    const tag = SETTING_TAGS[Setting.ALTERNATIVE]
    record.putField(settings.alternatives, tag, reader.text, reader.length)
  }
}

function failTwice(): void {
  error.failNaming(reader.offset, "The alternative ", reader.text, reader.length, " is named twice")
}

export function showAlternatives(out: Buffer, at: usize): void {
  if (!settings.has(Setting.ALTERNATIVE)) return
  let isFirst = true
  writer.member(out, "alternativeBackends")
  for (
    let field = record.firstSetting(at);
    field != record.firstEndpoint(at);
    field = record.nextField(field)
  ) {
    if (record.fieldId(field) != Setting.ALTERNATIVE) continue
    out.u8(isFirst ? 0x5b : 0x2c)
    isFirst = false
    writer.text(out, record.fieldValue(field), record.fieldLength(field))
  }
  out.u8(0x5d)
}
