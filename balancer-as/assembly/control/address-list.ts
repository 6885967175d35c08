/** Networks of clients that routes let in or refuse: JSON → write; record → JSON. */
import * as address from "../address"
import { ADDRESS_LISTS } from "./kinds"
import { Buffer } from "../buffer"
import { showArray } from "./array"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as error from "../json/error"
import { hasUnknown, nextField } from "./fields"
import { isNegative, value as number } from "../json/number"
import * as made from "./tls/made"
import { readName } from "./names"
import { ADDRESS_LIST } from "./tables"
import { ADDRESS_LIST_VERSION, AddressListField, MaxCount, Type } from "../ids"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

const RANGES_RULE: string = "An address list has 1 to 16384 networks"
const WANTED_RANGE: string = "A network in quotes is expected, as 10.0.0.0/8 or 2001:db8::/32"

/** In a record: u8 bits · 4 or 16 bytes of address. */
const BITS_BYTES: usize = 1

let id: usize = 0
let idLength: usize = 0

/** Reads an address list and adds the write that sets it. */
export function readAddressList(): void {
  let seen: u32 = 0
  made.begin(ADDRESS_LIST_VERSION)
  reader.enterObject()
  for (let place = nextField(ADDRESS_LIST, seen); place >= 0; place = nextField(ADDRESS_LIST, seen)) {
    seen |= 1 << place
    if (ADDRESS_LIST[place].type == Type.NAME) readId()
    else readRanges(made.value, ADDRESS_LIST[place].tag)
  }
  if (!error.failed) made.set(ADDRESS_LISTS, id, idLength)
}

function readId(): void {
  readName(ADDRESS_LISTS)
  id = reader.text
  idLength = reader.length
}

function readRanges(out: Buffer, tag: u32): void {
  const offset = reader.place()
  let count = 0
  reader.enterArray()
  for (; reader.nextItem(); count++) {
    if (count == MaxCount.ADDRESS_RANGES) return error.fail(offset, RANGES_RULE)
    if (!reader.readText(WANTED_RANGE)) return
    if (!putRange(out, tag)) return error.fail(reader.offset, WANTED_RANGE)
  }
  if (count == 0) error.fail(offset, RANGES_RULE)
}

/** Reads what stands before and behind the slash; false if it is no network. */
function putRange(out: Buffer, tag: u32): bool {
  const text = reader.text
  const slash = bytes.indexOf(text, reader.length, 0x2f)
  if (slash >= reader.length || load<u8>(text) == 0x5b) return false
  const kind = address.parse(text, slash)
  if (kind == 0 || !readBits(text + slash + 1, reader.length - slash - 1, kind == 4 ? 32 : 128)) return false
  const length: usize = kind == 4 ? 4 : 16
  out.u32(record.fieldHead(tag, BITS_BYTES + length))
  out.u8(<u8>number)
  out.bytes(address.parsed, length)
  return true
}

function readBits(at: usize, length: usize, max: u64): bool {
  reader.setText(at, length)
  return reader.isTextNumber() && !isNegative && number <= max
}

/** Writes an address list as it is in force; false if its record is damaged. */
export function showAddressList(out: Buffer, name: usize, nameLength: usize, at: usize, length: usize): bool {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(ADDRESS_LIST_VERSION, at, length)) return false
  if (hasUnknown(ADDRESS_LIST, ADDRESS_LIST, first, end)) return false
  out.literal('{"id":')
  writer.text(out, name, nameLength)
  writer.member(out, "ranges")
  if (!showArray(out, AddressListField.RANGES, first, end, showRange)) return false
  out.u8(0x7d)
  return true
}

/** False if it is of neither family. */
function showRange(out: Buffer, field: usize): bool {
  const length = record.fieldLength(field) - BITS_BYTES
  const kind: u8 = length == 4 ? 4 : 6
  if (kind == 6 && length != 16) return false
  out.u8(0x22)
  const text = out.extend(address.MAX_TEXT_BYTES)
  const end = address.print(kind, record.fieldValue(field) + BITS_BYTES, text)
  out.length -= address.MAX_TEXT_BYTES - (end - text)
  out.u8(0x2f)
  out.number(load<u8>(record.fieldValue(field)))
  out.u8(0x22)
  return true
}
