/** Records in the zones (docs/wire.md 2): where their parts stand, and whether bytes are such a record from end to end. */
import { BACKEND_VERSION, HOST_VERSION, Setting, SETTING_BYTES, SETTINGS_END } from "./ids"

/** Backend: u8 version · u8 algorithm · u16 flags · u32 number of endpoints · u32 bytes of settings · settings · endpoints. */
export const BACKEND_HEAD_BYTES: usize = 12
/** Setting, and field of a host or a route: u32 with the id in its low 8 bits and the length in the others, then the value. */
export const FIELD_HEAD_BYTES: usize = 4
/** Endpoint: u16 port · u16 weight · u8 kind (4 or 6) · 4 or 16 bytes of address. */
const ENDPOINT_HEAD_BYTES: usize = 5
/** Host: u8 version · u8 0 · u16 0 · u32 number of routes · u32 bytes of its own fields · those; per route u32 length, then its fields. */
export const HOST_HEAD_BYTES: usize = 12

/** Flags of a backend. */
export const NO_SERVER: u16 = 1

export function algorithm(record: usize): u8 {
  return load<u8>(record, 1)
}

export function flags(record: usize): u16 {
  return load<u16>(record, 2)
}

/** How many endpoints a backend has, or routes a host. */
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
  return load<u32>(field) & 0xff
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

/** The word before a field of this id and length. */
export function fieldHead(id: u32, length: usize): u32 {
  return id | ((<u32>length) << 8)
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

/** The fields of a host itself lie from here to `firstRoute`. */
export function firstOwn(host: usize): usize {
  return host + HOST_HEAD_BYTES
}

export function firstRoute(host: usize): usize {
  return firstOwn(host) + <usize>load<u32>(host, 8)
}

/** Is this a host record of our version, whose own fields end within it? Neither they nor the routes are looked into. */
export function isHost(at: usize, length: usize): bool {
  if (length < HOST_HEAD_BYTES || load<u8>(at) != HOST_VERSION) return false
  return <usize>load<u32>(at, 8) <= length - HOST_HEAD_BYTES
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

/** Ids that we do not know are passed over. */
function isSetting(field: usize): bool {
  const id = fieldId(field)
  if (id == Setting.COOKIE_LOCATION) return isLocation(fieldValue(field), nextField(field))
  const wanted = id < SETTINGS_END ? <usize>SETTING_BYTES[id] : 0
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
