/** One endpoint of a backend: JSON → record → JSON. */
import * as address from "../address"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { nextField } from "./fields"
import { isNegative, value } from "../json/number"
import * as reader from "../json/reader"
import * as record from "../record"
import * as numbers from "./numbers"
import * as words from "./words"
import { ENDPOINT, ZONE_WORD } from "./tables"
import { Type } from "../ids"

const WANTED_PORT: string = "A port from 1 to 65535 is expected"

/** Returns the number of the zone's word, which the record has in a setting. */
export function readEndpoint(out: Buffer): u8 {
  let zone: u8 = 0
  let kind: u8 = 0
  let port: u64 = 0
  let weight: u64 = 1
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(ENDPOINT, seen); place >= 0; place = nextField(ENDPOINT, seen)) {
    seen |= (<u64>1) << place
    const type = ENDPOINT[place].type
    if (type == Type.ADDRESS) kind = readAddress()
    else if (type == Type.PORT) port = readPort()
    else if (type == Type.ZONE) zone = <u8>words.read(ZONE_WORD)
    else weight = numbers.read(type)
  }
  if (!error.failed) put(out, <u16>port, <u16>weight, kind)
  return zone
}

function put(out: Buffer, port: u16, weight: u16, kind: u8): void {
  out.u16(port)
  out.u16(weight)
  out.u8(kind)
  out.bytes(address.parsed, record.addressBytes(kind))
}

function readAddress(): u8 {
  if (!reader.readText("An address in quotes is expected")) return 0
  const kind = address.parse(reader.text, reader.length)
  if (kind == 0) error.failNaming(reader.offset, "", reader.text, reader.length, " is no IP address")
  return kind
}

/** A number, or (as ingress-nginx posts it) the same in quotes. */
function readPort(): u64 {
  if (reader.next() != 0x22) return reader.readInteger(1, 65535, WANTED_PORT)
  if (!reader.readText(WANTED_PORT)) return 0
  if (reader.isTextNumber() && !isNegative && value > 0 && value <= 65535) return value
  error.fail(reader.offset, WANTED_PORT)
  return 0
}

export function showEndpoint(out: Buffer, endpoint: usize, zone: u8): void {
  openEndpoint(out, endpoint, zone)
  out.u8(0x7d)
}

/** Without the closing brace, for who has more to say. */
export function openEndpoint(out: Buffer, endpoint: usize, zone: u8): void {
  out.literal('{"address":"')
  const kind = record.kind(endpoint)
  const text = out.extend(address.MAX_TEXT_BYTES)
  const end = address.print(kind, record.address(endpoint), text)
  out.length -= address.MAX_TEXT_BYTES - (end - text)
  out.literal('","port":"')
  out.number(record.port(endpoint))
  out.literal('","weight":')
  out.number(record.weight(endpoint))
  if (zone != 0 && <i32>zone < ZONE_WORD.words.length) showZone(out, ZONE_WORD.words[zone])
}

function showZone(out: Buffer, word: string): void {
  out.literal(',"zone":"')
  out.literal(word)
  out.u8(0x22)
}
