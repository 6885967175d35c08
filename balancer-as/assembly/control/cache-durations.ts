/** `cache_durations`: for how long an answer is kept, by its status; one field each, u16 status · u32 seconds. */
import { Buffer } from "../buffer"
import { nextField } from "./fields"
import * as numbers from "./numbers"
import { CACHE_DURATION } from "./tables"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

const BYTES: usize = 6

export function readCacheDurations(out: Buffer, tag: u32): void {
  reader.enterArray()
  while (reader.nextItem()) readOne(out, tag)
}

function readOne(out: Buffer, tag: u32): void {
  let status: u64 = 0
  let seconds: u64 = 0
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(CACHE_DURATION, seen); place >= 0; place = nextField(CACHE_DURATION, seen)) {
    seen |= (<u64>1) << place
    const type = CACHE_DURATION[place].type
    const number = numbers.read(type)
    if (type == Type.CACHED_STATUS) status = number
    else seconds = number
  }
  out.u32(record.fieldHead(tag, BYTES))
  out.u16(<u16>status)
  out.u32(<u32>seconds)
}

/** Writes one; false if its field is damaged. */
export function showCacheDuration(out: Buffer, field: usize): bool {
  if (record.fieldLength(field) != BYTES) return false
  const at = record.fieldValue(field)
  out.literal('{"status":')
  out.number(load<u16>(at))
  out.literal(',"seconds":')
  out.number(load<u32>(at, 2))
  out.u8(0x7d)
  return true
}
