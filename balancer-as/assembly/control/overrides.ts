/** `overrides` of a route: numbers and switches in the place of its location's, each a field of the route's own. */
import { Buffer } from "../buffer"
import { Field } from "./field"
import { nextField, placeOfId } from "./fields"
import * as numbers from "./numbers"
import { readNextUpstream, showNextUpstream } from "./next-upstream"
import { OVERRIDES } from "./tables"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readOverrides(out: Buffer): void {
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(OVERRIDES, seen); place >= 0; place = nextField(OVERRIDES, seen)) {
    seen |= (<u64>1) << place
    const field = OVERRIDES[place]
    if (field.type == Type.NEXT_UPSTREAM) readNextUpstream(out, field.tag)
    else numbers.readField(out, field.tag, field.type)
  }
}

export function isOverride(id: u32): bool {
  return placeOfId(OVERRIDES, id) >= 0
}

/** Writes the object with all overrides of the route whose fields lie from `from` to `end`. */
export function showOverrides(out: Buffer, from: usize, end: usize): void {
  writer.open(out, "overrides")
  for (let field = from; field != end; field = record.nextField(field)) {
    const place = placeOfId(OVERRIDES, record.fieldId(field))
    if (place >= 0) showOverride(out, OVERRIDES[place], field)
  }
  out.u8(0x7d)
}

function showOverride(out: Buffer, known: Field, field: usize): void {
  writer.member(out, known.name)
  if (known.type == Type.NEXT_UPSTREAM) showNextUpstream(out, field)
  else numbers.show(out, known.type, field)
}
