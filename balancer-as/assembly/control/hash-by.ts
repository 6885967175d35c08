/** `upstreamHashByConfig`: consistent hashing by a text with variables. */
import { Buffer } from "../buffer"
import { nextField } from "./fields"
import * as numbers from "./numbers"
import { readText } from "./text"
import * as reader from "../json/reader"
import { Setting, Type } from "../ids"
import * as settings from "./settings"
import { HASH_BY } from "./tables"
import * as writer from "../json/writer"

const DEFAULT_SIZE: u64 = 3

export function readHashBy(): void {
  let isSubset = false
  let size: u64 = 0
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(HASH_BY, seen); place >= 0; place = nextField(HASH_BY, seen)) {
    seen |= (<u64>1) << place
    if (reader.skipNull()) continue
    const field = HASH_BY[place]
    if (field.type == Type.TEXT) readText(field)
    else if (field.type == Type.FLAG) isSubset = reader.readBool()
    else size = numbers.read(field.type)
  }
  const hasSubset = isSubset && settings.has(Setting.HASH_KEY)
  if (hasSubset) settings.setNumber(Setting.SUBSET_SIZE, size == 0 ? DEFAULT_SIZE : size)
}

export function showHashBy(out: Buffer): void {
  if (!settings.has(Setting.HASH_KEY)) return
  writer.open(out, "upstreamHashByConfig")
  settings.showText(out, "upstream-hash-by", Setting.HASH_KEY)
  if (settings.has(Setting.SUBSET_SIZE)) {
    writer.isTrue(out, "upstream-hash-by-subset")
    writer.number(out, "upstream-hash-by-subset-size", settings.number(Setting.SUBSET_SIZE))
  }
  out.u8(0x7d)
}
