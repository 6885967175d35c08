/** `redirect` and `https_redirect` of a route: a status and a template. */
import { Buffer } from "../buffer"
import * as error from "../json/error"
import { nextField } from "./fields"
import * as numbers from "./numbers"
import { REDIRECT } from "./tables"
import { readLine } from "./text"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"
import * as writer from "../json/writer"

const CODE_BYTES: usize = 2

export function readRedirect(out: Buffer, tag: u32): void {
  let code: u64 = 0
  let to: usize = 0
  let toLength: usize = 0
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(REDIRECT, seen); place >= 0; place = nextField(REDIRECT, seen)) {
    seen |= (<u64>1) << place
    const type = REDIRECT[place].type
    if (type == Type.REDIRECT_CODE) code = numbers.read(type)
    else if (readTarget()) {
      to = reader.text
      toLength = reader.length
    }
  }
  out.u32(record.fieldHead(tag, CODE_BYTES + toLength))
  out.u16(<u16>code)
  out.bytes(to, toLength)
}

function readTarget(): bool {
  if (!readLine("to")) return false
  if (reader.length == 0) error.failField(reader.offset, "to", " must not be empty")
  return !error.failed
}

/** Writes the redirect of a field; false if it is damaged. */
export function showRedirect(out: Buffer, name: string, field: usize): bool {
  const length = record.fieldLength(field)
  if (length < CODE_BYTES) return false
  const at = record.fieldValue(field)
  writer.open(out, name)
  writer.number(out, "code", load<u16>(at))
  writer.member(out, "to")
  writer.text(out, at + CODE_BYTES, length - CODE_BYTES)
  out.u8(0x7d)
  return true
}
