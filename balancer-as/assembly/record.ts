/** Records in the zones (docs/wire.md 2): where their parts stand, and whether bytes are such a record from end to end. */
import { BACKEND_VERSION, Setting, SETTING_BYTES, SETTINGS_END } from "./ids"
import { Buffer } from "./buffer"

/** Backend: u8 version · u8 algorithm · u16 flags · u32 number of endpoints · u32 bytes of settings · settings · endpoints. */
export const BACKEND_HEAD_BYTES: usize = 12
/** Head of the other records: u32 with the version in its low 8 bits and the length in the others; then fields to the end. */
export const HEAD_BYTES: usize = 4
/** Field: u32 with the tag in its low 8 bits and the length in the others, then the value. */
export const FIELD_HEAD_BYTES: usize = 4
/** Bit of a tag, besides the id: who does not know the field must not serve without it. */
export const CRITICAL: u32 = 0x80
/** Endpoint: u16 port · u16 weight · u8 kind (4 or 6) · 4 or 16 bytes of address. */
const ENDPOINT_HEAD_BYTES: usize = 5

/** Flags of a backend. */
export const NO_SERVER: u16 = 1

export function algorithm(record: usize): u8 {
  return load<u8>(record, 1)
}

export function flags(record: usize): u16 {
  return load<u16>(record, 2)
}

/** How many endpoints a backend has. */
export function count(record: usize): u32 {
  return load<u32>(record, 4)
}

/**
 * The settings lie from here to `firstEndpoint`:
 * `for (let at = firstSetting(record); at != firstEndpoint(record); at = nextField(at))`.
 */
export function firstSetting(record: usize): usize {
  return record + BACKEND_HEAD_BYTES
}

export function fieldId(field: usize): u32 {
  return load<u32>(field) & 0x7f
}

export function isCritical(field: usize): bool {
  return (load<u32>(field) & CRITICAL) != 0
}

export function fieldLength(field: usize): usize {
  return load<u32>(field) >> 8
}

export function fieldValue(field: usize): usize {
  return field + FIELD_HEAD_BYTES
}

export function nextField(field: usize): usize {
  return fieldValue(field) + fieldLength(field)
}

/** The first setting of this id, 0 if there is none. */
export function setting(record: usize, id: u32): usize {
  const end = firstEndpoint(record)
  for (let at = firstSetting(record); at != end; at = nextField(at)) if (fieldId(at) == id) return at
  return 0
}

/** The zone of the endpoint at this place: 0 not known, 1 that of the proxy, 2 another. */
export function zone(record: usize, index: u32): u8 {
  const zones = setting(record, Setting.ENDPOINT_ZONES)
  return zones == 0 || fieldLength(zones) != count(record) ? 0 : load<u8>(fieldValue(zones) + index)
}

/** The word before a field of this tag and length. */
export function fieldHead(tag: u32, length: usize): u32 {
  return tag | ((<u32>length) << 8)
}

/** Adds a field. */
export function putField(out: Buffer, tag: u32, at: usize, length: usize): void {
  out.u32(fieldHead(tag, length))
  out.bytes(at, length)
}

/** Begins a field whose length is not known yet. @returns for `closeField` */
export function openField(out: Buffer): usize {
  const start = out.length
  out.u32(0)
  return start
}

/** What was added since `openField` is the field's value. */
export function closeField(out: Buffer, tag: u32, start: usize): void {
  out.patch(start, fieldHead(tag, out.length - start - FIELD_HEAD_BYTES))
}

/** The next field with this id, at `field` or behind; `end` if there is none. */
export function nextOf(id: u32, field: usize, end: usize): usize {
  while (field != end && fieldId(field) != id) field = nextField(field)
  return field
}

export function firstEndpoint(record: usize): usize {
  return firstSetting(record) + settingsBytes(record)
}

function settingsBytes(record: usize): usize {
  return load<u32>(record, 8)
}

export function port(endpoint: usize): u16 {
  return load<u16>(endpoint)
}

export function weight(endpoint: usize): u16 {
  return load<u16>(endpoint, 2)
}

/** 4 or 6. */
export function kind(endpoint: usize): u8 {
  return load<u8>(endpoint, 4)
}

export function address(endpoint: usize): usize {
  return endpoint + ENDPOINT_HEAD_BYTES
}

export function nextEndpoint(endpoint: usize): usize {
  return address(endpoint) + addressBytes(kind(endpoint))
}

export function addressBytes(kind: u8): usize {
  return kind == 4 ? 4 : 16
}

/** Begins a record whose fields follow. */
export function begin(out: Buffer, version: u8): void {
  out.clear()
  out.u32(version)
}

/** All its fields are there. */
export function end(out: Buffer): void {
  out.patch(0, fieldHead(load<u8>(out.at), out.length - HEAD_BYTES))
}

/** Is this a whole record of this version, with fields from `HEAD_BYTES` to its end? Their values are not looked into. */
export function isRecord(version: u8, at: usize, length: usize): bool {
  if (length < HEAD_BYTES || load<u32>(at) != fieldHead(version, length - HEAD_BYTES)) return false
  return areFields(at + HEAD_BYTES, at + length)
}

/** Is this a backend record of our version, each setting and each endpoint whole and possible? */
export function isBackend(at: usize, length: usize): bool {
  if (length < BACKEND_HEAD_BYTES || load<u8>(at) != BACKEND_VERSION) return false
  if (settingsBytes(at) > length - BACKEND_HEAD_BYTES) return false
  return (
    areSettings(firstSetting(at), firstEndpoint(at)) &&
    areEndpoints(firstEndpoint(at), at + length, count(at))
  )
}

function areSettings(from: usize, end: usize): bool {
  let at = from
  while (at != end) {
    if (!isField(at, end) || !isSetting(at)) return false
    at = nextField(at)
  }
  return true
}

/** Do whole fields lie between `from` and `end`, and nothing else? */
export function areFields(from: usize, end: usize): bool {
  let at = from
  while (at != end) {
    if (!isField(at, end)) return false
    at = nextField(at)
  }
  return true
}

/** Does a whole field lie between `at` and `end`? */
function isField(at: usize, end: usize): bool {
  return end - at >= FIELD_HEAD_BYTES && fieldLength(at) <= end - fieldValue(at)
}

/** What we do not know is passed over, unless it is critical. */
function isSetting(field: usize): bool {
  const id = fieldId(field)
  if (id == 0 || id >= SETTINGS_END) return !isCritical(field)
  if (id == Setting.COOKIE_LOCATION) return isLocation(fieldValue(field), nextField(field))
  const wanted = <usize>SETTING_BYTES[id]
  return wanted == 0 || fieldLength(field) == wanted
}

/** Texts, each behind its length: a host and any number of paths. */
function isLocation(from: usize, end: usize): bool {
  let at = from
  do {
    if (end - at < 2 || <usize>load<u16>(at) > end - at - 2) return false
    at += 2 + <usize>load<u16>(at)
  } while (at != end)
  return true
}

function areEndpoints(from: usize, end: usize, count: u32): bool {
  let at = from
  for (let left = count; left > 0; left--) {
    if (at > end || end - at < ENDPOINT_HEAD_BYTES + 4 || !isEndpoint(at)) return false
    at = nextEndpoint(at)
  }
  return at == end
}

function isEndpoint(endpoint: usize): bool {
  return (kind(endpoint) == 4 || kind(endpoint) == 6) && port(endpoint) != 0 && weight(endpoint) != 0
}
