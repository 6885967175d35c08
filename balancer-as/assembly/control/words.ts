/** One word of several: in JSON a text, in a record u8. */
import { Buffer } from "../buffer"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as error from "../json/error"
import { WordType } from "./field"
import * as numbers from "./numbers"
import * as reader from "../json/reader"

/** The number of the word that was read last. */
export let number: u32 = 0

export function readWord(out: Buffer, tag: u32, type: WordType): void {
  number = read(type)
  if (!error.failed) numbers.putField(out, tag, 1, number)
}

/** The number of the word that is next. */
export function read(type: WordType): u32 {
  if (!reader.readText(type.wanted)) return 0
  for (let i = 0; i < type.words.length; i++) {
    if (bytes.is(reader.text, reader.length, type.words[i])) return i + type.first
  }
  error.fail(reader.offset, type.wanted)
  return 0
}

/** Writes the word in quotes; false if the field is damaged. */
export function showWord(out: Buffer, type: WordType, field: usize): bool {
  const place = numbers.ofField(field) - type.first
  if (place >= <u64>type.words.length) return false
  out.u8(0x22)
  out.literal(type.words[<i32>place])
  out.u8(0x22)
  return true
}
