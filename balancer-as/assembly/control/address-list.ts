/** Networks of clients that routes let in or refuse: JSON → write; record → JSON. */
import { ADDRESS_LISTS } from "./kinds"
import { Buffer } from "../buffer"
import { showArray } from "./array"
import * as error from "../json/error"
import { hasUnknown, nextField } from "./fields"
import * as made from "./tls/made"
import { readName } from "./names"
import * as range from "./range"
import { ADDRESS_LIST } from "./tables"
import { ADDRESS_LIST_VERSION, AddressListField, MaxCount, Type } from "../ids"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

const RANGES_RULE: string = "An address list has 1 to 16384 networks"
const WANTED_RANGE: string = "A network in quotes is expected, as 10.0.0.0/8 or 2001:db8::/32"

let id: usize = 0
let idLength: usize = 0

/** Reads an address list and adds the write that sets it. */
export function readAddressList(): void {
  let seen: u64 = 0
  made.begin(ADDRESS_LIST_VERSION)
  reader.enterObject()
  for (let place = nextField(ADDRESS_LIST, seen); place >= 0; place = nextField(ADDRESS_LIST, seen)) {
    seen |= (<u64>1) << place
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
    if (!range.parse(reader.text, reader.length)) return error.fail(reader.offset, WANTED_RANGE)
    out.u32(record.fieldHead(tag, range.length))
    range.put(out)
  }
  if (count == 0) error.fail(offset, RANGES_RULE)
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
  return range.show(out, record.fieldValue(field), record.fieldLength(field))
}
