/** The OCSP response that goes with a certificate: JSON → write; record → JSON. */
import { Buffer } from "../../buffer"
import * as der from "./der"
import * as error from "../../json/error"
import { Field, Fields, nextField } from "../fields"
import * as made from "./made"
import { readName } from "../names"
import * as reader from "../../json/reader"
import { STAPLES } from "../kinds"
import * as writer from "../../json/writer"
import * as writes from "../writes"

const CERTIFICATE: i32 = 0
const RESPONSE: i32 = 1
const UNTIL: i32 = 2
const STAPLE: Fields = [
  new Field("certificate", CERTIFICATE, true),
  new Field("response", RESPONSE, true),
  new Field("until_ms", UNTIL, true),
]

const MAX_MS: u64 = 1 << 53
const WANTED_MS: string = "Milliseconds since 1970 are expected"

/** u8 version · u8 0 · u16 0 · u32 0 · i64 until, ms; then DER to the end. */
const HEAD_BYTES: usize = 16

/** Reads a staple and adds the write that sets it. */
export function readStaple(): void {
  let id: usize = 0
  let idLength: usize = 0
  let untilMs: u64 = 0
  let seen: u32 = 0
  made.begin(HEAD_BYTES)
  reader.enterObject()
  for (let place = nextField(STAPLE, seen); place >= 0; place = nextField(STAPLE, seen)) {
    seen |= 1 << place
    if (place == RESPONSE) der.read(made.value)
    else if (place == UNTIL) untilMs = reader.readInteger(0, MAX_MS, WANTED_MS)
    else {
      readName(STAPLES)
      id = reader.text
      idLength = reader.length
    }
  }
  if (error.failed) return
  store<u64>(made.value.at, untilMs, 8)
  writes.set(STAPLES, id, idLength, made.value)
}

/** Writes a staple as it is in force; false if its record is damaged. */
export function showStaple(out: Buffer, id: usize, idLength: usize, at: usize, length: usize): bool {
  if (!made.isRecord(at, length, HEAD_BYTES)) return false
  out.literal('{"certificate":')
  writer.text(out, id, idLength)
  writer.member(out, "response")
  der.show(out, at + HEAD_BYTES, length - HEAD_BYTES)
  writer.number(out, "until_ms", load<u64>(at, 8))
  out.u8(0x7d)
  return true
}
