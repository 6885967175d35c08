/** `proxy_next_upstream`: the words of nginx's directive, a bit for each in the record. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { Buffer } from "../buffer"
import * as error from "../json/error"
import * as numbers from "./numbers"
import { NEXT_UPSTREAM_WORDS as WORDS } from "./tables"
import * as reader from "../json/reader"

export function readNextUpstream(out: Buffer, tag: u32): void {
  if (!reader.readText("Words of proxy_next_upstream in quotes are expected")) return
  const end = reader.text + reader.length
  let words: u32 = 0
  for (let at = reader.text; at <= end && !error.failed;) {
    const length = bytes.indexOf(at, end - at, 0x20)
    words |= bitOf(at, length)
    at += length + 1
  }
  numbers.putField(out, tag, 4, words)
}

function bitOf(at: usize, length: usize): u32 {
  for (let i = 0; i < WORDS.length; i++) {
    if (bytes.is(at, length, WORDS[i])) return 1 << i
  }
  error.failNaming(reader.offset, "", at, length, " is no word of proxy_next_upstream")
  return 0
}

export function showNextUpstream(out: Buffer, field: usize): void {
  const words = numbers.ofField(field)
  let isFirst = true
  out.u8(0x22)
  for (let i = 0; i < WORDS.length; i++) {
    if ((words & (1 << i)) == 0) continue
    if (!isFirst) out.u8(0x20)
    isFirst = false
    out.literal(WORDS[i])
  }
  out.u8(0x22)
}
