/** `locations` of a cookie: host → location paths, a field of the record for each host that has one. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { hasControl } from "./text"
import { MaxBytes, Setting, SETTING_TAGS } from "../ids"
import * as reader from "../json/reader"
import * as record from "../record"
import * as settings from "./settings"
import * as skip from "../json/skip"
import * as writer from "../json/writer"

export function readLocations(): void {
  const hosts = skip.newScope()
  reader.enterObject()
  while (reader.nextKey()) {
    if (!skip.isNew(hosts)) return skip.failTwice()
    if (reader.length == 0 || reader.length > MaxBytes.NAME || hasControl()) {
      return error.fail(reader.offset, "A host has 1 to 253 bytes and no control characters")
    }
    readHost(settings.locations)
  }
}

/** One without paths is left out: nothing of it may issue the cookie. */
function readHost(out: Buffer): void {
  const start = record.openField(out)
  putText(out)
  const hostEnd = out.length
  if (!reader.skipNull()) readPaths(out)
  if (out.length == hostEnd) out.length = start
  else record.closeField(out, SETTING_TAGS[Setting.COOKIE_LOCATION], start)
}

function readPaths(out: Buffer): void {
  reader.enterArray()
  while (reader.nextItem()) {
    if (!reader.readText("A path in quotes is expected")) return
    if (reader.length > MaxBytes.PATH) return error.fail(reader.offset, "A path has at most 65535 bytes")
    putText(out)
  }
}

function putText(out: Buffer): void {
  out.u16(<u16>reader.length)
  out.bytes(reader.text, reader.length)
}

export function showLocations(out: Buffer, at: usize): void {
  if (!settings.has(Setting.COOKIE_LOCATION)) return
  writer.open(out, "locations")
  for (
    let field = record.firstSetting(at);
    field != record.firstEndpoint(at);
    field = record.nextField(field)
  ) {
    if (record.fieldId(field) == Setting.COOKIE_LOCATION) showHost(out, field)
  }
  out.u8(0x7d)
}

function showHost(out: Buffer, field: usize): void {
  let at = record.fieldValue(field)
  const end = record.nextField(field)
  writer.comma(out)
  at = showText(out, at)
  out.literal(":[")
  for (let isFirst = true; at != end; isFirst = false) {
    if (!isFirst) out.u8(0x2c)
    at = showText(out, at)
  }
  out.u8(0x5d)
}

/** Returns the address behind the text. */
function showText(out: Buffer, at: usize): usize {
  const length = <usize>load<u16>(at)
  writer.text(out, at + 2, length)
  return at + 2 + length
}
