/** A network, as 10.0.0.0/8: text → u8 bits · 4 or 16 bytes of address → text. */
import * as address from "../address"
import { Buffer } from "../buffer"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { isNegative, value as number } from "../json/number"
import * as reader from "../json/reader"

const BITS_BYTES: usize = 1

/** How many bytes the network that was parsed last takes. */
export let length: usize = 0

/** Reads a text: what stands before and behind the slash; false if it is no network. */
export function parse(text: usize, textLength: usize): bool {
  const slash = bytes.indexOf(text, textLength, 0x2f)
  if (slash >= textLength || load<u8>(text) == 0x5b) return false
  const kind = address.parse(text, slash)
  if (kind == 0 || !parseBits(text + slash + 1, textLength - slash - 1, kind == 4 ? 32 : 128)) return false
  length = BITS_BYTES + (kind == 4 ? 4 : 16)
  return true
}

function parseBits(at: usize, length: usize, max: u64): bool {
  reader.setText(at, length)
  return reader.isTextNumber() && !isNegative && number <= max
}

/** Adds the network that was parsed last. */
export function put(out: Buffer): void {
  out.u8(<u8>number)
  out.bytes(address.parsed, length - BITS_BYTES)
}

/** Writes a network in quotes; false if it is of neither family. */
export function show(out: Buffer, at: usize, length: usize): bool {
  const kind: u8 = length == BITS_BYTES + 4 ? 4 : 6
  if (kind == 6 && length != BITS_BYTES + 16) return false
  out.u8(0x22)
  const text = out.extend(address.MAX_TEXT_BYTES)
  const end = address.print(kind, at + BITS_BYTES, text)
  out.length -= address.MAX_TEXT_BYTES - (end - text)
  out.u8(0x2f)
  out.number(load<u8>(at))
  out.u8(0x22)
  return true
}
