/** Names of posted fields that are not known: a newer controller's, or a typing error. The answer lists some of them. */
import { Buffer } from "../buffer"
import { KeySet } from "../key-set"
import * as reader from "../json/reader"
import * as writer from "../json/writer"

const MAX_NAMES: i32 = 16
/** Of a name that is listed. */
const MAX_BYTES: usize = 80

const names: KeySet = new KeySet()
/** They stay where they were read until the callback ends: u32 address · u32 length. */
const list: Buffer = new Buffer()
let count: i32 = 0

/** Notes the text that was read last, once. */
export function note(): void {
  if (count == MAX_NAMES || reader.length > MAX_BYTES || !names.add(0, reader.text, reader.length)) return
  list.u32(<u32>reader.text)
  list.u32(<u32>reader.length)
  count++
}

/** Writes the member, if there is any. */
export function show(out: Buffer): void {
  if (count == 0) return
  writer.member(out, "skipped")
  for (let i = 0; i < count; i++) {
    const at = list.at + ((<usize>i) << 3)
    out.u8(i == 0 ? 0x5b : 0x2c)
    writer.text(out, load<u32>(at), load<u32>(at, 4))
  }
  out.u8(0x5d)
}

export function drop(): void {
  names.drop()
  list.drop()
  count = 0
}
