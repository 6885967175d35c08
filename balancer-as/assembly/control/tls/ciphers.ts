/** A list of ciphers as OpenSSL has it: JSON → a field. */
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import * as reader from "../../json/reader"
import { MaxBytes } from "../../ids"
import * as record from "../../record"

const CIPHERS_RULE: string = "A list of ciphers has 1 to 4096 bytes of A-Z, a-z, 0-9 and !:+@=_-"

export function readCiphers(out: Buffer, tag: u32): void {
  if (!reader.readText(CIPHERS_RULE)) return
  let isList = reader.length > 0 && reader.length <= MaxBytes.CIPHERS
  for (let i: usize = 0; isList && i < reader.length; i++) isList = isCiphersByte(load<u8>(reader.text + i))
  if (isList) record.putField(out, tag, reader.text, reader.length)
  else error.fail(reader.offset, CIPHERS_RULE)
}

function isCiphersByte(byte: u8): bool {
  const letter = byte | 0x20
  if ((byte >= 0x30 && byte <= 0x3a) || (letter >= 0x61 && letter <= 0x7a)) return true
  return byte == 0x21 || byte == 0x2b || byte == 0x2d || byte == 0x3d || byte == 0x40 || byte == 0x5f
}
