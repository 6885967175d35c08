/** `rules` of a route's access: who is let in or refused, in order; one field each, u8 action · whom it is about. */
import { readArray } from "./array"
import { Buffer } from "../buffer"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as error from "../json/error"
import { Field } from "./field"
import { nextField } from "./fields"
import * as range from "./range"
import { ACCESS_ACTION_WORD, ACCESS_RULE } from "./tables"
import * as words from "./words"
import { MaxCount, Type } from "../ids"
import * as reader from "../json/reader"
import * as record from "../record"

const WANTED: string = '"all", "unix:" or a network in quotes is expected, as 10.0.0.0/8 or 2001:db8::/32'
const ALL: string = "all"
const UNIX: string = "unix:"

export function readAccessRules(out: Buffer, field: Field): void {
  readArray(out, field, MaxCount.ACCESS_RULES, " has at most 1024 items", readRule)
}

function readRule(out: Buffer, list: Field): void {
  let action: u32 = 0
  let seen: u64 = 0
  const start = record.openField(out)
  out.u8(0)
  reader.enterObject()
  for (let place = nextField(ACCESS_RULE, seen); place >= 0; place = nextField(ACCESS_RULE, seen)) {
    seen |= (<u64>1) << place
    if (ACCESS_RULE[place].type == Type.ACCESS_ACTION) action = words.read(ACCESS_ACTION_WORD)
    else readFrom(out)
  }
  store<u8>(out.at + start + record.FIELD_HEAD_BYTES, <u8>action)
  record.closeField(out, list.tag, start)
}

function readFrom(out: Buffer): void {
  if (!reader.readText(WANTED) || bytes.is(reader.text, reader.length, ALL)) return
  if (bytes.is(reader.text, reader.length, UNIX)) out.u8(0)
  else if (range.parse(reader.text, reader.length)) range.put(out)
  else error.fail(reader.offset, WANTED)
}

/** Writes one; false if its field is damaged. */
export function showAccessRule(out: Buffer, field: usize): bool {
  const length = record.fieldLength(field)
  if (length == 0) return false
  const at = record.fieldValue(field)
  const place = load<u8>(at) - ACCESS_ACTION_WORD.first
  if (place >= <u32>ACCESS_ACTION_WORD.words.length) return false
  out.literal('{"action":"')
  out.literal(ACCESS_ACTION_WORD.words[place])
  out.literal('","from":')
  if (!showFrom(out, at + 1, length - 1)) return false
  out.u8(0x7d)
  return true
}

function showFrom(out: Buffer, at: usize, length: usize): bool {
  if (length > 1) return range.show(out, at, length)
  out.u8(0x22)
  out.literal(length == 0 ? ALL : UNIX)
  out.u8(0x22)
  return true
}
