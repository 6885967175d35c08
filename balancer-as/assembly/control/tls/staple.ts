/** The OCSP response that goes with a certificate: JSON → write; record → JSON. */
import { Buffer } from "../../buffer"
import * as der from "./der"
import * as error from "../../json/error"
import { nextField } from "../fields"
import * as numbers from "../numbers"
import * as made from "./made"
import { readName } from "../names"
import * as reader from "../../json/reader"
import { STAPLES } from "../kinds"
import { STAPLE } from "../tables"
import { STAPLE_VERSION, Type } from "../../ids"
import * as writer from "../../json/writer"
import * as writes from "../writes"

/** u8 version · u8 0 · u16 0 · u32 0 · i64 until, ms; then DER to the end. */
const HEAD_BYTES: usize = 16

/** Reads a staple and adds the write that sets it. */
export function readStaple(): void {
  let id: usize = 0
  let idLength: usize = 0
  let untilMs: u64 = 0
  let seen: u32 = 0
  made.begin(STAPLE_VERSION, HEAD_BYTES)
  reader.enterObject()
  for (let place = nextField(STAPLE, seen); place >= 0; place = nextField(STAPLE, seen)) {
    seen |= 1 << place
    const type = STAPLE[place].type
    if (type == Type.DER) der.read(made.value)
    else if (type == Type.MOMENT) untilMs = numbers.read(type)
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
  if (!made.isRecord(STAPLE_VERSION, at, length, HEAD_BYTES)) return false
  out.literal('{"certificate":')
  writer.text(out, id, idLength)
  writer.member(out, "response")
  der.show(out, at + HEAD_BYTES, length - HEAD_BYTES)
  writer.number(out, "until_ms", load<u64>(at, 8))
  out.u8(0x7d)
  return true
}
