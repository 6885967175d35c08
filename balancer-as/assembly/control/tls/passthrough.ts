/** A server name whose connections are handed on undecrypted: JSON → write; record → JSON. */
import * as address from "../../address"
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import { nextField } from "../fields"
import { isNegative, value as number } from "../../json/number"
import * as made from "./made"
import { PASSTHROUGHS } from "../kinds"
import { readName } from "../names"
import { PASSTHROUGH } from "../tables"
import { MaxCount, PASSTHROUGH_VERSION, Type } from "../../ids"
import * as reader from "../../json/reader"
import * as writer from "../../json/writer"
import * as writes from "../writes"

const ADDRESSES_RULE: string = "A passthrough has 1 to 1024 addresses"
const WANTED_ADDRESS: string = "An address and a port in quotes are expected, as 10.0.0.1:443 or [::1]:443"

/** u8 version · u8 0 · u16 0; per address u16 port · u8 kind (4 or 6) · 4 or 16 bytes. */
const HEAD_BYTES: usize = 4
const ADDRESS_HEAD_BYTES: usize = 3

/** Reads a passthrough and adds the write that sets it. */
export function readPassthrough(): void {
  let host: usize = 0
  let hostLength: usize = 0
  let seen: u32 = 0
  made.begin(PASSTHROUGH_VERSION, HEAD_BYTES)
  reader.enterObject()
  for (let place = nextField(PASSTHROUGH, seen); place >= 0; place = nextField(PASSTHROUGH, seen)) {
    seen |= 1 << place
    if (PASSTHROUGH[place].type == Type.ADDRESSES) readAddresses(made.value)
    else {
      readName(PASSTHROUGHS)
      host = reader.text
      hostLength = reader.length
    }
  }
  if (!error.failed) writes.set(PASSTHROUGHS, host, hostLength, made.value)
}

function readAddresses(out: Buffer): void {
  const offset = reader.place()
  let count = 0
  reader.enterArray()
  for (; reader.nextItem(); count++) {
    if (count == MaxCount.ADDRESSES) return error.fail(offset, ADDRESSES_RULE)
    if (!reader.readText(WANTED_ADDRESS)) return
    if (!putAddress(out)) return error.fail(reader.offset, WANTED_ADDRESS)
  }
  if (count == 0) error.fail(offset, ADDRESSES_RULE)
}

/** Reads what stands before and behind the last colon; false if it is no address with a port. */
function putAddress(out: Buffer): bool {
  const text = reader.text
  let colon = reader.length
  while (colon > 0 && load<u8>(text + colon - 1) != 0x3a) colon--
  if (colon < 2) return false
  const isBare = load<u8>(text + colon - 2) != 0x5d
  const kind = address.parse(text, colon - 1)
  if (kind == 0 || isBare != (kind == 4) || !readPort(text + colon, reader.length - colon)) return false
  out.u16(<u16>number)
  out.u8(kind)
  out.bytes(address.parsed, bytesOf(kind))
  return true
}

function readPort(at: usize, length: usize): bool {
  reader.setText(at, length)
  return reader.isTextNumber() && !isNegative && number > 0 && number <= 65535
}

/** Writes a passthrough as it is in force; false if its record is damaged. */
export function showPassthrough(out: Buffer, host: usize, hostLength: usize, at: usize, length: usize): bool {
  if (!made.isRecord(PASSTHROUGH_VERSION, at, length, HEAD_BYTES)) return false
  const end = at + length
  out.literal('{"host":')
  writer.text(out, host, hostLength)
  writer.member(out, "addresses")
  out.u8(0x5b)
  for (let entry = at + HEAD_BYTES; entry != end; entry = behind(entry)) {
    if (!isWhole(entry, end)) return false
    if (entry != at + HEAD_BYTES) out.u8(0x2c)
    showAddress(out, entry)
  }
  out.literal("]}")
  return true
}

function isWhole(entry: usize, end: usize): bool {
  if (end - entry < ADDRESS_HEAD_BYTES || (kindOf(entry) != 4 && kindOf(entry) != 6)) return false
  return end - entry >= ADDRESS_HEAD_BYTES + bytesOf(kindOf(entry))
}

function showAddress(out: Buffer, entry: usize): void {
  const kind = kindOf(entry)
  out.literal(kind == 4 ? '"' : '"[')
  const text = out.extend(address.MAX_TEXT_BYTES)
  const end = address.print(kind, entry + ADDRESS_HEAD_BYTES, text)
  out.length -= address.MAX_TEXT_BYTES - (end - text)
  out.literal(kind == 4 ? ":" : "]:")
  out.number(load<u16>(entry))
  out.u8(0x22)
}

function kindOf(entry: usize): u8 {
  return load<u8>(entry, 2)
}

function behind(entry: usize): usize {
  return entry + ADDRESS_HEAD_BYTES + bytesOf(kindOf(entry))
}

function bytesOf(kind: u8): usize {
  return kind == 4 ? 4 : 16
}
