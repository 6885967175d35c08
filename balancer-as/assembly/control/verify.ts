/** `verify` of what is asked of a client's certificate: a word in JSON, u8 in records. */
import { Buffer } from "../buffer"
import * as bytes from "../bytes"
import * as error from "../json/error"
import * as numbers from "./numbers"
import * as reader from "../json/reader"

/** By the number in a record; 0 is none, and the last one is for hosts only. */
const WORDS: StaticArray<string> = ["", "on", "optional", "optional_no_ca", "off"]
const WANTED: string = '"on", "optional" or "optional_no_ca" is expected'
const WANTED_OF_HOST: string = '"on", "optional", "optional_no_ca" or "off" is expected'

/** What a handshake asks. */
export function readVerify(out: Buffer, id: u32): void {
  read(out, id, WORDS.length - 1, WANTED)
}

/** What a host asks, which may be nothing. */
export function readHostVerify(out: Buffer, id: u32): void {
  read(out, id, WORDS.length, WANTED_OF_HOST)
}

function read(out: Buffer, id: u32, end: i32, wanted: string): void {
  if (!reader.readText(wanted)) return
  for (let i = 1; i < end; i++) {
    if (bytes.is(reader.text, reader.length, WORDS[i])) return numbers.putField(out, id, 1, i)
  }
  error.fail(reader.offset, wanted)
}

/** Writes the word in quotes; false if the field is damaged. */
export function showVerify(out: Buffer, field: usize): bool {
  const number = numbers.ofField(field)
  if (number == 0 || number >= <u64>WORDS.length) return false
  out.u8(0x22)
  out.literal(WORDS[<i32>number])
  out.u8(0x22)
  return true
}
