/** Some of the routes of a host that has many: JSON → write; record → JSON. */
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { hasUnknown, nextField } from "./fields"
import * as made from "./tls/made"
import { readName } from "./names"
import { readRoutes, showRoutes } from "./routes"
import { ROUTE_PART_VERSION, Type } from "../ids"
import { ROUTE_PARTS } from "./kinds"
import { ROUTE_PART } from "./tables"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

let id: usize = 0
let idLength: usize = 0

/** Reads a part and adds the write that sets it. */
export function readRoutePart(): void {
  let seen: u64 = 0
  made.begin(ROUTE_PART_VERSION)
  reader.enterObject()
  for (let place = nextField(ROUTE_PART, seen); place >= 0; place = nextField(ROUTE_PART, seen)) {
    seen |= (<u64>1) << place
    if (ROUTE_PART[place].type == Type.NAME) readId()
    else readRoutes(made.value, ROUTE_PART[place].tag)
  }
  if (!error.failed) made.set(ROUTE_PARTS, id, idLength)
}

function readId(): void {
  readName(ROUTE_PARTS)
  id = reader.text
  idLength = reader.length
}

/** Writes a part as it is in force; false if its record is damaged. */
export function showRoutePart(out: Buffer, name: usize, nameLength: usize, at: usize, length: usize): bool {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(ROUTE_PART_VERSION, at, length)) return false
  if (hasUnknown(ROUTE_PART, ROUTE_PART, first, end)) return false
  out.literal('{"id":')
  writer.text(out, name, nameLength)
  if (!showRoutes(out, first, end)) return false
  out.u8(0x7d)
  return true
}
