/** A server name whose connections are handed on undecrypted: JSON → write; record → JSON. */
import * as address from "../../address"
import { Buffer } from "../../buffer"
import { showArray } from "../array"
import * as error from "../../json/error"
import { hasUnknown, nextField } from "../fields"
import { isNegative, value as number } from "../../json/number"
import * as made from "./made"
import { PASSTHROUGHS } from "../kinds"
import { readName } from "../names"
import { PASSTHROUGH } from "../tables"
import { MaxCount, PASSTHROUGH_VERSION, PassthroughField, Type } from "../../ids"
import * as reader from "../../json/reader"
import * as record from "../../record"
import * as writer from "../../json/writer"

const ADDRESSES_RULE: string = "A passthrough has 1 to 1024 addresses"
const WANTED_ADDRESS: string = "An address and a port in quotes are expected, as 10.0.0.1:443 or [::1]:443"

/** In a record: u16 port · 4 or 16 bytes of address. */
const PORT_BYTES: usize = 2

/** Reads a passthrough and adds the write that sets it. */
export function readPassthrough(): void {
  let host: usize = 0
  let hostLength: usize = 0
  let seen: u32 = 0
  made.begin(PASSTHROUGH_VERSION)
  reader.enterObject()
  for (let place = nextField(PASSTHROUGH, seen); place >= 0; place = nextField(PASSTHROUGH, seen)) {
    seen |= 1 << place
    const field = PASSTHROUGH[place]
    if (field.type == Type.ADDRESSES) readAddresses(made.value, field.tag)
    else {
      readName(PASSTHROUGHS)
      host = reader.text
      hostLength = reader.length
    }
  }
  if (!error.failed) made.set(PASSTHROUGHS, host, hostLength)
}

function readAddresses(out: Buffer, tag: u32): void {
  const offset = reader.place()
  let count = 0
  reader.enterArray()
  for (; reader.nextItem(); count++) {
    if (count == MaxCount.ADDRESSES) return error.fail(offset, ADDRESSES_RULE)
    if (!reader.readText(WANTED_ADDRESS)) return
    if (!putAddress(out, tag)) return error.fail(reader.offset, WANTED_ADDRESS)
  }
  if (count == 0) error.fail(offset, ADDRESSES_RULE)
}

/** Reads what stands before and behind the last colon; false if it is no address with a port. */
function putAddress(out: Buffer, tag: u32): bool {
  const text = reader.text
  let colon = reader.length
  while (colon > 0 && load<u8>(text + colon - 1) != 0x3a) colon--
  if (colon < 2) return false
  const isBare = load<u8>(text + colon - 2) != 0x5d
  const kind = address.parse(text, colon - 1)
  if (kind == 0 || isBare != (kind == 4) || !readPort(text + colon, reader.length - colon)) return false
  const length: usize = kind == 4 ? 4 : 16
  out.u32(record.fieldHead(tag, PORT_BYTES + length))
  out.u16(<u16>number)
  out.bytes(address.parsed, length)
  return true
}

function readPort(at: usize, length: usize): bool {
  reader.setText(at, length)
  return reader.isTextNumber() && !isNegative && number > 0 && number <= 65535
}

/** Writes a passthrough as it is in force; false if its record is damaged. */
export function showPassthrough(out: Buffer, host: usize, hostLength: usize, at: usize, length: usize): bool {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(PASSTHROUGH_VERSION, at, length) || hasUnknown(PASSTHROUGH, PASSTHROUGH, first, end))
    return false
  out.literal('{"host":')
  writer.text(out, host, hostLength)
  writer.member(out, "addresses")
  if (!showArray(out, PassthroughField.ADDRESSES, first, end, showAddress)) return false
  out.u8(0x7d)
  return true
}

/** False if it is of neither family. */
function showAddress(out: Buffer, field: usize): bool {
  const length = record.fieldLength(field) - PORT_BYTES
  const kind: u8 = length == 4 ? 4 : 6
  if (kind == 6 && length != 16) return false
  out.literal(kind == 4 ? '"' : '"[')
  const text = out.extend(address.MAX_TEXT_BYTES)
  const end = address.print(kind, record.fieldValue(field) + PORT_BYTES, text)
  out.length -= address.MAX_TEXT_BYTES - (end - text)
  out.literal(kind == 4 ? ":" : "]:")
  out.number(load<u16>(record.fieldValue(field)))
  out.u8(0x22)
  return true
}
