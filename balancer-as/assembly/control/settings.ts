/**
 * The settings of one backend, by their ids in a record (docs/wire.md 2): collected here while its JSON is read, or taken
 * from its record to be shown. So they stand in a record in one order, whatever the order of the JSON.
 */
import { Buffer } from "../buffer"
import * as record from "../record"
import { Setting, SETTING_BYTES, SETTING_TAGS, SETTINGS_END } from "../ids"
import * as writer from "../json/writer"

/** Per id: u32 address and u32 length of a text, or a number of up to 8 bytes. Texts stay where they were read. */
const VALUES: usize = memory.data(SETTINGS_END * 8, 8)
/** A bit for each id that has a value. */
let present: u32 = 0

/** Those that may come more than once, as the fields of a record. */
export const locations: Buffer = new Buffer()
export const alternatives: Buffer = new Buffer()

export function clear(): void {
  present = 0
  locations.clear()
  alternatives.clear()
}

/** Gives back what reading took. */
export function drop(): void {
  clear()
  locations.drop()
  alternatives.drop()
}

export function has(id: u32): bool {
  return (present & (1 << id)) != 0
}

/** None of the ids from `first` to `last` has a value any more. */
export function remove(first: u32, last: u32): void {
  for (let id = first; id <= last; id++) present &= ~(1 << id)
}

export function setNumber(id: u32, number: u64): void {
  present |= 1 << id
  store<u64>(valueOf(id), number)
}

export function setText(id: u32, at: usize, length: usize): void {
  setNumber(id, ((<u64>length) << 32) | at)
}

/** 0 if it has no value. */
export function number(id: u32): u64 {
  return has(id) ? load<u64>(valueOf(id)) : 0
}

function valueOf(id: u32): usize {
  return VALUES + ((<usize>id) << 3)
}

/** Of one that has a value. */
export function text(id: u32): usize {
  return load<u32>(valueOf(id))
}

export function textLength(id: u32): usize {
  return load<u32>(valueOf(id), 4)
}

/** Adds the fields of a record. */
export function put(out: Buffer): void {
  if (present == 0 && alternatives.length == 0) return
  for (let id: u32 = 1; id < SETTINGS_END; id++) {
    if (id == Setting.COOKIE_LOCATION) out.bytes(locations.at, locations.length)
    else if (id == Setting.ALTERNATIVE) out.bytes(alternatives.at, alternatives.length)
    else if (has(id)) putField(out, id)
  }
}

function putField(out: Buffer, id: u32): void {
  const bytes = <usize>SETTING_BYTES[id]
  const length = bytes == 0 ? textLength(id) : bytes
  record.putField(out, SETTING_TAGS[id], bytes == 0 ? text(id) : valueOf(id), length)
}

/** Takes the settings of a record that passed `isBackend`; of locations and alternatives only that there are some. */
export function take(at: usize): void {
  clear()
  for (
    let field = record.firstSetting(at);
    field != record.firstEndpoint(at);
    field = record.nextField(field)
  ) {
    takeField(record.fieldId(field), record.fieldValue(field), record.fieldLength(field))
  }
}

function takeField(id: u32, value: usize, length: usize): void {
  if (id == 0 || id >= SETTINGS_END) return
  const bytes = <usize>SETTING_BYTES[id]
  setText(id, value, length)
  if (bytes == 0) return
  store<u64>(valueOf(id), 0)
  memory.copy(valueOf(id), value, bytes)
}

export function showText(out: Buffer, name: string, id: u32): void {
  if (!has(id)) return
  writer.member(out, name)
  writer.text(out, text(id), textLength(id))
}
